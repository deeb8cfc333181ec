// Blocks whose ids mean the same in every document of a trace.
#pragma once

#include "core/trace/block_trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace loadline {

/// Tells which blocks of a scope are those of an earlier one (BlockTrace::outside). When sessions begin is
/// not known: their ages are 0.
class GlobalBlocks {
public:
    /// The scope's requests are those from the index `request` on; `ids` of its blocks, by number, none where
    /// they mean nothing in other scopes.
    void join(BlockTrace& trace, std::uint32_t scope, std::size_t request, std::span<const std::int64_t> ids);

private:
    struct Holder {
        std::uint32_t scope = 0;
        std::uint32_t number = 0;
        double heldS = 0; ///< first
    };

    std::unordered_map<std::int64_t, Holder> holders_; ///< the first of each id
};

} // namespace loadline
