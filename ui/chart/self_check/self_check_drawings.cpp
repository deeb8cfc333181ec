// The self-check: one latency of every request, predicted over recorded, and errors beside the peer's.
#include "ui/chart/self_check/self_check_drawings.h"

#include "core/replay/latency_plot.h"
#include "ui/plot/report_drawing.h"

#include <array>
#include <utility>

namespace loadline::ui {

QString titleOf(SelfCheckChart chart) {
    static constexpr std::array titles = {"Time to first token", "Time per output token", "End to end",
                                          "Errors, ours and LLMServingSim's"};
    return QString::fromUtf8(titles.at(static_cast<std::size_t>(chart)));
}

std::unique_ptr<PlotDrawing> drawingOf(SelfCheckChart chart, std::shared_ptr<const ReplayFigure> figure) {
    ask::Report report;
    if (chart == SelfCheckChart::Errors) {
        addErrorsPlot(report, *figure);
    } else {
        addLatencyPlot(report, *figure, latencyKinds.at(static_cast<std::size_t>(chart)));
    }
    report.keeps.push_back(std::move(figure));
    return drawingOf(std::move(report));
}

} // namespace loadline::ui
