// Times over a batch of sequences and the tokens of each.
#pragma once

#include "core/cost/surface/left_out_error.h"
#include "core/cost/surface/measured_curve.h"
#include "core/cost/surface/surface_value.h"

#include <vector>

namespace loadline {

/// One measured cell.
struct BatchCell {
    double batch = 1;
    double tokens = 0; ///< of each sequence
    double us = 0;
    bool isRaised = false;
};

/// Leave-one-out errors along both axes, and of the last cells, predicted from the two before them.
struct BatchErrors {
    LeftOutError tokens;
    LeftOutError batch;
    LeftOutError beyondTokens;
    LeftOutError beyondBatch;
};

/// Linear in the tokens of each sequence, then linear in the batch. Beyond a batch's last tokens the last
/// slope goes on; beyond the last batch the time is proportional. Both are Extrapolated. Immutable.
class BatchCurves {
public:
    BatchCurves() = default;
    /// Cells in any order; of several with the same batch and tokens the fastest stands. `beyond`: past the
    /// last tokens of a batch.
    explicit BatchCurves(std::vector<BatchCell> cells, Beyond beyond = Beyond::LastSlope);

    [[nodiscard]] bool empty() const { return curves_.empty(); }

    /// Precondition: not empty.
    [[nodiscard]] SurfaceValue at(double batch, double tokens) const;

    [[nodiscard]] const BatchErrors& errors() const { return errors_; }

    [[nodiscard]] const std::vector<double>& batches() const { return batches_; }

    [[nodiscard]] const std::vector<MeasuredCurve>& curves() const { return curves_; }

private:
    std::vector<double> batches_;       ///< ascending
    std::vector<MeasuredCurve> curves_; ///< over tokens, by batches_
    BatchErrors errors_;
};

} // namespace loadline
