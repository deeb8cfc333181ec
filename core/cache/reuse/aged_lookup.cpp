// Hits by depth and by age, and how many of them a cache has that forgets.
#include "core/cache/reuse/aged_lookup.h"

namespace loadline {

OutsideBlocks leadingOutside(const BlockTrace& trace, const BlockRequest& request) {
    OutsideBlocks all;
    if (!trace.outside.empty()) {
        const auto index = static_cast<std::size_t>(&request - trace.requests.data());
        const auto found = std::ranges::equal_range(trace.outside, index, {}, &OutsideBlocks::request);
        for (const OutsideBlocks& one : found) {
            all.count += one.count;
            all.ageS = std::max(all.ageS, one.ageS);
        }
    }
    return all;
}

void FoundCounts::add(std::uint64_t distance, std::size_t blocks, bool rises, double oldestS) {
    if (blocks == 0) {
        return;
    }
    if (distance < AgedHits::nowhere) {
        const std::uint64_t each = rises ? 1 : blocks;
        addCounts(differences, distance + (rises ? blocks : 1), 0 - each); // wraps around
        differences[distance] += each;
    }
    constexpr std::uint32_t most = 0x7fff'ffff; // of the bits that there are for them
    const auto more = static_cast<std::uint32_t>(blocks & most);
    if (!aged.empty() && aged.back().ageS == oldestS) {
        AgedHits& run = aged.back();
        const bool goesOn = distance == std::uint64_t{run.distance} + run.blocks;
        const bool stays = distance == run.distance;
        if ((goesOn && (run.rises || run.blocks == 1) && (rises || more == 1)) ||
            (stays && (!run.rises || run.blocks == 1) && (!rises || more == 1))) {
            run.rises = goesOn;
            run.blocks = (run.blocks + more) & most;
            return;
        }
    }
    aged.push_back({.ageS = oldestS,
                    .distance = static_cast<std::uint32_t>(distance),
                    .blocks = more & most,
                    .rises = rises});
}

void FoundCounts::add(const FoundCounts& more) {
    addCounts(differences, more.differences);
    aged.insert(aged.end(), more.aged.begin(), more.aged.end());
}

double CapacityCurve::hitWithin(std::uint64_t capacityBlocks, double ttlS) const {
    const std::uint64_t capacity = capacityBlocks == anyCapacity
                                       ? anyCapacity
                                       : std::min<std::uint64_t>(capacityBlocks, AgedHits::nowhere);
    std::uint64_t found = 0;
    for (const AgedHits& run : aged) {
        if (run.ageS <= ttlS && run.distance < capacity) {
            found += run.rises ? std::min<std::uint64_t>(run.blocks, capacity - run.distance) : run.blocks;
        }
    }
    return references == 0 ? 0 : static_cast<double>(found) / static_cast<double>(references);
}

std::vector<WeightedSample::Part> CapacityCurve::agesS() const {
    WeightedSample ages;
    for (const AgedHits& run : aged) {
        ages.add(run.ageS, run.blocks);
    }
    return ages.sorted();
}

} // namespace loadline
