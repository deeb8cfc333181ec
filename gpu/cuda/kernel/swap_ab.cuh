// Our own kernel: weights as the tensor core's 16-row operand; for up to 8 rows of x, and for 9 to 64.
#pragma once

#include "gpu/cuda/kernel/swap_ab_few.cuh"
#include "gpu/cuda/kernel/swap_ab_many.cuh"

namespace loadline::gpu {

// A block keeps its ring of asynchronous copies full across units. A unit that one block computes alone is
// stored at once; otherwise sums meet in `partial`, and the block that arrives last rounds and stores them,
// and leaves zeroes behind.

/// Grid: any number of blocks, best as many as the device holds at once.
template <int Bits, int Tokens, int Stages, class Lane>
LOADLINE_LANE void swapAb(const Lane& lane, const SwapAbArgs& a) {
    if constexpr (Tokens == 1) {
        swapAbFew<Bits, Stages>(lane, a);
    } else {
        swapAbMany<Bits, Tokens, Stages>(lane, a);
    }
}

} // namespace loadline::gpu
