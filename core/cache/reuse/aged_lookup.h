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
#include <numeric>
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

/// Hits of look-ups, each at the distance of the deepest block of its run up to there, and with the age of
/// the oldest.
struct FoundCounts {
    DistanceCounts differences; ///< hits by distance, as differences: a run is written by its ends
    std::vector<AgedHits> aged;
    DistanceCounts cut; ///< tokens that hits lack, by distance (HitTokens)
    std::vector<AgedHits> cutAged;
    std::uint64_t tokens = 0; ///< of all prompts

    /// So many blocks that each lie as deep as the one before, or one deeper.
    void add(std::uint64_t distance, std::size_t blocks, bool rises, double oldestS);
    /// The prompt's end cuts so many tokens off a block that hits at this distance.
    void cutOff(std::uint64_t distance, Tokens missing, double oldestS);
    void add(const FoundCounts& more);
};

/// Looks prompts up in one cache, each before it is touched.
class AgedLookup {
public:
    AgedLookup(const LruStack& stack, std::uint32_t blocks, Tokens blockTokens)
        : stack_(stack), heldS_(blocks), blockTokens_(blockTokens) {}

    /// `at(i)` is the i-th of the `count` blocks of a prompt of `input` tokens, first one first. Blocks that
    /// the stack has not seen, though another chain had held them (`outside`), are found where nothing is
    /// displaced alone.
    template <typename At>
    void find(std::size_t count, At at, Tokens input, double startS, const OutsideBlocks& outside,
              FoundCounts& found) {
        found.tokens += static_cast<std::uint64_t>(input);
        std::uint64_t deepest = 0;
        double oldestS = 0;
        double heldS = startS;
        for (std::size_t i = 0; i < count;) {
            const std::uint32_t first = at(i);
            if (!stack_.seen(first)) {
                if (i >= outside.count) {
                    return;
                }
                deepest = AgedHits::nowhere;
                oldestS = std::max(oldestS, wholeMs(outside.ageS));
                found.add(deepest, 1, false, oldestS);
                cutOff(i, 1, input, deepest, false, oldestS, found);
                ++i;
                continue;
            }
            if (heldS_[first] < heldS) {
                heldS = heldS_[first];
                oldestS = std::max(oldestS, wholeMs(startS - heldS));
            }
            const std::size_t run = runFrom(i, count, at);
            const std::uint64_t distance = stack_.distance(first);
            const std::uint64_t above = deepest < distance ? 0 : deepest - distance + 1;
            const std::size_t flat = std::min<std::uint64_t>(run, above);
            found.add(deepest, flat, false, oldestS);
            cutOff(i, flat, input, deepest, false, oldestS, found);
            if (flat < run) {
                found.add(distance + flat, run - flat, true, oldestS);
                cutOff(i + flat, run - flat, input, distance + flat, true, oldestS, found);
                deepest = distance + run - 1;
            }
            i += run;
        }
    }

    /// Sets the time at which blocks were last held. Called after the prompt's blocks were touched.
    template <typename At>
    void hold(std::size_t count, At at, double startS) {
        for (std::size_t i = 0; i < count; ++i) {
            heldS_[at(i)] = startS;
        }
    }

private:
    /// Counts those of `count` blocks from the i-th on that reach beyond the prompt's end.
    void cutOff(std::size_t i, std::size_t count, Tokens input, std::uint64_t distance, bool rises,
                double oldestS, FoundCounts& found) const {
        const auto whole = static_cast<std::size_t>(input / blockTokens_);
        for (std::size_t j = std::max(i, whole); j < i + count; ++j) {
            const Tokens beyond = static_cast<Tokens>(j + 1) * blockTokens_ - input;
            found.cutOff(distance + (rises ? j - i : 0), std::min(beyond, blockTokens_), oldestS);
        }
    }

    /// Returns how many blocks from here on were held last at the same time, and lie each right below the one
    /// before it, as they do where they were touched back to front.
    template <typename At>
    [[nodiscard]] std::size_t runFrom(std::size_t i, std::size_t count, At at) const {
        std::uint32_t last = at(i);
        const double heldS = heldS_[last];
        std::size_t run = 1;
        for (; i + run < count; ++run) {
            const std::uint32_t next = at(i + run);
            if (!stack_.follows(next, last) || heldS_[next] != heldS) {
                break;
            }
            last = next;
        }
        return run;
    }

    const LruStack& stack_;
    std::vector<double> heldS_; ///< last start of a request that held the block
    Tokens blockTokens_;
};

/// Returns the curve of these hits, with `aged` and `tokens`.
inline CapacityCurve curveOfFound(FoundCounts found, std::uint64_t references, Tokens blockTokens) {
    DistanceCounts& hits = found.differences;
    std::partial_sum(hits.begin(), hits.end(), hits.begin());
    CapacityCurve curve = curveOfCounts(std::move(hits), references);
    curve.aged = std::move(found.aged);
    curve.tokens = {.blockTokens = blockTokens,
                    .references = found.tokens,
                    .cut = curveOfCounts(std::move(found.cut), 0).hits,
                    .cutAged = std::move(found.cutAged)};
    return curve;
}

} // namespace loadline
