// The drawings of the Server log page: what a log tells over time, and rates of decoding against the ceiling.
#pragma once

#include "core/serverlog/verdict/log_figure.h"
#include "ui/chart/plot_drawing.h"

#include <array>
#include <memory>
#include <optional>

namespace loadline::ui {

enum class LogChart {
    Time, ///< throughput, queue, cache and requests as lanes over one axis
    Rate, ///< tokens/s of a stream by context, with the ceiling and what to expect below it
};
inline constexpr std::array logCharts = {LogChart::Time, LogChart::Rate};
QString titleOf(LogChart chart);

/// A log and its concurrency with what its time line looks up: made once, on any thread, and drawn often.
class LogScene;
std::shared_ptr<const LogScene> sceneOf(std::shared_ptr<const LogFigure> figure);
/// The figure that it was made of; of another verdict on the same log the scene is the same.
const LogFigure& figureOf(const LogScene& scene);

/// The stretch in view, and the chosen line.
struct LogView {
    PlotChange::Stretch stretch; ///< of the time axis: seconds since the log's begin, or lines without times
    LogLine chosen;
    bool operator==(const LogView&) const = default;
};

std::unique_ptr<PlotDrawing> logTimeDrawing(std::shared_ptr<const LogScene> scene, const LogView& view);
std::unique_ptr<PlotDrawing> logRateDrawing(std::shared_ptr<const LogFigure> figure, const LogLine& chosen);
/// Returns the line of an item of one of these drawings; line 0: there is none.
LogLine lineOf(const PlotDrawing& drawing, int item);

/// All of the time axis that there is to see.
PlotChange::Stretch wholeOf(const LogScene& scene);
/// Zoomed by `factor` (above 1: in) around the middle, held within the whole; all of it is end < begin.
PlotChange::Stretch zoomed(const LogScene& scene, const PlotChange::Stretch& stretch, double factor);
/// Moved, not zoomed, so that the line is in view; the same where it is, or where it has no place.
PlotChange::Stretch revealing(const LogScene& scene, const PlotChange::Stretch& stretch, const LogLine& line);
/// Returns the place of a line on the time axis: that of the nearest thing told at it or before it.
std::optional<double> placeOf(const LogScene& scene, const LogLine& line);

} // namespace loadline::ui
