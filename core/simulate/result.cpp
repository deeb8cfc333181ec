// What a simulation gives: sums over its steps.
#include "core/simulate/result.h"

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

} // namespace loadline
