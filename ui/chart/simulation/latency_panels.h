// Panels of the chart of latencies over users, their axes and curves.
#pragma once

#include "ui/chart/simulation/simulation_paint.h"
#include "ui/chart/xy_axes.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::ui {

enum class LatencyInk {
    Median, ///< solid, with its band and a mark at each point; means and rates too
    Tail,   ///< p99: dashed
};

/// A figure of one of the two formats over users.
struct LatencyCurve {
    std::string_view name; ///< "p50", "p99", "mean"
    bool other = false;    ///< of the format that is compared with
    LatencyInk ink = LatencyInk::Median;
    PointValue value; ///< in seconds, or tokens a second; NaN where a point has none
};

struct LatencyPanel {
    XyAxis axis; ///< its y axis: logarithmic for latencies that span more than a decade
    std::vector<LatencyCurve> curves;
};

/// Throughput, TTFT, TPOT and mean end-to-end time, in this order, each
/// with the curves of the other format where formats are compared. Axes hold every curve and the pinned ones,
/// and reach at least as far as `held`.
std::vector<LatencyPanel> latencyPanelsOf(std::span<const SweepPoint> points,
                                          std::span<const SweepPoint> pinned, const PlotExtents& held = {});
/// How far the axes of these panels reach: of each the most, and the least as 1 / least.
PlotExtents latencyExtentsOf(std::span<const SweepPoint> points, std::span<const SweepPoint> pinned,
                             const PlotExtents& held = {});
inline constexpr std::size_t latencyPanelCount = 4;

/// "k = 4: 26.3 tokens/s; TTFT p50 48.8 s, p99 99.4 s" and the line that follows.
QStringList latencyWords(const QString& format, const ServedFigures& figures);

/// Bars for a trace, which has neither users nor a rate.
std::unique_ptr<PlotDrawing> replayDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned);
/// Solid now, dashed p99, the other format in its own colour.
std::unique_ptr<PlotDrawing> latencyDrawing(FigureShown figure, PlotExtents held, PinnedFigure pinned,
                                            const SetByHand& hand);

} // namespace loadline::ui
