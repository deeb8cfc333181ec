// The numbers of a run, and their spread over runs.
#include "app/cli/simulate/run_scalars.h"

#include <array>

namespace loadline::app {
namespace {

constexpr std::array scalars = {
    RunScalar{"iterations",
              [](const SimulationResult& run) { return static_cast<double>(run.rows.iterations()); },
              ScalarSort::Whole},
    RunScalar{"avg_m", [](const SimulationResult& run) { return run.averageM(); }, ScalarSort::Ratio},
    RunScalar{"avg_head_rows", [](const SimulationResult& run) { return run.rows.averageHeadRows(); },
              ScalarSort::Ratio},
    RunScalar{"decode_only_fraction", [](const SimulationResult& run) { return run.decodeOnlyFraction(); },
              ScalarSort::Ratio},
    RunScalar{"time_vs_fp16", [](const SimulationResult& run) { return run.timeVsFp16(); },
              ScalarSort::Ratio},
    RunScalar{"gemm_time_vs_fp16", [](const SimulationResult& run) { return run.gemm.ratio(); },
              ScalarSort::Ratio},
    RunScalar{"gemm_time_us", [](const SimulationResult& run) { return run.gemm.us; }, ScalarSort::Amount},
    RunScalar{"gemm_time_fp16_us", [](const SimulationResult& run) { return run.gemm.fp16Us; },
              ScalarSort::Amount},
    RunScalar{"step_time_us", [](const SimulationResult& run) { return run.wholeUs; }, ScalarSort::Amount},
    RunScalar{"step_time_fp16_us", [](const SimulationResult& run) { return run.wholeFp16Us; },
              ScalarSort::Amount},
    RunScalar{"simulated_s", [](const SimulationResult& run) { return run.simulatedS; }, ScalarSort::Amount},
    RunScalar{"turns", [](const SimulationResult& run) { return static_cast<double>(run.turns); },
              ScalarSort::Amount},
    RunScalar{"refused_turns",
              [](const SimulationResult& run) { return static_cast<double>(run.refusedTurns); },
              ScalarSort::Amount},
    RunScalar{"waiting_turns",
              [](const SimulationResult& run) { return static_cast<double>(run.waitingTurns); },
              ScalarSort::Amount},
    RunScalar{"tokens_in", [](const SimulationResult& run) { return static_cast<double>(run.tokensIn); },
              ScalarSort::Whole},
    RunScalar{"tokens_out", [](const SimulationResult& run) { return static_cast<double>(run.tokensOut); },
              ScalarSort::Whole},
    RunScalar{"cached_tokens",
              [](const SimulationResult& run) { return static_cast<double>(run.cachedTokens); },
              ScalarSort::Whole},
    RunScalar{"throughput_tokens_per_s",
              [](const SimulationResult& run) { return run.throughputTokensPerS(); }, ScalarSort::Ratio},
    RunScalar{"turns_per_s", [](const SimulationResult& run) { return run.turnsPerS(); }, ScalarSort::Ratio},
    RunScalar{"preemptions", [](const SimulationResult& run) { return static_cast<double>(run.preemptions); },
              ScalarSort::Amount},
};

} // namespace

std::span<const RunScalar> runScalars() {
    return scalars;
}

Spread spreadOver(const std::vector<SimulationResult>& runs, const RunScalar& scalar) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const SimulationResult& run : runs) {
        values.push_back(scalar.of(run));
    }
    return spreadOf(values);
}

} // namespace loadline::app
