// The charts of kernels, computed on the spot: for exports.
#pragma once

#include "app/chart/chart_spec.h"

namespace loadline::app::charts {

extern const ChartSpec kernels, kernelCeiling, kernelAttention;

} // namespace loadline::app::charts
