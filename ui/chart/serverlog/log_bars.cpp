// The requests of a log as bars, how many are served at once, and events as marks.
#include "core/text/number_format.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/serverlog/log_lanes.h"
#include "ui/chart/xy_axes.h"

#include <QLinearGradient>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double mostRowHeight = 14, leastBarWidth = 2.5, fadePixels = 26;

QColor phaseless(const Theme& theme) {
    return theme.cublas;
}

/// The part between two places, cut to the bar.
void fillPart(QPainter& painter, const QRectF& bar, const LogAxis& axis, double begin, double end,
              const QColor& color) {
    const double left = std::max(axis.x(begin), bar.left());
    const double right = std::min(axis.x(end), bar.right());
    if (right > left) {
        painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()), color);
    }
}

/// Fills the open end of a bar so that it fades out: nobody knows since when, or until when.
void fillFading(QPainter& painter, const QRectF& rect, const QColor& color, bool toTheRight) {
    QLinearGradient fade(rect.topLeft(), rect.topRight());
    fade.setColorAt(toTheRight ? 0 : 1, color);
    fade.setColorAt(toTheRight ? 1 : 0, faded(color, 0.08));
    painter.fillRect(rect, fade);
}

void paintBar(QPainter& painter, const LogBar& bar, const QRectF& rect, const LogAxis& axis,
              const Theme& theme) {
    const bool phases = isTold(bar.decode);
    if (bar.openEnd) {
        if (phases) {
            fillPart(painter, rect, axis, bar.begin, bar.decode, theme.newInput);
        }
        const double from = phases ? std::clamp(axis.x(bar.decode), rect.left(), rect.right()) : rect.left();
        fillFading(painter, QRectF(from, rect.top(), rect.right() - from, rect.height()),
                   phases ? theme.output : phaseless(theme), true);
    } else if (phases) {
        fillPart(painter, rect, axis, bar.begin, bar.prefill, faded(theme.textMuted, 0.4));
        fillPart(painter, rect, axis, bar.prefill, bar.decode, theme.newInput);
        fillPart(painter, rect, axis, bar.decode, std::max(bar.end, axis.at(rect.right())), theme.output);
    } else {
        painter.fillRect(rect, phaseless(theme));
    }
    if (bar.openBegin) {
        const double left = std::max(rect.left() - fadePixels, axis.left);
        fillFading(painter, QRectF(left, rect.top(), rect.left() - left, rect.height()),
                   phases ? theme.newInput : phaseless(theme), false);
    }
}

/// Those in view; of bars that share a pixel the first.
void paintRow(QPainter& painter, const std::vector<LogBar>& bars, const QRectF& row, const LogAxis& axis,
              const Theme& theme) {
    auto bar = std::ranges::lower_bound(bars, axis.begin, {}, &LogBar::end);
    while (bar != bars.end() && bar->begin <= axis.end) {
        const QRectF rect = rectOf(*bar, axis, row);
        paintBar(painter, *bar, rect, axis, theme);
        const double next = axis.at(std::floor(rect.right()));
        ++bar;
        if (bar != bars.end() && bar->end < next) {
            bar = std::lower_bound(bar, bars.end(), next,
                                   [](const LogBar& one, double place) { return one.end < place; });
        }
    }
}

QColor colourOf(LogEventKind kind, const Theme& theme) {
    switch (kind) {
    case LogEventKind::CacheHit:
        return theme.cacheRead;
    case LogEventKind::CacheMiss:
        return theme.cacheWrite;
    case LogEventKind::ServerStarted:
        return theme.good;
    case LogEventKind::ServerStopped:
    case LogEventKind::ReportedRate:
        return theme.textMuted;
    case LogEventKind::Failure:
    case LogEventKind::FullReprocess:
        return theme.error;
    default:
        return theme.warning;
    }
}

/// Kinds differ in shape, too.
void paintEvent(QPainter& painter, LogEventKind kind, const QPointF& at, const Theme& theme) {
    constexpr double r = 4;
    const QColor color = colourOf(kind, theme);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(color);
    switch (kind) {
    case LogEventKind::CacheHit:
        painter.drawEllipse(at, r - 1, r - 1);
        break;
    case LogEventKind::CacheMiss:
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, r - 1, r - 1);
        break;
    case LogEventKind::ServerStarted:
        painter.drawPolygon(QPolygonF{at + QPointF(-r, r), at + QPointF(r, r), at + QPointF(0, -r)});
        break;
    case LogEventKind::Preemption:
    case LogEventKind::Truncated:
        painter.drawPolygon(QPolygonF{at + QPointF(-r, -r), at + QPointF(r, -r), at + QPointF(0, r)});
        break;
    case LogEventKind::FullReprocess:
        painter.drawPolygon(
            QPolygonF{at + QPointF(-r, 0), at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r)});
        break;
    case LogEventKind::Failure:
        painter.drawLine(at + QPointF(-r, -r), at + QPointF(r, r));
        painter.drawLine(at + QPointF(-r, r), at + QPointF(r, -r));
        break;
    default:
        painter.drawRect(QRectF(at - QPointF(r - 1, r - 1), QSizeF(2 * r - 2, 2 * r - 2)));
        break;
    }
}

void paintTitle(QPainter& painter, const LogBox& box, const QString& title,
                const std::vector<LegendEntry>& entries, const Theme& theme) {
    if (!box.title.isEmpty()) {
        const double used = drawText(painter, box.title, leftMiddle, fontOf(0.82), theme.text, title);
        paintLegend(painter, box.title.adjusted(used + 2 * spacing, 0, 0, 0), entries, theme);
    }
}

} // namespace

QRectF rowOf(const LogBox& box, std::size_t row, std::size_t rows) {
    const double height = std::min(box.plot.height() / static_cast<double>(rows), mostRowHeight);
    const double gap = height > 4 ? 1.5 : 0;
    return {box.plot.left(), box.plot.top() + static_cast<double>(row) * height, box.plot.width(),
            std::max(height - gap, 1.0)};
}

QRectF rectOf(const LogBar& bar, const LogAxis& axis, const QRectF& row) {
    const double left = std::clamp(axis.x(bar.begin), axis.left, axis.right() - leastBarWidth);
    const double right =
        std::clamp(axis.x(bar.end), left + leastBarWidth, std::max(axis.right(), left + leastBarWidth));
    return {left, row.top(), right - left, row.height()};
}

void paintBars(QPainter& painter, const LogScene& scene, const LogBox& box, const LogAxis& axis,
               const Theme& theme) {
    double painted = -1;
    for (std::size_t i = 0; i < scene.bars().size(); ++i) {
        const QRectF row = rowOf(box, i, scene.bars().size());
        if (std::floor(row.top()) > painted) { // else more rows than pixels
            paintRow(painter, scene.bars()[i], row, axis, theme);
            painted = row.height() <= 1 ? std::floor(row.top()) : -1;
        }
    }
    const auto any = [&](bool known) {
        return std::ranges::any_of(scene.bars(), [known](const std::vector<LogBar>& row) {
            return std::ranges::any_of(row,
                                       [known](const LogBar& bar) { return isTold(bar.decode) == known; });
        });
    };
    std::vector<LegendEntry> entries;
    if (any(true)) {
        entries = {{theme.newInput, false, Qt::NoPen, QStringLiteral("prompt")},
                   {theme.output, false, Qt::NoPen, QStringLiteral("output")}};
    }
    if (any(false)) {
        entries.push_back({phaseless(theme), false, Qt::NoPen, QStringLiteral("phases not told")});
    }
    paintTitle(painter, box, QStringLiteral("requests, one by one"), entries, theme);
}

/// Filled: certainly. Hatched: perhaps, as ends are not told.
void paintConcurrency(QPainter& painter, const LogScene& scene, const LogBox& box, const LogAxis& axis,
                      const Theme& theme) {
    QPolygonF least, most;
    painter.setRenderHint(QPainter::Antialiasing, false); // whole pixels, and many
    for (double x = axis.left; x < axis.right(); ++x) {
        const Extreme low = scene.atLeast().in(axis.at(x), axis.at(x + 1));
        const Extreme high = scene.atMost().in(axis.at(x), axis.at(x + 1));
        least << QPointF(x, box.y(low.any() ? low.most : 0));
        most << QPointF(x, box.y(high.any() ? high.most : 0));
        if (least.back().y() - most.back().y() > 0.5) {
            painter.fillRect(QRectF(x, most.back().y(), 1, least.back().y() - most.back().y()),
                             faded(theme.model, 0.18));
        }
        painter.fillRect(QRectF(x, least.back().y(), 1, box.plot.bottom() - least.back().y()),
                         faded(theme.model, 0.5));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.model, 1, Qt::DotLine));
    painter.drawPolyline(most);
    painter.setPen(theme.model);
    painter.drawPolyline(least);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTitle(painter, box, QStringLiteral("requests at once"),
               {{theme.model, false, Qt::SolidLine, QStringLiteral("at least")},
                {theme.model, false, Qt::DotLine, QStringLiteral("at most")}},
               theme);
}

/// Paints the first of the events of a kind that share a pixel.
void paintEvents(QPainter& painter, const LogScene& scene, const LogBox& box, const LogAxis& axis,
                 const Theme& theme) {
    constexpr std::size_t kinds = static_cast<std::size_t>(LogEventKind::ReportedRate) + 1;
    std::array<double, kinds> last{};
    last.fill(-1);
    const auto placeOf = [&](std::uint32_t mark) { return scene.marks()[mark].place; };
    const auto& events = scene.events();
    for (auto i = std::ranges::lower_bound(events, axis.begin, {}, placeOf);
         i != events.end() && placeOf(*i) <= axis.end; ++i) {
        const LogEventKind kind = scene.log().events[scene.marks()[*i].index].kind;
        const double x = std::floor(axis.x(placeOf(*i)));
        if (double& before = last.at(static_cast<std::size_t>(kind)); x > before + 1) {
            paintEvent(painter, kind, QPointF(x + 0.5, box.plot.center().y()), theme);
            before = x;
        }
    }
}

} // namespace loadline::ui
