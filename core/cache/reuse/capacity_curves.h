// Hit rates of an engine's cache by its capacity: least recently used, whole blocks.
#pragma once

#include "core/base/statistics.h"
#include "core/trace/block_trace.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// Blocks that follow each other in a prompt and are found if the oldest block up to there has not been
/// forgotten, and if the cache has room for the deepest: a least recently used cache displaces no block by an
/// older one, forgotten or not.
struct AgedHits {
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    double ageS = 0;            ///< since the oldest was last held
    std::uint32_t distance = 0; ///< more blocks than that have to fit; nowhere: no capacity is enough
    std::uint32_t blocks : 31 = 0;
    std::uint32_t rises : 1 = 0; ///< each block needs room for one more than the block before it
    bool operator==(const AgedHits&) const = default;
};

/// Turns hits of blocks into hits of tokens: prompts end within a block, which then holds less than a whole
/// one.
struct HitTokens {
    Tokens blockTokens = 0;         ///< of a whole block; 0: tokens are not counted beside blocks
    std::uint64_t references = 0;   ///< tokens of all prompts
    std::vector<std::uint64_t> cut; ///< by capacity, like CapacityCurve::hits: tokens that its hits lack
    std::vector<AgedHits> cutAged;  ///< the same by age; `blocks` are tokens
    bool operator==(const HitTokens&) const = default;
};

/// Hits by capacity in blocks, exact for every one.
struct CapacityCurve {
    static constexpr std::uint64_t anyCapacity = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t references = 0;    ///< what the hits are shares of: blocks, or tokens
    std::vector<std::uint64_t> hits; ///< with a capacity of i + 1 blocks; more blocks, no more hits
    /// `hits` by age, of curves that several sessions, or all requests, share; of others empty.
    std::vector<AgedHits> aged = {};
    HitTokens tokens = {}; ///< of the curves with `aged`

    [[nodiscard]] double hit(std::uint64_t capacityBlocks) const;
    /// Returns the share of the prompts' tokens that hit: what spares computing. As hit() where `tokens` are
    /// not counted.
    [[nodiscard]] double hitOfTokens(std::uint64_t capacityBlocks) const;
    /// Hit rate if a block is forgotten, too, once nobody held it for `ttlS`. anyCapacity: nothing is
    /// displaced.
    [[nodiscard]] double hitWithin(std::uint64_t capacityBlocks, double ttlS) const;
    /// Returns hitWithin() of the prompts' tokens, as hitOfTokens() does of hit().
    [[nodiscard]] double hitOfTokensWithin(std::uint64_t capacityBlocks, double ttlS) const;
    /// Hits of any capacity by age, seconds.
    [[nodiscard]] std::vector<WeightedSample::Part> agesS() const;
    bool operator==(const CapacityCurve&) const = default;
};

/// Curves of one trace under four ways of counting. `fwd`, `rev`: each reference to a block counts as a hit
/// if the block is there when it is touched; a request touches its blocks front to back, or back to front as
/// vLLM frees them. Contiguous: first the leading run of the request's blocks that are there is looked up,
/// which hits, then all are touched back to front.
struct CapacityCurves {
    CapacityCurve fwd;
    CapacityCurve rev;
    CapacityCurve contiguousBlocks;
    CapacityCurve contiguousTokens; ///< of the prompts' tokens; the cut last block counts what is in it
    bool operator==(const CapacityCurves&) const = default;
};

/// Each of these chains with a cache of its own. `threads` as in parallelFor; the result does not depend on
/// it. Empty where the trace tells no blocks, or stopped.
CapacityCurves capacityCurvesOf(const BlockTrace& trace, std::span<const BlockChain> chains, unsigned threads,
                                const std::stop_token& stop);

/// One cache for several sessions, of which the first `sessions` are meant.
struct SharedCurve {
    std::size_t sessions = 0;
    CapacityCurve rev;
    CapacityCurve alone; ///< of the same sessions, each with a cache of this capacity to itself
    CapacityCurve contiguous, contiguousAlone; ///< both, counted as an engine does: looked up, then touched
    bool operator==(const SharedCurve&) const = default;
};

/// Sessions with fewer requests say little of a cache.
inline constexpr std::size_t leastSharedRequests = 10;

/// The cliff: the main chains of at least leastSharedRequests requests in their order, all started at time 0,
/// share a cache: the first one, two, four ... and all of them. Requests come by (time, session, index) and
/// touch their blocks back to front, alone as well. Empty where chains are no conversations.
std::vector<SharedCurve> sharedCurvesOf(const BlockTrace& trace, unsigned threads,
                                        const std::stop_token& stop);

/// The first `sessions` of the same, or all where there are fewer. With several replicas `rev` and
/// `contiguous` are those of sessions dealt to them, each on one replica in turn, by the capacity of one
/// replica.
SharedCurve sharedCurveOf(const BlockTrace& trace, std::size_t sessions, unsigned threads,
                          const std::stop_token& stop, std::size_t replicas = 1);

/// All main chains, each beginning when it was recorded (BlockChain::beginsS), share a cache; counted as
/// CapacityCurves::contiguousBlocks, which is each alone. Several replicas have a cache each: a chain stays
/// on one of them, dealt in turn in the order in which chains begin, and capacities are those of one replica.
/// Empty where chains are no conversations.
CapacityCurve recordedCurveOf(const BlockTrace& trace, const std::stop_token& stop, std::size_t replicas = 1);

/// Returns the curve of the same chains, all begun at once.
CapacityCurve atOnceCurveOf(const BlockTrace& trace, const std::stop_token& stop, std::size_t replicas = 1);

/// CapacityCurves::contiguousBlocks of chains that are no conversations, whose requests go to replicas in
/// turn, by the capacity of one replica. Several chains share it, all begun at time 0.
CapacityCurve roundRobinCurveOf(const BlockTrace& trace, std::size_t replicas, const std::stop_token& stop);

} // namespace loadline
