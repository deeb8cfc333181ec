// The latencies of a recorded run: predicted over recorded, and errors.
#pragma once

#include "core/ask/report.h"
#include "core/replay/replay_figure.h"

namespace loadline {

/// Adds the plot "self-check-ttft" (or of that kind) and its tables "requests" and "dots". The figure
/// outlives the report.
void addLatencyPlot(ask::Report& report, const ReplayFigure& figure, LatencyKind kind);
/// Adds the plot "self-check-errors", ours and the peer's, and its tables "quantiles" and "errors". The
/// figure outlives the report.
void addErrorsPlot(ask::Report& report, const ReplayFigure& figure);

} // namespace loadline
