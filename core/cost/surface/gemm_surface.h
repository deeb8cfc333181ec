// Times of linear layers in one number format, for any shape and number of rows.
#pragma once

#include "core/base/result.h"
#include "core/cost/surface/cleaned.h"
#include "core/cost/surface/gemm_cells.h"
#include "core/cost/surface/gemm_errors.h"
#include "core/cost/surface/measured_curve.h"
#include "core/cost/surface/surface_value.h"

#include <cstddef>
#include <vector>

namespace loadline {

/// One layer's time over its rows m. Linear between measured m, never across a step pair (m, m + 1), in
/// proportion beyond the last m; never below the floors.
class GemmCurve {
public:
    GemmCurve() = default;
    GemmCurve(MeasuredCurve curve, LayerFloors floors, SurfaceReach shapeReach)
        : curve_(std::move(curve)), floors_(floors), shapeReach_(shapeReach) {}

    /// True if no cell near the shape was measured.
    [[nodiscard]] bool empty() const { return curve_.empty(); }

    /// A fraction of a row between m and m + 1 costs the whole row. Precondition: not empty, m >= 1.
    [[nodiscard]] SurfaceValue at(double m) const;

    /// How the shape (n, k) was found.
    [[nodiscard]] SurfaceReach shapeReach() const { return shapeReach_; }

    [[nodiscard]] const MeasuredCurve& curve() const { return curve_; }

private:
    MeasuredCurve curve_;
    LayerFloors floors_;
    SurfaceReach shapeReach_ = SurfaceReach::Measured;
};

/// The number format and the device of a surface of linear layers.
struct GemmFormat {
    double bytesPerWeight = 2;     ///< bf16: 2, fp8 and fp8_block: 1, nvfp4: 0.5625
    DeviceLimits limits{};         ///< flopPerUs of this format
    double sustainedFlopPerUs = 0; ///< see gemm_cells.h; 0: not held
};

/// The cleaned cells of one column. Immutable.
class GemmSurface {
public:
    GemmSurface(GemmCells cells, const GemmFormat& format);

    /// The layer k -> n: bilinear in n and k between measured neighbours, in proportion beyond the last n or
    /// k (Extrapolated), the first n or k for smaller ones (Extrapolated). Modelled
    /// where a cell is another column's (GemmCells::isBorrowed). A shape of the grid that was not
    /// measured counts as its smaller neighbour in n (else k) in proportion (Extrapolated).
    [[nodiscard]] GemmCurve curveOf(double n, double k) const;

    [[nodiscard]] const CleanedCounts& counts() const { return counts_; }

    [[nodiscard]] const GemmErrors& errors() const { return errors_; }

    [[nodiscard]] const GemmCells& cells() const { return cells_; }

    /// Laid out as cells().us.
    [[nodiscard]] const std::vector<GemmCell>& clean() const { return clean_; }

private:
    struct Corner {
        std::size_t n = 0;
        std::size_t k = 0;
        double weight = 0;
    };

    void fillShapes();

    GemmCells cells_;
    GemmFormat format_;
    std::vector<GemmCell> clean_;
    std::vector<bool> filled_; ///< by n, k
    CleanedCounts counts_;
    GemmErrors errors_;
};

} // namespace loadline
