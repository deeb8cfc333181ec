// The time axis of a log: what is in view, ticks, and moments in words.
#pragma once

#include "ui/chart/serverlog/log_scene.h"

#include <QString>

#include <vector>

namespace loadline::ui {

/// The part of a log in view, between two pixels.
struct LogAxis {
    double begin = 0, end = 1; ///< places, end above begin
    double left = 0, width = 1;

    [[nodiscard]] double right() const { return left + width; }

    [[nodiscard]] double x(double place) const { return left + (place - begin) / (end - begin) * width; }

    [[nodiscard]] double at(double x) const { return begin + (x - left) / width * (end - begin); }

    [[nodiscard]] double perPixel() const { return (end - begin) / width; }
};

LogAxis axisOf(const LogScene& scene, const PlotChange::Stretch& stretch, double left, double width);
/// Returns the stretch that an axis shows, the whole if it shows all; held within the log.
PlotChange::Stretch stretchOf(const LogScene& scene, double begin, double end);

struct LogTick {
    double place = 0;
    QString text;
};

std::vector<LogTick> ticksOf(const LogScene& scene, const LogAxis& axis);
/// "10:13:21, after 10 s", "after 5 min 21 s", "line 12"
QString momentText(const LogScene& scene, double place);
/// "time (UTC)", "time since the log began", "line of the log"
QString axisTitle(const LogScene& scene);

} // namespace loadline::ui
