// One label, cut to its lines.
#include "ui/chart/frame/heading.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QLabel>
#include <QTextLayout>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr double sizes[] = {1.35, 1.2, 1.05, 0.95}; ///< of the letters
constexpr int narrowest = 15 * spacing;
constexpr int narrowWidth = 75 * spacing;    ///< below it the headline has two lines
constexpr int narrowestOfTwo = 45 * spacing; ///< below it three

/// The text broken into at most `most` lines; the last one is elided where there are more.
QStringList linesOf(const QString& text, const QFont& font, int width, int most, bool& isCut) {
    QTextLayout layout(text, font);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == most && line.textStart() + line.textLength() < text.size()) {
            isCut = true;
            lines << QFontMetrics(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, width - 1);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

} // namespace

Heading::Heading(QWidget* parent) : QWidget(parent), label_(new QLabel(this)) {
    label_->setProperty("role", "sentence");
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Heading::setAnswer(const Answer& answer) {
    answer_ = {lineText(answer.first), linesText(answer.rest).replace(u'\n', u' ')};
    label_->setAccessibleDescription((answer_.first + u' ' + answer_.rest).trimmed());
    place();
}

QSize Heading::sizeHint() const {
    const QFontMetrics metrics(fontOf(sizes[lines() == 1 ? 0 : 2], true));
    return {narrowest, lines() * metrics.lineSpacing() + (lines() > 1 ? metrics.descent() : 0)};
}

QSize Heading::minimumSizeHint() const {
    return sizeHint();
}

int Heading::lines() const {
    return width() < narrowestOfTwo ? 3 : width() < narrowWidth ? 2 : 1;
}

void Heading::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateGeometry();
    place();
}

void Heading::place() {
    const int width = std::max(this->width(), narrowest);
    QFont font;
    QStringList shown;
    for (const double size : sizes) {
        font = fontOf(size, true);
        const int most = std::max(1, height() / QFontMetrics(font).lineSpacing());
        bool isCut = false;
        shown = linesOf(answer_.first, font, width - 1, most, isCut);
        whole_ = !isCut;
        if (whole_) {
            break;
        }
    }
    label_->setFont(font);
    label_->setText(shown.join(u'\n'));
    setTip(label_, whole_ ? QString() : answer_.first);
    label_->setGeometry(0, 0, width, height());
}

} // namespace loadline::ui
