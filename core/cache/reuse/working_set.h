// How many blocks are in use as time goes by.
#pragma once

#include "core/trace/block_trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// Different blocks in stretches of equal length, from the chains' own time 0 on, as if all had begun
/// together.
struct WorkingSet {
    double binS = 0;
    std::vector<std::uint64_t> touched; ///< different blocks held by requests that start in the stretch
    std::vector<std::uint64_t> seen;    ///< different blocks up to its end
    bool operator==(const WorkingSet&) const = default;
};

/// Blocks of each chain apart from those of others. Empty where no time passes.
WorkingSet workingSetOf(const BlockTrace& trace, std::span<const BlockChain> chains, std::size_t bins = 60);

} // namespace loadline
