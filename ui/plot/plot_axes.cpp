// Axes of plots on top of XyAxes: forms, times of day, categories, a right axis.
#include "ui/plot/plot_axes.h"

#include "core/base/zone.h"
#include "ui/chart/paint_help.h"
#include "ui/plot/plot_legend.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double secondMs = 1000, minuteMs = 60 * secondMs, hourMs = 60 * minuteMs, dayMs = 24 * hourMs;
constexpr double columnRoom = 90; ///< pixels of a time of day or a name
constexpr double beyond = 100;    ///< how many plots away a point may lie

double shareOf(const SceneAxis& axis, double value) {
    double share = (value - axis.low) / (axis.high - axis.low);
    if (axis.isLog()) {
        share = value > 0 ? std::log(value / axis.low) / std::log(axis.high / axis.low) : 0;
    }
    return std::clamp(share, -beyond, beyond);
}

/// "14:02", "14:02:11", "01-20": the clock shown, as fine as the step asks for.
QString clockText(double ms, double step) {
    const QString text =
        QString::fromStdString(formatIso8601(asShown(TimeMs{static_cast<std::int64_t>(ms)})));
    return step >= dayMs      ? text.mid(5, 5)
           : step >= minuteMs ? text.mid(11, 5)
           : step >= secondMs ? text.mid(11, 8)
                              : text.mid(11, 12);
}

void addClockTicks(XyAxis& axis, double room) {
    static constexpr std::array steps = {
        1.0,           10.0,          100.0,      secondMs,     2 * secondMs, 5 * secondMs,
        10 * secondMs, 30 * secondMs, minuteMs,   2 * minuteMs, 5 * minuteMs, 10 * minuteMs,
        30 * minuteMs, hourMs,        2 * hourMs, 6 * hourMs,   12 * hourMs,  dayMs,
        2 * dayMs,     7 * dayMs,     30 * dayMs, 90 * dayMs,   365 * dayMs,  3650 * dayMs};
    const double most = std::max(2.0, room / columnRoom);
    const auto found =
        std::ranges::find_if(steps, [&](double step) { return (axis.high - axis.low) / step <= most; });
    const double step = found == steps.end() ? (axis.high - axis.low) / most : *found;
    for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i) {
        axis.ticks.push_back(i * step);
    }
    axis.text = [step](double ms) { return clockText(ms, step); };
}

void addNames(XyAxis& axis, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        axis.ticks.push_back(static_cast<double>(i));
    }
    axis.text = [&names](double at) {
        const auto i = static_cast<std::size_t>(std::max(at, 0.0));
        return i < names.size() ? QString::fromStdString(names[i]) : QString();
    };
}

/// Returns the part of the titles' line that the titles leave free.
QRectF freeHead(const QRectF& area, const QString& y, const QString& right) {
    const QFont font = fontOf(0.82);
    const double from = area.left() + (y.isEmpty() ? 0 : widthOf(font, y) + 2 * spacing);
    const double to = area.right() - (right.isEmpty() ? 0 : widthOf(font, right) + 2 * spacing);
    return {from, area.top(), std::max(0.0, to - from), 2.0 * spacing};
}

/// Without the lines that a legend takes which has no room beside the titles: all of them, or so many that
/// the plot keeps most of the height.
QRectF belowLegend(const PlotScene& scene, const QRectF& area) {
    constexpr double most = 0.4;  // of the height: with more, the plot would be smaller than its legend
    constexpr double some = 0.25; // instead: the first entries, and the number of the others
    const std::vector<LegendEntry> entries = legendOf(scene, Theme::light());
    const QString right = scene.right ? xyAxisOf(*scene.right, area.height()).title : QString();
    const QRectF free = freeHead(area, xyAxisOf(scene.y, area.height()).title, right);
    double height = legendHeight(entries, area.width());
    if (height > most * area.height()) {
        height = std::floor(some * area.height() / legendLine) * legendLine;
    }
    return legendWidth(entries) <= free.width() ? area : area.adjusted(0, height, 0, 0);
}

/// Seconds and microseconds: on a linear axis in one unit, which the title names.
void takeUnit(XyAxis& axis, double perS) {
    const TimeUnit unit = timeUnitOf(axis.high * perS);
    axis.title += QStringLiteral(", ") + unit.name;
    axis.factor = unit.perS * perS;
}

} // namespace

XyAxis xyAxisOf(const SceneAxis& axis, double room) {
    constexpr double perMicro = 1e-6;
    XyAxis xy{.title = QString::fromStdString(axis.axis->title),
              .low = axis.low,
              .high = axis.high,
              .log = axis.isLog(),
              .shares = axis.axis->form == ask::Form::Share};
    xy.lastTick = axis.axis->lastTick.value_or(xy.lastTick);
    if (axis.hasNames()) {
        addNames(xy, axis.names);
    } else if (axis.axis->scale == ask::Scale::Time) {
        addClockTicks(xy, room);
    } else if (axis.axis->form == ask::Form::Seconds || axis.axis->form == ask::Form::Micros) {
        const double perS = axis.axis->form == ask::Form::Seconds ? 1 : perMicro;
        if (axis.isLog() && perS == 1) {
            xy.times = true;
        } else {
            takeUnit(xy, perS);
        }
    } else if (axis.axis->form == ask::Form::Bytes) {
        xy.text = [](double bytes) { return bytesText(static_cast<std::uint64_t>(std::max(bytes, 0.0))); };
    } else if (axis.axis->form == ask::Form::Usd) {
        xy.text = [](double usd) { return QString::fromStdString(formatUsd(usd)); };
    }
    return xy;
}

PlotAxes::PlotAxes(const PlotScene& scene, const QRectF& area, double left, bool isPanel)
    : scene_(&scene), whole_(area), area_(isPanel ? area : belowLegend(scene, area)), isPanel_(isPanel),
      right_(scene.right ? std::optional(xyAxisOf(*scene.right, area.height())) : std::nullopt),
      rightRoom_(right_ ? XyAxes::roomFor(*right_) + spacing : 0), x_(xyAxisOf(scene.x, area.width())),
      y_(xyAxisOf(scene.y, area.height())), axes_(x_, y_, area_.adjusted(0, 0, -rightRoom_, 0), left) {}

double PlotAxes::roomOf(const PlotScene& scene, const QRectF& area) {
    return XyAxes::roomFor(xyAxisOf(scene.y, area.height()));
}

double PlotAxes::x(double value) const {
    return plot().left() + shareOf(scene_->x, value) * plot().width();
}

double PlotAxes::up(const SceneAxis& axis, double value) const {
    return plot().bottom() - shareOf(axis, value) * plot().height();
}

double PlotAxes::y(double value, bool onRight) const {
    return up(onRight && scene_->right ? *scene_->right : scene_->y, value);
}

void PlotAxes::paint(QPainter& painter, const Theme& theme) const {
    axes_.paint(painter, theme);
    if (!right_) {
        return;
    }
    const QFont font = fontOf(0.82);
    const double line = heightOf(font);
    const int most = std::clamp(static_cast<int>(plot().height() / (1.8 * line)), 2, 6);
    for (const double tick : ticksOf(*right_, most)) {
        drawText(painter, QRectF(plot().right() + 4, y(tick, true) - line / 2, rightRoom_ + spacing, line),
                 leftMiddle, font, theme.textMuted, tickText(*right_, tick));
    }
    drawText(painter, QRectF(area_.left(), area_.top(), area_.width(), line), Qt::AlignRight | Qt::AlignTop,
             font, theme.textMuted, right_->title);
}

QRectF PlotAxes::headRoom() const {
    return freeHead(area_, y_.title, right_ ? right_->title : QString());
}

QRectF PlotAxes::legendRoom() const {
    return isPanel_                      ? QRectF()
           : area_.top() == whole_.top() ? headRoom()
                                         : QRectF(whole_.topLeft(), QPointF(whole_.right(), area_.top()));
}

} // namespace loadline::ui
