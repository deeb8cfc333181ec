// How each served figure is read from a run.
#include "core/simulate/study/served_figure.h"

#include <cstddef>

namespace loadline {
namespace {

constexpr auto ran = [](const SimulationResult& run) { return run.simulatedS > 0; };
constexpr auto answered = [](const SimulationResult& run) { return run.ttftS.n > 0; };
constexpr auto decoded = [](const SimulationResult& run) { return run.tpotS.n > 0; };

/// In the order of ServedFigure.
constexpr std::array servedFigureSpecs = {
    ServedFigureSpec{"turns_per_s", false, false, [](const SimulationResult& run) { return run.turnsPerS(); },
                     ran},
    ServedFigureSpec{"throughput_tokens_per_s", false, false,
                     [](const SimulationResult& run) { return run.throughputTokensPerS(); }, ran},
    ServedFigureSpec{"ttft_s.p50", true, true, [](const SimulationResult& run) { return run.ttftS.p50; },
                     answered},
    ServedFigureSpec{"ttft_s.p99", true, true, [](const SimulationResult& run) { return run.ttftS.p99; },
                     answered},
    ServedFigureSpec{"tpot_s.p50", true, false, [](const SimulationResult& run) { return run.tpotS.p50; },
                     decoded},
    ServedFigureSpec{"tpot_s.p99", true, false, [](const SimulationResult& run) { return run.tpotS.p99; },
                     decoded},
    ServedFigureSpec{"e2e_s.mean", true, true, [](const SimulationResult& run) { return run.e2eS.mean; },
                     answered},
};
static_assert(servedFigureSpecs.size() == servedFigures.size());

} // namespace

const ServedFigureSpec& specOf(ServedFigure figure) {
    return servedFigureSpecs[static_cast<std::size_t>(figure)];
}

} // namespace loadline
