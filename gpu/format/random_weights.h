// Weights for measuring: random codes, as zeros run faster than data.
#pragma once

#include "gpu/format/packed_weights.h"

#include <cstdint>

namespace loadline::gpu {

/// Uniform random codes with scales from 1/4 to 1/2 in steps that E4M4 holds, filling 0; the same for the
/// same seed on any machine and number of threads. Much faster than quantising.
PackedWeights randomPacked(const KBitShape& shape, Layout layout, AbsmaxFormat absmax, std::uint64_t seed);

} // namespace loadline::gpu
