// Horizontal stacked bars with labels on the left and rates on the right.
#include "ui/chart/composition/composition_rows.h"

#include "ui/chart/distribution/distribution_geometry.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/elided_model.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>

namespace loadline::ui {

namespace {

constexpr double leastBar = 140;          ///< pixels
constexpr double leastLabel = 0.18;       ///< of the width, where room is short
constexpr std::size_t measuredRows = 128; ///< about so many rows decide how wide columns are

QString columnText(const CompositionRow& row, int value) {
    switch (value) {
    case 0:
        return (row.totals.outputOfFinalCalls < row.totals.usage.output ? QStringLiteral("≥ ") : QString()) +
               countText(static_cast<double>(tokensOf(row)));
    case 1:
        return row.totals.recordsCache() ? shareText(row.hitRate) : QStringLiteral("–");
    case 2:
        return row.hitRatePerRequest < 0 || !row.totals.recordsCache() ? QStringLiteral("–")
                                                                       : shareText(row.hitRatePerRequest);
    default:
        return ratioText(row.readWriteRatio);
    }
}

std::vector<AxisTick> ticksOf(const RowsLayout& layout, const CompositionView& view) {
    std::vector<AxisTick> ticks;
    const double room = layout.barRight - layout.barLeft;
    if (view.shares) {
        const double step = room > 260 ? 0.25 : 0.5;
        for (double at = 0; at < 1.001; at += step) {
            ticks.push_back({at, QString::number(at * 100) + QStringLiteral(" %")});
        }
        return ticks;
    }
    const double step = niceStep(layout.maximum, std::max(2, static_cast<int>(room / 90)));
    for (double at = 0; at <= layout.maximum * (1 + 1e-9); at += step) {
        ticks.push_back({at, countText(at)});
    }
    return ticks;
}

QString keyText(TokenPart part, const CompositionRow& all, const CompositionView& view) {
    const Usage& usage = all.totals.usage;
    if (view.perRequest && view.shares) {
        const TokenShares& mean = all.meanPerRequest;
        const double share = part == TokenPart::CacheRead  ? mean.cached
                             : part == TokenPart::NewInput ? mean.newInput
                                                           : mean.output;
        return shareText(share);
    }
    Tokens tokens = usage.output;
    if (part == TokenPart::CacheRead) {
        tokens = usage.cacheRead;
    } else if (part == TokenPart::CacheWrite) {
        tokens = usage.cacheWrite;
    } else if (part == TokenPart::UncachedInput) {
        tokens = usage.input;
    }
    const bool bound = part == TokenPart::Output && all.totals.outputOfFinalCalls < usage.output;
    const Tokens sum = tokensOf(all);
    return (bound ? QStringLiteral("≥ ") : QString()) + countText(static_cast<double>(tokens)) +
           QStringLiteral(", ") +
           shareText(sum == 0 ? 0 : static_cast<double>(tokens) / static_cast<double>(sum));
}

/// Before the head of the column that rows are sorted by.
QString arrowOf(bool leastFirst) {
    return leastFirst ? QStringLiteral("\u25b4 ") : QStringLiteral("\u25be ");
}

enum class KeyNames : std::uint8_t { Whole, Short, Shortest };

QString keyName(TokenPart part, KeyNames names) {
    if (names != KeyNames::Whole && part == TokenPart::UncachedInput) {
        return QStringLiteral("uncached");
    }
    return names == KeyNames::Shortest ? nameOf(part).remove(QStringLiteral("cache ")) : nameOf(part);
}

} // namespace

CompositionOrder orderOf(const RowsLayout::Column& column) {
    constexpr CompositionOrder orders[] = {CompositionOrder::AllTokens, CompositionOrder::HitRate,
                                           CompositionOrder::HitRatePerRequest, CompositionOrder::ReadWrite};
    return orders[column.value];
}

RowsLayout layOutRows(QSizeF room, const Composition& composition, const std::vector<CompositionRow>& rows,
                      const CompositionView& view) {
    RowsLayout layout;
    const double width = room.width();
    layout.width = width;
    layout.models = composition.group == CompositionGroup::Model;
    const QFont font = smallFont();
    const double line = heightOf(font);
    layout.allHeight = line + 1.25 * spacing;
    layout.headHeight = line + spacing + 2 * line + spacing / 2.0 + layout.allHeight + spacing / 2.0;
    const double fitting =
        (room.height() - layout.headHeight) / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    layout.rowHeight =
        rows.empty() ? layout.allHeight : std::clamp(fitting, layout.allHeight, 1.8 * layout.allHeight);
    layout.maximum = view.shares ? 1 : largestRow(rows);

    layout.heads = QRectF(0, line + spacing, width, 2 * line);
    layout.columns = {{QStringLiteral("Tokens"), QStringLiteral("in all"), 0, 0, 0},
                      {QStringLiteral("Hit rate"), QStringLiteral("of tokens"), 0, 0, 1},
                      {QStringLiteral("Hit rate"), QStringLiteral("per request"), 0, 0, 2},
                      {QStringLiteral("Cache"), QStringLiteral("read ÷ write"), 0, 0, 3}};
    // Thousands of rows are not all measured: their texts differ little, and there is room to spare.
    const std::size_t step = 1 + rows.size() / measuredRows;
    double label = widthOf(smallFont(true), QStringLiteral("Everything"));
    for (std::size_t row = 0; row < rows.size() && label < 0.3 * width; row += step) {
        label = std::max(label, widthOf(font, QString::fromStdString(rows[row].label)));
    }
    layout.labelRight = std::min(std::ceil(label), 0.3 * width);
    layout.barLeft = layout.labelRight + 1.5 * spacing;
    const auto widest = [&](const RowsLayout::Column& column) {
        double most = std::max(widthOf(font, column.upper), widthOf(font, arrowOf(false) + column.lower));
        most = std::max(most, widthOf(smallFont(true), columnText(composition.all, column.value)));
        for (std::size_t row = 0; row < rows.size(); row += step) {
            most = std::max(most, widthOf(font, columnText(rows[row], column.value)));
        }
        return std::ceil(most) + 2 * spacing;
    };
    std::vector<double> widths;
    std::ranges::transform(layout.columns, std::back_inserter(widths), widest);
    layout.barRight = width - std::accumulate(widths.begin(), widths.end(), 0.0);
    const auto missing = [&] { return std::max(0.0, leastBar - (layout.barRight - layout.barLeft)); };
    if (missing() > 0) { // shorter names and less between columns, before a column goes
        const double name = std::min(missing(), std::max(0.0, layout.labelRight - leastLabel * width));
        layout.labelRight -= name;
        layout.barLeft -= name;
        const double each = std::min(missing() / static_cast<double>(widths.size()), double(spacing));
        for (double& one : widths) {
            one -= each;
            layout.barRight += each;
        }
    }
    // Those of least worth give way to the bars first; how many tokens a row has stays to the last.
    for (std::size_t i : {std::size_t{2}, std::size_t{2}, std::size_t{1}}) {
        if (layout.barRight - layout.barLeft < leastBar) {
            layout.barRight += widths[i];
            widths.erase(widths.begin() + static_cast<std::ptrdiff_t>(i));
            layout.columns.erase(layout.columns.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    double right = width;
    for (std::size_t i = layout.columns.size(); i-- > 0;) {
        layout.columns[i].right = right;
        layout.columns[i].width = widths[i];
        right -= widths[i];
    }
    layout.barRight = std::max(layout.barRight, layout.barLeft + 20);
    return layout;
}

void paintPart(QPainter& painter, const QRectF& rect, const StackedPart& part, const Theme& theme) {
    const QColor color = colorOf(part.part, theme);
    if (part.lowerBound && std::min(rect.width(), rect.height()) >= 3) {
        hatch(painter, rect, color, 4, 1.4);
    } else {
        painter.fillRect(rect, color);
    }
}

double paintTokenKey(QPainter& painter, const QRectF& area, const CompositionRow& all,
                     const CompositionView& view, const Theme& theme) {
    const QFont font = smallFont();
    const double line = heightOf(font);
    const double swatch = 11;
    const std::vector<TokenPart> parts = partsShown(view);
    double wanted = 0;
    for (const TokenPart part : parts) {
        wanted +=
            swatch + 5 + widthOf(font, nameOf(part) + QStringLiteral("  ") + keyText(part, all, view)) + 18;
    }
    const bool withNumbers = wanted <= area.width() + 18;
    const auto fits = [&](KeyNames names, double gap) {
        double width = -gap;
        for (const TokenPart part : parts) {
            width += swatch + 5 + widthOf(font, keyName(part, names)) + gap;
        }
        return width <= area.width();
    };
    const bool tight = !withNumbers && !fits(KeyNames::Whole, 18);
    const double gap = tight ? 8 : 18;
    const KeyNames names = !tight                       ? KeyNames::Whole
                           : fits(KeyNames::Short, gap) ? KeyNames::Short
                                                        : KeyNames::Shortest;
    double x = area.left();
    for (const TokenPart part : parts) {
        painter.fillRect(QRectF(x, area.top() + (line - swatch) / 2, swatch, swatch), colorOf(part, theme));
        x += swatch + 5;
        const QRectF rest(x, area.top(), std::max(0.0, area.right() - x), line);
        const double name = drawText(painter, rest, leftMiddle, font, theme.textMuted, keyName(part, names));
        x += name;
        if (withNumbers) {
            x += 6;
            x += drawText(painter, QRectF(x, area.top(), std::max(0.0, area.right() - x), line), leftMiddle,
                          font, theme.text, keyText(part, all, view));
        }
        x += gap;
    }
    return line;
}

void paintRowsHead(QPainter& painter, const QPointF& origin, const RowsLayout& layout,
                   const Composition& composition, const CompositionView& view, const Theme& theme) {
    painter.save();
    painter.translate(origin);
    const QFont font = smallFont();
    const double line = heightOf(font);
    double y =
        paintTokenKey(painter, QRectF(0, 0, layout.width, line), composition.all, view, theme) + spacing;
    for (const RowsLayout::Column& column : layout.columns) {
        const QRectF upper(column.right - 120, y, 120, line);
        drawText(painter, upper, rightMiddle, font, theme.textMuted, column.upper);
        const bool sorted = view.order == orderOf(column);
        drawText(painter, upper.translated(0, line), rightMiddle, font, sorted ? theme.text : theme.textMuted,
                 (sorted ? arrowOf(view.reversed) : QString()) + column.lower);
    }
    const QString what = !view.shares      ? QStringLiteral("Tokens")
                         : view.perRequest ? QStringLiteral("Mean of the requests' shares")
                                           : QStringLiteral("Share of tokens");
    drawText(painter, QRectF(layout.barLeft, y, layout.barRight - layout.barLeft, line), leftMiddle, font,
             theme.textMuted, what);
    y += line;
    for (const AxisTick& tick : ticksOf(layout, view)) {
        const double x = layout.xOf(tick.at);
        const double half = 40;
        const bool first = tick.at == 0;
        const bool last = x > layout.barRight - 1;
        const double left = first ? x : last ? x - 2 * half : x - half;
        drawText(painter, QRectF(left, y, 2 * half, line),
                 (first  ? Qt::AlignLeft
                  : last ? Qt::AlignRight
                         : Qt::AlignHCenter) |
                     Qt::AlignVCenter,
                 font, theme.textMuted, tick.label);
    }
    drawText(painter, QRectF(0, y, layout.labelRight, line), leftMiddle, font, theme.textMuted,
             (view.order == CompositionOrder::Name ? arrowOf(!view.reversed) : QString()) +
                 groupText(composition.group, composition.rows.size()));
    y += line + spacing / 2.0;
    CompositionRow all = composition.all;
    all.label = "Everything";
    if (view.shares) {
        paintRow(painter, QPointF(0, y), layout, all, view, theme, true);
    } else {
        CompositionView shares = view;
        shares.shares = true;
        paintRow(painter, QPointF(0, y), withoutBars(layout), all, shares, theme, true);
    }
    y += layout.allHeight + spacing / 4.0;
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(0, y), QPointF(layout.width, y));
    painter.restore();
}

void paintRow(QPainter& painter, const QPointF& origin, const RowsLayout& layout, const CompositionRow& row,
              const CompositionView& view, const Theme& theme, bool bold) {
    painter.save();
    painter.translate(origin);
    const QFont font = smallFont(bold);
    const double height = bold ? layout.allHeight : layout.rowHeight;
    const QString name = lineText(QString::fromStdString(row.label));
    drawText(painter, QRectF(0, 0, layout.labelRight, height), leftMiddle, font, theme.text,
             layout.models && !bold ? elidedModel(QFontMetricsF(font), name, layout.labelRight) : name);
    if (layout.barRight > layout.barLeft) {
        painter.setPen(QPen(theme.grid, 1));
        for (const AxisTick& tick : ticksOf(layout, view)) {
            const double x = layout.xOf(tick.at);
            painter.drawLine(QPointF(x, 0), QPointF(x, height));
        }
        const double thickness = std::round(height * (bold ? 0.62 : 0.58));
        for (const StackedPart& part : partsOf(row, view)) {
            const double left = layout.xOf(part.from);
            paintPart(painter, QRectF(left, (height - thickness) / 2, layout.xOf(part.to) - left, thickness),
                      part, theme);
        }
    }
    for (const RowsLayout::Column& column : layout.columns) {
        drawText(painter, QRectF(column.right - 120, 0, 120, height), rightMiddle, font, theme.text,
                 columnText(row, column.value));
    }
    painter.restore();
}

} // namespace loadline::ui
