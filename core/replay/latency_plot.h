// One latency of every request of a recorded run: predicted over recorded.
#pragma once

#include "core/ask/report.h"
#include "core/replay/replay_figure.h"

namespace loadline {

/// Adds the plot "self-check-ttft" (or of that kind) and its tables "requests" and "dots". The figure
/// outlives the report.
void addLatencyPlot(ask::Report& report, const ReplayFigure& figure, LatencyKind kind);

} // namespace loadline
