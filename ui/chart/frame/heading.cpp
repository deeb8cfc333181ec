// Two labels, each cut to the lines it may take.
#include "ui/chart/frame/heading.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QLabel>
#include <QStringList>
#include <QTextLayout>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int between = spacing / 2;
constexpr int narrowest = 15 * spacing;

QLabel* makeLabel(const char* role, const QFont& font, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("role", role);
    label->setFont(font);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->hide();
    return label;
}

int lineHeight(const QLabel& label) {
    return label.fontMetrics().lineSpacing();
}

struct Fitted {
    QString text;
    int lines = 0;
};

/// The text in at most so many lines; the last one is elided where there are more.
Fitted fitted(const QString& text, const QFont& font, int width, int most) {
    QTextLayout layout(text, font);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == most && line.textStart() + line.textLength() < text.size()) {
            const QString rest = text.mid(line.textStart());
            lines << QFontMetrics(font).elidedText(rest, Qt::ElideRight, width);
            layout.endLayout();
            return {lines.join(QString()), most};
        }
        lines << text.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return {text, static_cast<int>(lines.size())};
}

/// Puts the text at `y`; returns where the next one begins.
int putIn(QLabel& label, const QString& text, int y, int width, int most) {
    label.setVisible(!text.isEmpty());
    const Fitted shown = fitted(text, label.font(), width, most);
    const bool cut = shown.text != text;
    label.setText(shown.text);
    setTip(&label, cut ? text : QString());
    label.setAccessibleDescription(cut ? text : QString());
    const int height = shown.lines * lineHeight(label);
    label.setGeometry(0, y, width, height);
    return y + height + between;
}

} // namespace

Heading::Heading(QWidget* parent)
    : QWidget(parent), first_(makeLabel("sentence", fontOf(1.35, true), this)),
      rest_(makeLabel("muted", fontOf(1), this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Heading::setAnswer(const Answer& answer) {
    answer_ = {lineText(answer.first), linesText(answer.rest).replace(u'\n', u' ')};
    place();
}

void Heading::setLines(int lines) {
    if (lines != lines_) {
        lines_ = lines;
        updateGeometry();
        place();
    }
}

QSize Heading::sizeHint() const {
    return {narrowest, lines_ * (lineHeight(*first_) + lineHeight(*rest_)) + between};
}

QSize Heading::minimumSizeHint() const {
    return sizeHint();
}

void Heading::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void Heading::place() {
    const int width = std::max(this->width(), narrowest);
    putIn(*rest_, answer_.rest, putIn(*first_, answer_.first, 0, width, lines_), width, lines_);
}

} // namespace loadline::ui
