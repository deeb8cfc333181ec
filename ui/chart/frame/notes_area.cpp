// Paragraphs that take the height they need, up to so many lines.
#include "ui/chart/frame/notes_area.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QScrollBar>

#include <algorithm>

namespace loadline::ui {

NotesArea::NotesArea(const QString& name, int mostLines, QWidget* parent)
    : QScrollArea(parent), label_(new QLabel), mostLines_(mostLines) {
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label_->setProperty("role", "muted");
    label_->setAccessibleName(name);
    setWidget(label_);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportMargins(2 * spacing, 0, 2 * spacing, spacing);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NotesArea::setNotes(const QStringList& notes) {
    QStringList marked;
    for (const QString& note : notes) {
        marked << QChar(0x2022) + QStringLiteral(" ") + note;
    }
    label_->setText(linesText(marked.join(u'\n')));
    fit();
}

QString NotesArea::text() const {
    return label_->text();
}

void NotesArea::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fit();
}

/// Whole lines, so that none is cut in half.
void NotesArea::fit() {
    const int line = label_->fontMetrics().lineSpacing();
    const int wanted = label_->heightForWidth(viewport()->width());
    setFixedHeight(std::min(wanted, mostLines_ * line) + viewportMargins().bottom());
    verticalScrollBar()->setSingleStep(line);
    verticalScrollBar()->setPageStep(std::max(1, mostLines_ - 1) * line);
}

} // namespace loadline::ui
