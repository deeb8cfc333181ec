// Leave-one-out errors of a grid of linear layers, along each axis and by region.
#pragma once

#include "core/cost/surface/gemm_cells.h"
#include "core/cost/surface/left_out_error.h"
#include "core/cost/surface/measured_curve.h"

#include <cstddef>
#include <vector>

namespace loadline {

/// A cell of the grid after cleaning.
struct GemmCell {
    double us = 0; ///< NaN: not measured, and not between two measured m
    bool isMeasured = false;
    bool isRaised = false;
    bool isAnomalous = false;

    /// A cell that tells about interpolation.
    [[nodiscard]] bool isClean() const { return isMeasured && !isRaised && !isAnomalous; }
};

/// Regions whose errors differ: m up to 16, up to 256, above; min(n, k) below 1024, and from 1024 on.
inline constexpr std::size_t gemmRegions = 6;
std::size_t gemmRegionOf(double n, double k, double m);

/// One summary per region. Along n and k a cell is predicted from its two neighbours; along m a step pair is
/// left out as a whole; `end...`: the last cell is predicted from the one before, in proportion.
struct GemmErrors {
    std::vector<LeftOutError> n, k, m;
    std::vector<LeftOutError> endN, endK, endM;
    LeftOutError overallN, overallK, overallM;
};

/// `clean` is laid out as grid.us.
GemmErrors gemmErrorsOf(const GemmCells& grid, const std::vector<GemmCell>& clean);

} // namespace loadline
