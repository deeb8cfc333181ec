// What the self-check's drawings are made of.
#pragma once

#include "ui/chart/self_check/self_check_drawings.h"

namespace loadline::ui {

std::unique_ptr<PlotDrawing> scatterDrawing(LatencyKind kind, std::shared_ptr<const ReplayFigure> figure);
std::unique_ptr<PlotDrawing> errorsDrawing(std::shared_ptr<const ReplayFigure> figure);

/// "65.5 s", "32.4 ms"
QString latencyText(double seconds);
/// "+1.3 %"
QString errorText(double error);

} // namespace loadline::ui
