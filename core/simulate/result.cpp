// What a simulation gives: sums over its steps.
#include "core/simulate/result.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace loadline {

std::uint64_t RowsHistogram::iterations() const {
    return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}

std::uint64_t RowsHistogram::decodeOnlyIterations() const {
    return std::accumulate(decodeOnly.begin(), decodeOnly.end(), std::uint64_t{0});
}

double RowsHistogram::averageRows() const {
    double rows = 0;
    for (std::size_t m = 0; m < steps.size(); ++m) {
        rows += static_cast<double>(m) * static_cast<double>(steps[m]);
    }
    const std::uint64_t count = iterations();
    return count > 0 ? rows / static_cast<double>(count) : 0;
}

GemmTime gemmTime(const RowsHistogram& rows, const CostTable& table) {
    GemmTime time;
    for (std::size_t m = 1; m < rows.steps.size(); ++m) {
        if (rows.steps[m] == 0) {
            continue;
        }
        const auto steps = static_cast<double>(rows.steps[m]);
        const auto at = static_cast<std::int64_t>(m);
        time.us += steps * table.us(at);
        time.fp16Us += steps * table.fp16Us(at);
        for (const Kernel kernel : allKernels) {
            time.kernelUs[static_cast<std::size_t>(kernel)] += steps * table.kernelUs(at, kernel);
        }
    }
    return time;
}

double SimulationResult::decodeOnlyFraction() const {
    const std::uint64_t count = rows.iterations();
    return count > 0 ? static_cast<double>(rows.decodeOnlyIterations()) / static_cast<double>(count) : 0;
}

double SimulationResult::throughputTokensPerS() const {
    return simulatedS > 0 ? static_cast<double>(tokensOut) / simulatedS : 0;
}

ModelledShares modelledSharesOf(const RowsHistogram& rows, const CostTable& table) {
    double us = 0;
    double fp16Us = 0;
    ModelledShares modelled;
    for (std::size_t m = 0; m < rows.steps.size(); ++m) {
        if (rows.steps[m] == 0) {
            continue;
        }
        const auto steps = static_cast<double>(rows.steps[m]);
        const auto at = static_cast<std::int64_t>(m);
        us += steps * table.us(at);
        fp16Us += steps * table.fp16Us(at);
        modelled.kBit += steps * table.us(at) * table.modelledShare(at);
        modelled.fp16 += steps * table.fp16Us(at) * table.fp16ModelledShare(at);
    }
    return {us > 0 ? modelled.kBit / us : 0, fp16Us > 0 ? modelled.fp16 / fp16Us : 0};
}

std::string sentenceOf(const ModelledShares& shares) {
    if (shares.kBit == 0 && shares.fp16 == 0) {
        return {};
    }
    return fmt::format("Modelled, not timed at these shapes and M: {} of the k-bit time, {} of fp16's.",
                       formatShare(shares.kBit), formatShare(shares.fp16));
}

} // namespace loadline
