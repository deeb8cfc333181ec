// Quantiles of histograms of rows.
#include "core/simulate/answer/step_rows.h"

#include "core/base/statistics.h"

namespace loadline {
namespace {

Quantiles quantilesOfRows(const std::vector<std::uint64_t>& steps) {
    std::vector<WeightedSample::Part> parts;
    for (std::size_t m = 0; m < steps.size(); ++m) {
        if (steps[m] > 0) {
            parts.push_back({static_cast<double>(m), steps[m]});
        }
    }
    const RealSummary summary = summaryOf(parts);
    return {.n = summary.n, .mean = summary.mean, .p50 = summary.p50, .p90 = summary.p90, .p99 = summary.p99};
}

} // namespace

StepRows stepRowsOf(const RowsHistogram& rows) {
    return {.all = quantilesOfRows(rows.steps), .decodeOnly = quantilesOfRows(rows.decodeOnly)};
}

} // namespace loadline
