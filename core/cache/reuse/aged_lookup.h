// The leading run of a prompt that a cache has: how deep its blocks lie, and how old they are.
#pragma once

#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/reuse/distance_counts.h"
#include "core/cache/reuse/lru_stack.h"
#include "core/trace/block_trace.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace loadline {

/// Traces tell milliseconds: a difference of 60 s that floating point makes longer is 60 s.
inline double wholeMs(double seconds) {
    constexpr double msPerS = 1000;
    return std::round(seconds * msPerS) / msPerS;
}

/// Leading blocks of a prompt that other chains had held before it: their count, and the age of the oldest.
OutsideBlocks leadingOutside(const BlockTrace& trace, const BlockRequest& request);

/// What look-ups find: by the deepest block of the run up to there, and with the age of its oldest.
struct FoundCounts {
    DistanceCounts hits;
    std::vector<AgedHits> aged;

    void add(std::uint64_t deepest, double oldestS);
    void add(const FoundCounts& more);
};

/// Looks prompts up in one cache, each before it is touched.
class AgedLookup {
public:
    AgedLookup(const LruStack& stack, std::uint32_t blocks) : stack_(stack), heldS_(blocks) {}

    /// `at(i)` is the i-th of the prompt's `count` blocks, first one first. Blocks that the stack has not
    /// seen, though another chain had held them (`outside`), are found where nothing is displaced alone.
    template <typename At>
    void find(std::size_t count, At at, double startS, const OutsideBlocks& outside, FoundCounts& found) {
        std::uint64_t distance = 0;
        std::uint64_t deepest = 0;
        double oldestS = 0;
        double heldS = startS;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t block = at(i);
            if (stack_.seen(block)) {
                // Touched back to front, a block lies right below the one after it.
                distance = i > 0 && stack_.follows(block, at(i - 1)) ? distance + 1 : stack_.distance(block);
                deepest = std::max(deepest, distance);
                if (heldS_[block] < heldS) {
                    heldS = heldS_[block];
                    oldestS = std::max(oldestS, wholeMs(startS - heldS));
                }
            } else if (i < outside.count) {
                deepest = AgedHits::nowhere;
                oldestS = std::max(oldestS, wholeMs(outside.ageS));
            } else {
                break;
            }
            found.add(deepest, oldestS);
        }
    }

    /// After the prompt's blocks were touched.
    template <typename At>
    void hold(std::size_t count, At at, double startS) {
        for (std::size_t i = 0; i < count; ++i) {
            heldS_[at(i)] = startS;
        }
    }

private:
    const LruStack& stack_;
    std::vector<double> heldS_; ///< last start of a request that held the block
};

/// Of what look-ups found, with the hits by age.
inline CapacityCurve curveOfFound(FoundCounts found, std::uint64_t references) {
    CapacityCurve curve = curveOfCounts(std::move(found.hits), references);
    curve.aged = std::move(found.aged);
    return curve;
}

} // namespace loadline
