// Painted, so that its place and height never depend on what it says.
#include "ui/panel/scope/selection_strip.h"

#include "core/session/corpus/price_words.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QPainter>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int betweenFigures = 2 * spacing;
constexpr double stripLabelSize = 0.85;
constexpr int leastName = 12 * spacing; // room for what is selected before figures come closer
constexpr int shortName = 7 * spacing;  // and before one is dropped

SelectionFigure tokensFigure(const QString& label, Tokens n) {
    return {label, countText(static_cast<double>(n)), exactText(n)};
}

SelectionFigure outputFigure(const UsageTotals& totals) {
    SelectionFigure figure = tokensFigure(SelectionStrip::tr("output"), totals.usage.output);
    if (totals.callsFinalOutput < totals.calls) {
        figure.value.prepend(QStringLiteral("\u2265 "));
        figure.exact.prepend(SelectionStrip::tr("at least "));
    }
    return figure;
}

SelectionFigure timeFigure(const QString& label, std::int64_t ms) {
    return {label, durationText(ms), SelectionStrip::tr("%1 ms").arg(exactText(ms))};
}

/// A label above what it tells.
void paintFigure(QPainter& painter, const QRect& room, const QString& label, const QString& value,
                 const Theme& theme) {
    painter.setFont(fontOf(stripLabelSize));
    painter.setPen(theme.textMuted);
    const QRect upper(room.left(), room.top(), room.width(), painter.fontMetrics().height());
    painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, label);
    painter.setFont(fontOf(1.0));
    painter.setPen(theme.text);
    const QRect lower(room.left(), upper.bottom() + 1, room.width(), room.bottom() - upper.bottom());
    painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(value, Qt::ElideRight, lower.width()));
}

int widthOf(const SelectionFigure& figure) {
    return std::max(QFontMetrics(fontOf(stripLabelSize)).horizontalAdvance(figure.label),
                    QFontMetrics(fontOf(1.0)).horizontalAdvance(figure.value)) +
           2;
}

} // namespace

std::vector<SelectionFigure> figuresOf(const SelectionSum& sum) {
    const UsageTotals& totals = sum.totals;
    const auto calls = static_cast<std::int64_t>(totals.calls);
    std::vector<SelectionFigure> figures = {
        {SelectionStrip::tr("calls"), exactText(calls), exactText(calls)},
        tokensFigure(SelectionStrip::tr("input"), totals.usage.input),
        tokensFigure(SelectionStrip::tr("cache write"), totals.usage.cacheWrite),
        tokensFigure(SelectionStrip::tr("cache read"), totals.usage.cacheRead),
        outputFigure(totals),
        {SelectionStrip::tr("hit rate"),
         totals.toldContext() > 0 ? shareText(totals.hitRate()) : QStringLiteral("\u2013"),
         SelectionStrip::tr("cache read of all prompt tokens, without sessions whose logs record no cache")},
        timeFigure(SelectionStrip::tr("model"), sum.time.modelMs)};
    if (!sum.modelTimeOnly && sum.time.toolsMs > 0) {
        figures.push_back(timeFigure(SelectionStrip::tr("tools"), sum.time.toolsMs));
    }
    if (!sum.modelTimeOnly && sum.time.humanMs > 0) {
        figures.push_back(timeFigure(SelectionStrip::tr("human"), sum.time.humanMs));
    }
    if (const std::string cost = costText(totals); !cost.empty()) {
        figures.push_back({SelectionStrip::tr("cost"), QString::fromStdString(cost),
                           SelectionStrip::tr("%1 US dollars at list prices")
                               .arg(QString::number(totals.costUsd, 'f', 2))});
    }
    return figures;
}

SelectionStrip::SelectionStrip(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Sum of what is selected"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    followTheme(this, [this](const Theme&) { update(); });
}

void SelectionStrip::setSum(const QString& what, const SelectionSum& sum) {
    what_ = lineText(what);
    figures_ = figuresOf(sum);
    Tip::Rows rows;
    QStringList words;
    for (const SelectionFigure& figure : figures_) {
        rows.emplace_back(figure.label, figure.exact);
        words << figure.label + ' ' + figure.value;
    }
    setTip(this, Tip::table(what_, rows));
    setAccessibleDescription(what_ + ": " + words.join(", "));
    update();
}

void SelectionStrip::clear() {
    what_.clear();
    figures_.clear();
    setTip(this, {});
    setAccessibleDescription({});
    update();
}

QSize SelectionStrip::sizeHint() const {
    return {80 * spacing,
            QFontMetrics(fontOf(stripLabelSize)).height() + QFontMetrics(fontOf(1.0)).height() + spacing};
}

QSize SelectionStrip::minimumSizeHint() const {
    return {leastName + 4 * spacing, sizeHint().height()};
}

void SelectionStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme.window);
    painter.setPen(theme.grid);
    painter.drawLine(rect().topLeft(), rect().topRight());
    if (figures_.empty()) {
        return;
    }
    const QRect room = rect().adjusted(2 * spacing, spacing / 2, -2 * spacing, -spacing / 2);
    const int name = std::min(QFontMetrics(fontOf(1.0)).horizontalAdvance(what_) + 2, leastName);
    int figures = 0;
    for (const SelectionFigure& figure : figures_) {
        figures += widthOf(figure);
    }
    const int count = static_cast<int>(figures_.size());
    // Closer together, then with less of the name, before one of them is left out.
    const int between = std::clamp((room.width() - name - figures) / count, spacing, betweenFigures);
    const int leastHere = name + figures + count * between > room.width() ? std::min(name, shortName) : name;
    std::size_t shown = 0;
    int taken = 0;
    for (const SelectionFigure& figure : figures_) {
        const int width = between + widthOf(figure);
        if (leastHere + taken + width > room.width()) {
            break;
        }
        taken += width;
        ++shown;
    }
    int x = room.right() - taken + 1;
    paintFigure(painter, {room.left(), room.top(), x - room.left(), room.height()}, tr("selected"), what_,
                theme);
    for (std::size_t i = 0; i < shown; ++i) {
        const int width = widthOf(figures_[i]);
        x += between;
        paintFigure(painter, {x, room.top(), width, room.height()}, figures_[i].label, figures_[i].value,
                    theme);
        x += width;
    }
}

} // namespace loadline::ui
