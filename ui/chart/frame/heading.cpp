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
constexpr double sizes[] = {1.35, 1.2, 1.05}; ///< of the answer's letters
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
            lines << QFontMetrics(font).elidedText(rest, Qt::ElideRight, width - 1);
            layout.endLayout();
            return {lines.join(u'\n'), most}; // the label breaks them nowhere else
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return {text, static_cast<int>(lines.size())};
}

/// Puts the text at `y`; returns where the next one begins. `whole` becomes false where it is cut.
int putIn(QLabel& label, const QString& text, int y, int width, int most, bool& whole) {
    label.setVisible(!text.isEmpty());
    most = std::max(most, 1);
    Fitted shown = fitted(text, label.font(), width, most);
    bool fits = true;
    int height = shown.lines * lineHeight(label);
    if (shown.text == text) {
        label.setText(text); // which rounds its lines' heights up, and may break one that fits by a hair
        const int wanted = label.heightForWidth(width);
        fits = wanted < height + lineHeight(label) / 2 || shown.lines < most;
        height = fits ? std::max(height, wanted) : most * lineHeight(label);
        shown = fits ? shown : fitted(text, label.font(), width - spacing, most);
    }
    const bool cut = shown.text != text;
    whole = whole && fits && !cut;
    label.setText(shown.text);
    height = std::max(height, std::min(label.heightForWidth(width), height + lineHeight(label) / 2));
    setTip(&label, cut ? text : QString());
    label.setAccessibleDescription(cut ? text : QString());
    label.setGeometry(0, y, width, height);
    return y + height + between;
}

} // namespace

Heading::Heading(QWidget* parent)
    : QWidget(parent), first_(makeLabel("sentence", fontOf(sizes[0], true), this)),
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
    const int line = QFontMetrics(fontOf(sizes[0], true)).lineSpacing();
    return {narrowest, lines_ * (line + lineHeight(*rest_)) + between};
}

QSize Heading::minimumSizeHint() const {
    return sizeHint();
}

void Heading::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void Heading::place() {
    whole_ = std::ranges::any_of(sizes, [this](double size) { return placedWhole(size); });
    if (!whole_) {
        (void)placedWhole(sizes[1]);
    }
}

/// In letters of that size; false where something is cut.
bool Heading::placedWhole(double size) {
    first_->setFont(fontOf(size, true));
    const int width = std::max(this->width(), narrowest);
    const int room = sizeHint().height();
    const int forRest = answer_.rest.isEmpty() ? 0 : between + lineHeight(*rest_); // a line at least
    bool whole = true;
    const int y = putIn(*first_, answer_.first, 0, width, (room - forRest) / lineHeight(*first_), whole);
    putIn(*rest_, answer_.rest, y, width, (room - y) / lineHeight(*rest_), whole);
    return whole;
}

} // namespace loadline::ui
