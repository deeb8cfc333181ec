// The time axis of a log.
#include "ui/chart/serverlog/log_axis.h"

#include "core/serverlog/log_clock.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double tickDistance = 84; ///< pixels, at least
constexpr double dayS = 86'400, minuteS = 60;
constexpr double leastInView = 1e-3; ///< seconds, or of a line
constexpr std::array roundSteps = {0.001,  0.002,  0.005,  0.01,    0.02,   0.05,  0.1,   0.2,
                                   0.5,    1.0,    2.0,    5.0,     10.0,   15.0,  30.0,  60.0,
                                   120.0,  300.0,  600.0,  900.0,   1800.,  3600., 7200., 10800.,
                                   21600., 43200., 86400., 172800., 604800.};

bool tellsDates(const LogScene& scene) {
    return scene.log().clock == LogClock::Date && isKnown(scene.log().begin);
}

double stepOf(const LogScene& scene, double least) {
    if (scene.countsLines()) {
        return std::max(1.0, niceAbove(least, {1, 2, 5}));
    }
    const auto step = std::ranges::lower_bound(roundSteps, least);
    return step == roundSteps.end() ? niceAbove(least, {1, 2, 5}) : *step;
}

/// "2026-01-20T04:11:56.547Z" on the clock that is shown.
QString clockText(const LogScene& scene, double place) {
    return QString::fromStdString(formatIso8601(shownLogTime(scene.log(), place)));
}

/// Returns the clock's distance from its midnight, so that ticks are round there.
double clockOffset(const LogScene& scene) {
    const auto ms = tellsDates(scene) ? shownLogTime(scene.log(), 0).ms : 0;
    return std::fmod(static_cast<double>(ms) * 1e-3, 7 * dayS);
}

QString tickWords(const LogScene& scene, double place, double step) {
    if (scene.countsLines()) {
        return exactText(std::llround(place));
    }
    if (tellsDates(scene)) {
        const QString clock = clockText(scene, place);
        return step >= dayS      ? clock.mid(5, 5)
               : step >= minuteS ? clock.mid(11, 5)
               : step >= 1       ? clock.mid(11, 8)
                                 : clock.mid(14, 9);
    }
    const QString words = place == 0 ? QStringLiteral("0") : durationText(std::llround(place * 1e3));
    for (const QString& none : {QStringLiteral(" 00 s"), QStringLiteral(" 00 min")}) {
        if (words.endsWith(none)) {
            return words.chopped(none.size());
        }
    }
    return words;
}

} // namespace

LogAxis axisOf(const LogScene& scene, const PlotChange::Stretch& stretch, double left, double width) {
    LogAxis axis{0, scene.length(), left, std::max(width, 1.0)};
    if (stretch.end > stretch.begin) {
        axis.begin = std::clamp(stretch.begin, 0.0, scene.length() * (1 - 1e-9));
        axis.end = std::clamp(stretch.end, axis.begin + leastInView,
                              std::max(scene.length(), axis.begin + leastInView));
    }
    return axis;
}

PlotChange::Stretch stretchOf(const LogScene& scene, double begin, double end) {
    const double span = std::max(end - begin, leastInView);
    if (span >= scene.length()) {
        return {};
    }
    begin = std::clamp(begin, 0.0, scene.length() - span);
    return {begin, begin + span};
}

PlotChange::Stretch wholeOf(const LogScene& scene) {
    return {0, scene.length()};
}

PlotChange::Stretch zoomed(const LogScene& scene, const PlotChange::Stretch& stretch, double factor) {
    const LogAxis axis = axisOf(scene, stretch, 0, 1);
    const double middle = (axis.begin + axis.end) / 2;
    const double half = (axis.end - axis.begin) / factor / 2;
    return stretchOf(scene, middle - half, middle + half);
}

std::optional<double> placeOf(const LogScene& scene, const LogLine& line) {
    const int mark = scene.markAt(line);
    return mark < 0 ? std::nullopt : std::optional(scene.marks()[static_cast<std::size_t>(mark)].place);
}

PlotChange::Stretch revealing(const LogScene& scene, const PlotChange::Stretch& stretch,
                              const LogLine& line) {
    const std::optional<double> place = placeOf(scene, line);
    const LogAxis axis = axisOf(scene, stretch, 0, 1);
    if (!place || (*place >= axis.begin && *place <= axis.end)) {
        return stretch;
    }
    const double half = (axis.end - axis.begin) / 2;
    return stretchOf(scene, *place - half, *place + half);
}

std::vector<LogTick> ticksOf(const LogScene& scene, const LogAxis& axis) {
    const double step = stepOf(scene, tickDistance * axis.perPixel());
    const double offset = clockOffset(scene);
    std::vector<LogTick> ticks;
    for (double i = std::ceil((axis.begin + offset) / step - 1e-9); i * step - offset <= axis.end; ++i) {
        const double place = i * step - offset;
        ticks.push_back({place, tickWords(scene, place, step)});
    }
    return ticks;
}

QString momentText(const LogScene& scene, double place) {
    if (scene.countsLines()) {
        return QStringLiteral("line %1").arg(exactText(std::llround(place)));
    }
    const QString after = QStringLiteral("after %1").arg(durationText(std::llround(place * 1e3)));
    return tellsDates(scene) ? QStringLiteral("%1, %2").arg(clockText(scene, place).mid(11, 8), after)
                             : after;
}

QString axisTitle(const LogScene& scene) {
    return scene.countsLines() ? QStringLiteral("line: the log tells no times")
           : tellsDates(scene)
               ? QStringLiteral("time (%1)").arg(QString::fromStdString(logZoneWords(scene.log())))
               : QStringLiteral("time since the log began");
}

} // namespace loadline::ui
