// One format's column of a table of linear layers, as a grid.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace loadline {

/// Times of linear layers (m rows x k inputs -> n outputs) over a grid of n, k and m.
struct GemmCells {
    std::vector<double> n{}; ///< ascending, as k and m
    std::vector<double> k{};
    std::vector<double> m{};
    std::vector<double> us{};       ///< by n, k, m; m fastest; NaN: not measured
    std::vector<bool> isBorrowed{}; ///< as us: another column's time (replaceLaunchBound); empty: none is

    [[nodiscard]] std::size_t at(std::size_t nAt, std::size_t kAt, std::size_t mAt = 0) const {
        return (nAt * k.size() + kAt) * m.size() + mAt;
    }
};

/// The Error: the table lacks n, k, m or the column, or no cell of the column was measured.
Result<GemmCells> gemmCellsOf(const AtlasTable& table, std::string_view column);

/// Host launches in the cells of a column that was collected without a CUDA graph.
struct LaunchBound {
    double floorUs = 0;       ///< median of the second m over shapes with n, k <= 2048: launch time alone
    std::size_t cells = 0;    ///< of the column
    std::size_t replaced = 0; ///< cells that hold the other column's time now
};

/// Replaces the launch time in `cells` (fp8_block: collected without a CUDA graph, which a captured step does
/// not pay): a cell below constant::blockFloorFactor x floorUs (up to 256 rows the median of its own m, if
/// that is more), one of a layer narrower than a block of 128, and an empty one, takes the time of `graphed`
/// (fp8: the same layer with per-tensor scales, collected in a graph); another one the larger of both. Both
/// have the same grid.
LaunchBound replaceLaunchBound(GemmCells& cells, const GemmCells& graphed);

/// Returns the median rate in flop/us of the column's largest cells (constant::sustainedRows, sustainedFlop),
/// which last long enough for the power limit to hold: no layer of a running server is faster. 0 if no cell
/// is as large.
double sustainedFlopPerUs(const GemmCells& cells);

} // namespace loadline
