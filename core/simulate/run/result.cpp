// What a simulation gives: sums over its steps.
#include "core/simulate/run/result.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace loadline {
namespace {

double meanOf(const std::vector<std::uint64_t>& byRows, std::uint64_t steps) {
    double rows = 0;
    for (std::size_t m = 0; m < byRows.size(); ++m) {
        rows += static_cast<double>(m) * static_cast<double>(byRows[m]);
    }
    return steps > 0 ? rows / static_cast<double>(steps) : 0;
}

} // namespace

KernelNaming namingOf(const SimulationInputs& inputs) {
    std::vector<GemmSize> sizes;
    for (const LayerGemm& gemm : inputs.cost.model.gemms) {
        sizes.push_back(gemm.size);
    }
    return namingOf(inputs.profile.get(), sizes, inputs.cost.kBits);
}

std::uint64_t RowsHistogram::iterations() const {
    return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}

std::uint64_t RowsHistogram::decodeOnlyIterations() const {
    return std::accumulate(decodeOnly.begin(), decodeOnly.end(), std::uint64_t{0});
}

double RowsHistogram::averageRows() const {
    return meanOf(steps, iterations());
}

double RowsHistogram::averageHeadRows() const {
    return meanOf(head, iterations());
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

ModelledShares modelledSharesOf(const GemmTime& gemm) {
    return {gemm.us > 0 ? gemm.modelledUs / gemm.us : 0,
            gemm.fp16Us > 0 ? gemm.modelledFp16Us / gemm.fp16Us : 0};
}

std::string sentenceOf(const ModelledShares& shares) {
    if (shares.kBit == 0 && shares.fp16 == 0) {
        return {};
    }
    return fmt::format("Modelled, not timed at these shapes and M: {} of the k-bit time, {} of fp16's.",
                       formatShare(shares.kBit), formatShare(shares.fp16));
}

std::string queueSentenceOf(const SimulationResult& result) {
    if (!result.queueGrows()) {
        return {};
    }
    return fmt::format("Turns come faster than they are answered: {} wait at the end of a run, and latencies "
                       "grow with its length.",
                       formatExact(static_cast<std::int64_t>(result.waitingTurns) / result.runs));
}

} // namespace loadline
