// The time of swap-AB, of one matrix and over experts.
#pragma once

#include "core/cost/analytic/kernel_counts.h"
#include "core/cost/analytic/pipes.h"

namespace loadline {

/// Groups of rows, each with a matrix of its own: experts, an expert of many rows more than once.
struct SwapAbCall {
    GemmSize size;
    double groups = 1;
    double rowsM = 1; ///< of a group; above 64: nothing
    int kBits = 4;
    bool routed = false; ///< the groups are read on the device; else there is one
    double bytes = 0;    ///< that the call must move
};

/// The depth of the ring, of two, that lets more blocks run at the same time; the deeper if they are as many.
struct SwapAbResidence {
    int blocks = 0; ///< on a multiprocessor; 0: one has too little shared memory
    int stages = 0;
    int underWayBytes = 0; ///< of a multiprocessor, sent for ahead
};
SwapAbResidence swapAbResidence(const GpuArchitecture& architecture, const SwapAbTile& tile);

std::optional<ModelledTime> swapAbTime(const ModelledDevice& device, const SwapAbCall& call);

} // namespace loadline
