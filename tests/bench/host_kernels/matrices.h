// The matrix that the host's kernels multiply by in benchmarks, in every form, and its rivals.
#pragma once

#include "gpu/host/host_kernels.h"

#include <cstdint>
#include <vector>

namespace loadline::bench {

inline constexpr std::int64_t sideK = 8192;
inline constexpr std::int64_t sideN = 14'336; ///< k = 4: 62 MB, fp32: 470 MB

/// Normal values for up to 512 rows of x.
const std::vector<float>& input();
/// Copies of one packed matrix, enough of them to leave no cache warm.
const std::vector<gpu::PackedWeights>& packedCopies(int bits);
/// The first of the packed copies for k = 4, dequantised to what the method reads: a rival multiplies by the
/// same weights.
const gpu::DenseWeights& denseMatrix(gpu::HostMethod method);
/// OpenBLAS's, or Loadline's own where it is missing.
gpu::HostMethod rivalMethod();

} // namespace loadline::bench
