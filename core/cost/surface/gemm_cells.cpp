// A column of linear layers as a grid.
#include "core/cost/surface/gemm_cells.h"

#include "core/base/statistics.h"
#include "core/cost/engine/constants.h"
#include "core/cost/surface/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace loadline {
namespace {

constexpr double largestLaunchShape = 2048;
constexpr double narrowestBlock = 128; ///< of fp8_block: narrower layers hold no block

std::vector<double> gemmAxisOf(std::vector<std::int64_t> cells) {
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return {cells.begin(), cells.end()};
}

std::size_t axisIndexOf(const std::vector<double>& axis, std::int64_t value) {
    return static_cast<std::size_t>(std::ranges::lower_bound(axis, static_cast<double>(value)) -
                                    axis.begin());
}

/// The time of small layers at these rows, which is launch time alone; 0 without any.
double launchFloorOf(const GemmCells& cells, std::size_t row) {
    std::vector<double> times;
    for (std::size_t n = 0; n < cells.n.size() && cells.n[n] <= largestLaunchShape; ++n) {
        for (std::size_t k = 0; k < cells.k.size() && cells.k[k] <= largestLaunchShape; ++k) {
            const double us = row < cells.m.size() ? cells.us[cells.at(n, k, row)] : std::nan("");
            if (!std::isnan(us)) {
                times.push_back(us);
            }
        }
    }
    return times.empty() ? 0 : medianOf(std::move(times));
}

/// launchFloorOf by rows, up to constant::blockFloorRows: from 32 rows on a kernel with more launches runs,
/// 90 us on Hopper instead of 60. Larger steps keep the second m's floor.
std::vector<double> launchFloorsOf(const GemmCells& cells, double usualUs) {
    std::vector<double> floors(cells.m.size(), usualUs);
    for (std::size_t row = 0; row < floors.size() && cells.m[row] <= constant::blockFloorRows.value; ++row) {
        floors[row] = std::max(usualUs, launchFloorOf(cells, row));
    }
    return floors;
}

} // namespace

Result<GemmCells> gemmCellsOf(const AtlasTable& table, std::string_view column) {
    const Result<TableColumns> columns = tableColumnsOf(table, {.numbers = {"n", "k", "m"}, .times = column});
    if (!columns) {
        return columns.error();
    }
    const std::vector<std::int64_t>& n = *columns->numbers[0];
    const std::vector<std::int64_t>& k = *columns->numbers[1];
    const std::vector<std::int64_t>& m = *columns->numbers[2];
    GemmCells cells{.n = gemmAxisOf(n), .k = gemmAxisOf(k), .m = gemmAxisOf(m)};
    cells.us.assign(cells.n.size() * cells.k.size() * cells.m.size(), std::nan(""));
    bool isEmpty = true;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const double us = (*columns->us)[row];
        if (us > 0) {
            cells.us[cells.at(axisIndexOf(cells.n, n[row]), axisIndexOf(cells.k, k[row]),
                              axisIndexOf(cells.m, m[row]))] = us;
            isEmpty = false;
        }
    }
    if (isEmpty) {
        return Error{
            .what = fmt::format("no linear layer was measured in \"{}\"", column), .where = {}, .remedy = {}};
    }
    return cells;
}

LaunchBound replaceLaunchBound(GemmCells& cells, const GemmCells& graphed) {
    LaunchBound bound{.floorUs = launchFloorOf(cells, 1)};
    const std::vector<double> floors = launchFloorsOf(cells, bound.floorUs);
    cells.isBorrowed.assign(cells.us.size(), false);
    for (std::size_t i = 0; i < cells.us.size(); ++i) {
        double& us = cells.us[i];
        bound.cells += std::isnan(us) ? 0U : 1U;
        const double other = graphed.us[i];
        if (std::isnan(other)) {
            continue;
        }
        const std::size_t shape = i / cells.m.size();
        const bool isNarrow = cells.n[shape / cells.k.size()] < narrowestBlock ||
                              cells.k[shape % cells.k.size()] < narrowestBlock;
        if (isNarrow || std::isnan(us) || us < constant::blockFloorFactor.value * floors[i % floors.size()] ||
            us < other) {
            bound.replaced += std::isnan(us) ? 0U : 1U;
            us = other;
            cells.isBorrowed[i] = true;
        }
    }
    return bound;
}

double sustainedFlopPerUs(const GemmCells& cells) {
    std::vector<double> rates;
    for (std::size_t n = 0; n < cells.n.size(); ++n) {
        for (std::size_t k = 0; k < cells.k.size(); ++k) {
            for (std::size_t m = 0; m < cells.m.size(); ++m) {
                const double flop = 2 * cells.n[n] * cells.k[k] * cells.m[m];
                const double us = cells.us[cells.at(n, k, m)];
                if (cells.m[m] >= constant::sustainedRows.value && flop >= constant::sustainedFlop.value &&
                    !std::isnan(us)) {
                    rates.push_back(flop / us);
                }
            }
        }
    }
    return rates.empty() ? 0 : medianOf(std::move(rates));
}

} // namespace loadline
