// Stacked columns over the calendar, and both hit rates below.
#include "ui/chart/composition/composition_days.h"

#include "core/base/zone.h"
#include "ui/chart/composition/composition_rows.h"
#include "ui/chart/distribution/distribution_geometry.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

double yOf(const QRectF& plot, double value, double maximum) {
    return plot.bottom() - value / maximum * plot.height();
}

QString dayText(const QDate& date, bool withYear) {
    const QLocale english(QLocale::English);
    return english.toString(date, withYear ? QStringLiteral("d MMM yyyy") : QStringLiteral("d MMM"));
}

void paintScale(QPainter& painter, const QRectF& plot, double maximum, double step, bool shares,
                const Theme& theme) {
    const QFont font = smallFont();
    const double line = heightOf(font);
    for (double at = 0; at <= maximum * (1 + 1e-9); at += step) {
        const double y = yOf(plot, at, maximum);
        painter.setPen(QPen(at == 0 ? theme.textMuted : theme.grid, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        drawText(painter, QRectF(plot.left() - 80, y - line / 2, 80 - 6, line), rightMiddle, font,
                 theme.textMuted,
                 shares ? QString::number(at * 100, 'g', 3) + QStringLiteral(" %") : countText(at));
    }
}

void paintDates(QPainter& painter, const DaysLayout& layout, const Theme& theme) {
    const QFont font = smallFont();
    const double line = heightOf(font);
    const double wide = widthOf(font, QStringLiteral("30 Sep 2026")) + 16;
    constexpr int steps[] = {1, 2, 7, 14, 28, 56, 91, 182, 364, 728};
    int step = 3640;
    for (const int days : steps) {
        if (days * layout.slotWidth >= wide) {
            step = days;
            break;
        }
    }
    int year = 0;
    const bool undated = layout.axis.count > 0 &&
                         std::ranges::count(layout.axis.slotOf, layout.axis.count - 1) &&
                         !layout.axis.first.isValid();
    for (int slot = 0; slot < layout.axis.count && !undated; slot += step) {
        const double x = layout.bars.left() + (slot + 0.5) * layout.slotWidth - layout.scroll;
        if (x < layout.bars.left() || x > layout.bars.right()) {
            continue;
        }
        const QDate date = layout.axis.first.addDays(slot);
        painter.setPen(QPen(theme.textMuted, 1));
        painter.drawLine(QPointF(x, layout.rates.bottom()), QPointF(x, layout.rates.bottom() + 4));
        QRectF text(x - wide / 2, layout.rates.bottom() + 4, wide, line);
        text.moveLeft(std::max(layout.bars.left() - 30, text.left()));
        text.moveRight(std::min(layout.bars.right(), text.right()));
        drawText(painter, text, Qt::AlignHCenter | Qt::AlignTop, font, theme.textMuted,
                 dayText(date, date.year() != year));
        year = date.year();
    }
}

void paintRates(QPainter& painter, const DaysLayout& layout, const Composition& composition,
                const Theme& theme) {
    const double radius = std::clamp(layout.slotWidth * 0.22, 1.5, 3.5);
    for (std::size_t i = 0; i < composition.rows.size(); ++i) {
        const CompositionRow& row = composition.rows[i];
        if (!row.totals.recordsCache()) {
            continue;
        }
        const double x = layout.columnOf(i).center().x();
        const QPointF tokens(x, yOf(layout.rates, row.hitRate, 1));
        const QPointF requests(x, yOf(layout.rates, row.hitRatePerRequest, 1));
        painter.setPen(QPen(theme.textMuted, 1));
        painter.drawLine(tokens, requests);
        painter.setPen(QPen(theme.cacheRead, 1.4));
        painter.setBrush(theme.cacheRead);
        painter.drawEllipse(tokens, radius, radius);
        painter.setBrush(Qt::NoBrush); // a ring that the dot below shows through
        painter.drawEllipse(requests, radius + 1.5, radius + 1.5);
    }
}

void paintRatesKey(QPainter& painter, const QRectF& line, const Theme& theme) {
    const QFont font = smallFont();
    double x = line.left();
    const auto text = [&](const QString& words) {
        x += drawText(painter, QRectF(x, line.top(), std::max(0.0, line.right() - x), line.height()),
                      leftMiddle, font, theme.textMuted, words);
    };
    const auto dot = [&](const QColor& fill) {
        painter.setPen(QPen(theme.cacheRead, 1.4));
        painter.setBrush(fill);
        painter.drawEllipse(QPointF(x + 5, line.center().y()), 3.5, 3.5);
        x += 13;
    };
    text(QStringLiteral("Hit rate   "));
    dot(theme.cacheRead);
    text(QStringLiteral("of tokens    "));
    dot(theme.plotGround);
    text(QStringLiteral("mean of requests"));
}

} // namespace

QRectF DaysLayout::columnOf(std::size_t row) const {
    const double left = bars.left() + axis.slotOf[row] * slotWidth - scroll;
    return {left, bars.top(), slotWidth, rates.bottom() - bars.top()};
}

DaysLayout layOutDays(const QRectF& area, const Composition& composition, const CompositionView& view,
                      double narrowestSlot, double scroll) {
    DaysLayout layout;
    layout.axis = dayAxisOf(composition);
    layout.maximum = view.shares ? 1 : 1.04 * largestRow(composition.rows);
    layout.scroll = scroll;
    const double line = heightOf(smallFont());
    const double left = area.left() + widthOf(smallFont(), QStringLiteral("99.9 M")) + spacing;
    const double top = area.top() + 2 * line + 1.5 * spacing;
    const double bottom = area.bottom() - line - 6;
    const double gap = 1.5 * line + 2 * spacing;
    const double rates = std::max(30.0, 0.22 * (bottom - top - gap));
    layout.bars = QRectF(QPointF(left, top), QPointF(area.right(), std::max(top + 20, bottom - gap - rates)));
    layout.rates = QRectF(QPointF(left, layout.bars.bottom() + gap), QSizeF(layout.bars.width(), rates));
    const double fitting = layout.bars.width() / std::max(layout.axis.count, 1);
    layout.slotWidth = std::clamp(fitting, narrowestSlot, 64.0);
    return layout;
}

void paintDays(QPainter& painter, const QRectF& area, const DaysLayout& layout,
               const Composition& composition, const CompositionView& view, const Theme& theme) {
    painter.save();
    const double line = heightOf(smallFont());
    paintTokenKey(painter, QRectF(area.left(), area.top(), area.width(), line), composition.all, view, theme);
    const QString what = !view.shares      ? QStringLiteral("Tokens per day")
                         : view.perRequest ? QStringLiteral("Mean of the requests' shares")
                                           : QStringLiteral("Share of the day's tokens");
    drawText(painter, QRectF(area.left(), area.top() + line + spacing / 2.0, area.width(), line), leftMiddle,
             smallFont(), theme.textMuted,
             what + QStringLiteral("  ·  days in ") + QString::fromStdString(zoneWords()));
    paintScale(painter, layout.bars, layout.maximum, view.shares ? 0.25 : niceStep(layout.maximum, 4),
               view.shares, theme);
    paintRatesKey(painter,
                  QRectF(area.left(), layout.rates.top() - 1.5 * line - spacing / 2.0, area.width(), line),
                  theme);
    paintScale(painter, layout.rates, 1, 0.5, true, theme);
    paintDates(painter, layout, theme);
    const bool scrolls = layout.contentWidth() > layout.bars.width() + 0.5;
    if (scrolls) {
        painter.setClipRect(QRectF(layout.bars.left(), area.top(), layout.bars.width(), area.height()));
    }
    const double gap = layout.slotWidth > 5 ? std::min(4.0, 0.15 * layout.slotWidth) : 0;
    for (std::size_t i = 0; i < composition.rows.size(); ++i) {
        const QRectF column = layout.columnOf(i).adjusted(gap / 2, 0, -gap / 2, 0);
        for (const StackedPart& part : partsOf(composition.rows[i], view)) {
            const double top = yOf(layout.bars, part.to, layout.maximum);
            paintPart(
                painter,
                QRectF(column.left(), top, column.width(), yOf(layout.bars, part.from, layout.maximum) - top),
                part, theme);
        }
    }
    paintRates(painter, layout, composition, theme);
    painter.restore();
}

} // namespace loadline::ui
