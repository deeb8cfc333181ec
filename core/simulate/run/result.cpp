// Questions to the result of a simulation: sums over its steps.
#include "core/simulate/run/result.h"

#include "core/text/enum_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace loadline {
std::string_view keyOf(RunBound bound) {
    return wordOf(bound, {"none", "steps", "turns"});
}

GemmTime& GemmTime::operator+=(const GemmTime& more) {
    us += more.us;
    fp16Us += more.fp16Us;
    modelledUs += more.modelledUs;
    modelledFp16Us += more.modelledFp16Us;
    for (std::size_t i = 0; i < kernelCount; ++i) {
        kernelUs[i] += more.kernelUs[i];
    }
    return *this;
}

double SimulationResult::decodeOnlyFraction() const {
    const std::uint64_t count = rows.iterations();
    return count > 0 ? static_cast<double>(rows.decodeOnlyIterations()) / static_cast<double>(count) : 0;
}

double SimulationResult::throughputTokensPerS() const {
    return simulatedS > 0 ? static_cast<double>(tokensOut) / simulatedS : 0;
}

double SimulationResult::turnsPerS() const {
    return simulatedS > 0 ? static_cast<double>(served.value_or(turns)) / simulatedS : 0;
}

ModelledShares modelledSharesOf(const GemmTime& gemm) {
    return {gemm.us > 0 ? gemm.modelledUs / gemm.us : 0,
            gemm.fp16Us > 0 ? gemm.modelledFp16Us / gemm.fp16Us : 0};
}

std::string modelledSentenceOf(const SimulationInputs& inputs, const ModelledShares& shares) {
    return inputs.engine.surfaces ? std::string() : modelledShareSentence(shares);
}

std::string modelledShareSentence(const ModelledShares& shares) {
    if (shares.kBit == 0 && shares.fp16 == 0) {
        return {};
    }
    return fmt::format("Modelled, not timed at these shapes and M: {} of the k-bit time, {} of fp16's.",
                       formatShare(shares.kBit), formatShare(shares.fp16));
}

std::string unsettledSentenceOf(const std::optional<RunReport>& run, bool tellsLatencies, bool isPreview) {
    if (!run || run->settled || run->queueGrows || isPreview) { // a preview says that it is one
        return {};
    }
    const std::string after =
        fmt::format("Not settled after {} steps", formatCount(static_cast<double>(run->steps)));
    std::string least;
    double most = 0;
    const auto look = [&](const char* name, const Banded& figure, double precision,
                          const std::string& value) {
        const double off = figure.value > 0 ? (figure.high - figure.low) / 2 / figure.value : 0;
        if (off / precision > most) {
            most = off / precision;
            least = std::isfinite(off) ? fmt::format("{} {} \u00b1 {:.0f} %", name, value, 100 * off)
                                       : fmt::format("{} {} or more", name, value);
        }
    };
    const Precision asked;
    if (!tellsLatencies) {
        look("time vs fp16", run->timeVsFp16, asked.typical, fmt::format("{:.2f}", run->timeVsFp16.value));
    } else if (run->turnsFinished == 0) {
        return after + ": no turn that began in the measured span was answered.";
    } else {
        look("TTFT p50", run->ttftS.p50, asked.typical, formatSeconds(run->ttftS.p50.value));
        look("TPOT p50", run->tpotS.p50, asked.typical, formatSeconds(run->tpotS.p50.value));
        look("mean end-to-end time", run->e2eS.mean, asked.typical, formatSeconds(run->e2eS.mean.value));
        look("output", run->throughputTokensPerS, asked.throughput,
             formatReal(run->throughputTokensPerS.value, 3) + " tokens/s");
    }
    const std::string still = run->drifts ? ", and figures still drift" : "";
    return least.empty() ? after + still + "." : after + ": " + least + still + ".";
}

std::string queueSentenceOf(const SimulationResult& result) {
    if (!result.queueGrows()) {
        return {};
    }
    if (!result.waitsGrow()) {
        return "Turns come faster than they are answered: TTFT grows through the trace.";
    }
    return fmt::format("Turns come faster than they are answered: {} wait at the end of a run, and latencies "
                       "grow with its length.",
                       formatExact(static_cast<std::int64_t>(result.waitingTurns) / result.runs));
}

} // namespace loadline
