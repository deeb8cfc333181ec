// Sums over the steps of a run by their rows M.
#include "core/simulate/loop/rows_run.h"

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

RowsHistogram RowsRun::histogram() const {
    RowsHistogram result;
    result.steps.resize(1);
    result.decodeOnly.resize(1);
    const auto add = [](std::vector<std::uint64_t>& sums, const RowsCount& count, std::int64_t steps) {
        const auto at = static_cast<std::size_t>(count.rows);
        if (steps > 0) {
            sums.resize(std::max(sums.size(), at + 1));
            sums[at] += static_cast<std::uint64_t>(steps);
        }
    };
    for (const RowsCount& count : counts) {
        add(result.steps, count, count.steps);
        add(result.decodeOnly, count, count.decodeOnly);
        add(result.head, count, count.headSteps);
    }
    return result;
}

void putCounts(std::vector<RowsCount>& counts, const RowsTally& mixed, const RowsTally& decodeOnly,
               const RowsTally& head) {
    counts.resize(mixed.seen().size() + decodeOnly.seen().size() + head.seen().size());
    auto next = counts.begin(); // short runs are many: growing one by one took 6 % of a sweep
    for (const std::int32_t m : mixed.seen()) {
        *next++ = {m, mixed.steps(m) + decodeOnly.steps(m), decodeOnly.steps(m), 0};
    }
    for (const std::int32_t m : decodeOnly.seen()) {
        if (mixed.steps(m) == 0) {
            *next++ = {m, decodeOnly.steps(m), decodeOnly.steps(m), 0};
        }
    }
    for (const std::int32_t rows : head.seen()) {
        *next++ = {rows, 0, 0, head.steps(rows)};
    }
    counts.erase(next, counts.end());
}

std::vector<RowsCount> countsOf(const RowsTally& mixed, const RowsTally& decodeOnly, const RowsTally& head) {
    std::vector<RowsCount> counts;
    putCounts(counts, mixed, decodeOnly, head);
    return counts;
}

} // namespace loadline
