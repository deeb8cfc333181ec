// The walk over one chain that counts what its prompts repeat.
#pragma once

#include "core/base/statistics.h"
#include "core/cache/reuse/prefix_reuse.h"
#include "core/trace/block_trace.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// Counts of one chain, or the sum over several.
struct ChainReuse {
    PrefixReuse counts; ///< integers and sums over requests; summaries are not filled
    WeightedSample input, output, newInput, prefixAges, reuseTimes, firstReuses, gaps, idle, held;
    std::vector<std::uint32_t> reusesOfBlocks; ///< of each block the chain held
};

/// State of a walk about the blocks of a scope. One walk after the other uses it, so that many small chains
/// of a large scope (sub-agents) cost no more than the blocks that they hold.
struct ChainScratch {
    std::vector<double> heldS;          ///< last start of a request that held a block, once it left the path
    std::vector<std::uint8_t> known;    ///< held before
    std::vector<std::uint32_t> onPath;  ///< how often it stands on the path: a prompt may hold one twice
    std::vector<std::uint32_t> entered; ///< request at which a block came on the path
    std::vector<std::uint32_t> reuses;
    std::vector<std::uint8_t> isFirst; ///< began a prompt

    /// Makes room for more blocks; keeps what is there.
    void fit(std::size_t blocks);
};

/// Shared blocks cost no time here: each request costs as much as it adds, or lets go of.
class ChainWalk {
public:
    /// `scratch`: as it was made, or left by another walk.
    ChainWalk(const BlockTrace& trace, const BlockChain& chain, ChainScratch& scratch);
    /// Returns the counts of the chain; incomplete when stopped.
    ChainReuse run(const std::stop_token& stop);

private:
    void leave(std::size_t shared, double heldS);
    std::uint64_t enter(const BlockRequest& request, double sinceBeforeS);
    void countFirstReuses(const BlockRequest& before, const BlockRequest& now, double gapS);
    void countRequest(const BlockRequest& request, std::uint64_t prefix);
    void countGap(const BlockRequest& before, const BlockRequest& now);
    void forget(std::uint32_t block);
    void finish();

    const BlockTrace& trace_;
    const BlockChain& chain_;
    ChainReuse result_;
    std::vector<std::uint32_t> path_;    ///< blocks of the request before
    std::vector<std::uint32_t> held_;    ///< blocks that the chain held first
    std::vector<std::uint32_t> outside_; ///< those that another chain had held before (leadingOutside)
    std::vector<double>& heldS_;         ///< of the scratch, like the others
    std::vector<std::uint8_t>& known_;
    std::vector<std::uint32_t>& onPath_;
    std::vector<std::uint32_t>& entered_;
    std::vector<std::uint32_t>& reuses_;
    std::vector<std::uint8_t>& isFirst_;
    std::uint32_t index_ = 0;
};

} // namespace loadline
