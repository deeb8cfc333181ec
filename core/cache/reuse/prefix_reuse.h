// Repetition of prompts, with a cache that forgets nothing, and how long blocks have to be kept for it.
#pragma once

#include "core/base/statistics.h"
#include "core/cache/composition/composition.h"
#include "core/trace/block_trace.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// Returns how many hits need nothing older than `seconds`. `ages`: hits by age, seconds.
std::uint64_t hitsWithin(std::span<const WeightedSample::Part> ages, double seconds);

/// Blocks and tokens that were there, of all that were asked for.
struct ReuseCount {
    std::uint64_t blocks = 0;
    std::uint64_t tokens = 0; ///< min(blocks x block size, prompt), summed over requests
    bool operator==(const ReuseCount&) const = default;
};

/// Over some chains, each with an unlimited cache of its own. A request never hits on blocks that it brings.
struct PrefixReuse {
    std::uint64_t requests = 0;
    std::uint64_t references = 0;   ///< blocks of all prompts
    std::uint64_t uniqueBlocks = 0; ///< of each chain, without those that another chain had held before
    std::uint64_t firstBlocks = 0;  ///< different first blocks, likewise
    std::uint64_t inputTokens = 0;
    std::uint64_t outputTokens = 0;
    RealSummary input, output; ///< of a request
    RealSummary newInput;      ///< of a request: tokens that `cached` has not
    double inOutMeanOfRatios = 0;

    /// Unlimited: the leading run of blocks that any earlier request of the chain held.
    ReuseCount prefix;
    /// The leading run that the request before held. Equal to `prefix` where chains are no conversations.
    ReuseCount consecutive;
    std::uint64_t setHits = 0; ///< blocks that any earlier request held, wherever they stand
    std::uint64_t fullReferences = 0,
                  fullHits = 0;             ///< of the prefix, without blocks that a prompt's end cuts
    std::uint64_t requestsFullyCovered = 0; ///< all of their blocks were there
    double meanPrefixBlocks = 0, meanPrefixTokens = 0; ///< mean over requests of their own shares

    /// Shares of the tokens of `consecutive`: over all, and as the mean of requests.
    TokenShares tokenWeighted, meanPerRequest;

    /// Prefix hits by the age of the oldest block of the run up to there, seconds since it was last held.
    std::vector<WeightedSample::Part> prefixAgesS;
    std::vector<WeightedSample::Part> reuseTimeS; ///< between one request that held a block and the next
    RealSummary reuseTime, firstReuse;            ///< all, and of each block the first
    std::uint64_t blocksReused = 0;               ///< blocks held by more than one request
    double reusesInTopTenth = 0;             ///< share of reuses that the most reused tenth of the blocks has
    std::vector<WeightedSample::Part> gapsS; ///< those of gapS
    RealSummary gapS;       ///< from one request's start to the next one's, in a conversation
    RealSummary idleS;      ///< from the end of an answer to the next request, 0 where they overlap
    RealSummary heldTokens; ///< of a conversation: its longest prompt with its answer

    [[nodiscard]] double share(std::uint64_t hits) const; ///< of `references`
    /// Returns the hit rate if a block is forgotten that nobody held for so long.
    [[nodiscard]] double ttlHit(double seconds) const;
    /// Cached over new input; infinity where nothing was new, 0 where nothing was cached.
    [[nodiscard]] double readWriteRatio() const;
};

/// `threads` as in parallelFor; the result does not depend on it. Nothing in it when stopped.
PrefixReuse prefixReuseOf(const BlockTrace& trace, std::span<const BlockChain> chains, unsigned threads,
                          const std::stop_token& stop);

} // namespace loadline
