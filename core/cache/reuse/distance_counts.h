// Hits counted by stack distance, and the curve that they add up to.
#pragma once

#include "core/cache/reuse/capacity_curves.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace loadline {

/// Hits by distance.
using DistanceCounts = std::vector<std::uint64_t>;

inline void addCounts(DistanceCounts& counts, std::size_t at, std::uint64_t more) {
    if (at >= counts.size()) {
        counts.resize(std::max(at + 1, counts.size() + counts.size() / 2));
    }
    counts[at] += more;
}

inline void addCounts(DistanceCounts& counts, const DistanceCounts& more) {
    counts.resize(std::max(counts.size(), more.size()));
    std::ranges::transform(more, counts, counts.begin(), std::plus<>{});
}

inline CapacityCurve curveOfCounts(DistanceCounts byDistance, std::uint64_t references) {
    while (!byDistance.empty() && byDistance.back() == 0) {
        byDistance.pop_back();
    }
    std::partial_sum(byDistance.begin(), byDistance.end(), byDistance.begin());
    return {.references = references, .hits = std::move(byDistance)};
}

inline std::size_t longestOf(std::span<const BlockRequest> requests) {
    std::size_t longest = 0;
    for (const BlockRequest& request : requests) {
        longest = std::max<std::size_t>(longest, request.blocks());
    }
    return longest;
}

} // namespace loadline
