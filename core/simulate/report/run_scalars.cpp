// Reads the numbers of a run.
#include "core/simulate/report/run_scalars.h"

#include <array>

namespace loadline {
namespace {

double realOf(auto number) {
    return static_cast<double>(number);
}

constexpr auto asRatio = ScalarSort::Ratio;
constexpr auto asAmount = ScalarSort::Amount;
constexpr auto asWhole = ScalarSort::Whole;
constexpr auto asPlain = ask::Form::Plain;
constexpr auto asCount = ask::Form::Tokens;

constexpr std::array allScalars = {
    RunScalar{"iterations", asWhole,
              [](const SimulationResult& run) { return realOf(run.rows.iterations()); }, "Steps"},
    RunScalar{"avg_m", asRatio, [](const SimulationResult& run) { return run.averageM(); },
              "M, rows of a step", asPlain},
    RunScalar{"avg_head_rows", asRatio,
              [](const SimulationResult& run) { return run.rows.averageHeadRows(); },
              "Of them through the head", asPlain, false},
    RunScalar{"decode_only_fraction", asRatio,
              [](const SimulationResult& run) { return run.decodeOnlyFraction(); }, "Steps that only decode",
              ask::Form::Share},
    RunScalar{"time_vs_fp16", asRatio, [](const SimulationResult& run) { return run.timeVsFp16(); },
              "Time on the same batches vs fp16", asPlain},
    RunScalar{"gemm_time_vs_fp16", asRatio, [](const SimulationResult& run) { return run.gemm.ratio(); },
              "GEMM time vs fp16", asPlain},
    RunScalar{"gemm_time_us", asAmount, [](const SimulationResult& run) { return run.gemm.us; }},
    RunScalar{"gemm_time_fp16_us", asAmount, [](const SimulationResult& run) { return run.gemm.fp16Us; }},
    RunScalar{"step_time_us", asAmount, [](const SimulationResult& run) { return run.wholeUs; }},
    RunScalar{"step_time_fp16_us", asAmount, [](const SimulationResult& run) { return run.wholeFp16Us; }},
    RunScalar{"simulated_s", asAmount, [](const SimulationResult& run) { return run.simulatedS; }},
    RunScalar{"turns", asAmount, [](const SimulationResult& run) { return realOf(run.turns); },
              "Turns answered"},
    RunScalar{"refused_turns", asAmount, [](const SimulationResult& run) { return realOf(run.refusedTurns); },
              "Turns refused", asCount, false},
    RunScalar{"waiting_turns", asAmount,
              [](const SimulationResult& run) { return realOf(run.waitingTurns); }},
    RunScalar{"tokens_in", asWhole, [](const SimulationResult& run) { return realOf(run.tokensIn); },
              "Prompt tokens computed"},
    RunScalar{"tokens_out", asWhole, [](const SimulationResult& run) { return realOf(run.tokensOut); },
              "Output tokens"},
    RunScalar{"cached_tokens", asWhole, [](const SimulationResult& run) { return realOf(run.cachedTokens); },
              "Prompt tokens from cache", asCount, false},
    RunScalar{"throughput_tokens_per_s", asRatio,
              [](const SimulationResult& run) { return run.throughputTokensPerS(); },
              "Output tokens a second"},
    RunScalar{"turns_per_s", asRatio, [](const SimulationResult& run) { return run.turnsPerS(); }},
    RunScalar{"preemptions", asAmount, [](const SimulationResult& run) { return realOf(run.preemptions); },
              "Preemptions", asCount, false},
};

} // namespace

std::span<const RunScalar> runScalars() {
    return allScalars;
}

} // namespace loadline
