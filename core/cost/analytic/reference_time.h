// The times of the reference designs, scalar GEMV and MMA, of one matrix and over experts.
#pragma once

#include "core/cost/analytic/pipes.h"

namespace loadline {

/// `experts` matrices, `rowsM` rows each.
struct ReferenceCall {
    GemmSize size;
    double experts = 1;
    double rowsM = 1; ///< above 4 (scalar) or 64 (MMA): nothing
    int kBits = 4;
    bool routed = false; ///< the groups are read on the device
    double bytes = 0;    ///< that the call must move
};

/// Two warps a column, 64 blocks of K a turn; no turn's loads are sent off before the one before is done.
std::optional<ModelledTime> scalarTime(const ModelledDevice& device, const ReferenceCall& call);

/// Blocks of 64 or 128 columns and a piece of K, one tile of 64 K ahead; sums of several pieces meet in L2.
std::optional<ModelledTime> mmaTime(const ModelledDevice& device, const ReferenceCall& call);

} // namespace loadline
