// The drawings of the self-check: requests as dots, predicted over recorded, and errors beside the peer's.
#pragma once

#include "core/replay/replay_figure.h"
#include "ui/chart/plot_drawing.h"

#include <array>
#include <memory>

namespace loadline::ui {

enum class SelfCheckChart {
    Ttft,
    Tpot,
    E2e,
    Errors, ///< mean and quantiles of all three, ours and the peer's
};
inline constexpr std::array selfCheckCharts = {SelfCheckChart::Ttft, SelfCheckChart::Tpot,
                                               SelfCheckChart::E2e, SelfCheckChart::Errors};
/// "TTFT by request"
QString titleOf(SelfCheckChart chart);

/// Precondition: the figure is not null.
std::unique_ptr<PlotDrawing> drawingOf(SelfCheckChart chart, std::shared_ptr<const ReplayFigure> figure);

} // namespace loadline::ui
