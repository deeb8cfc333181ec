// Cells of linear layers that are slower than all their neighbours.
#pragma once

#include "core/cost/surface/gemm_errors.h"

#include <cstddef>
#include <vector>

namespace loadline {

/// Lowers noise: an anomaly (slower than a larger m) that is also slower, by more than noiseShare, than the
/// lines between its neighbours in n and in k takes the larger time of the two lines. It stays marked as an
/// anomaly. Returns the number of cells lowered. Leave-one-out errors of clean cells fall with it in every
/// table (B200 fp8: 90 % from 23 to 11 %), those of the other anomalies do not rise.
std::size_t smoothLoneSpikes(const GemmCells& grid, std::vector<GemmCell>& clean);

} // namespace loadline
