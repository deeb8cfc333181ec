// Hits by depth and by age, and how many of them a cache has that forgets.
#include "core/cache/reuse/aged_lookup.h"

namespace loadline {
namespace {

/// Hits of a cache of this capacity that forgets after `ttlS`.
std::uint64_t foundWithin(std::span<const AgedHits> aged, std::uint64_t capacityBlocks, double ttlS) {
    const std::uint64_t capacity = capacityBlocks == CapacityCurve::anyCapacity
                                       ? capacityBlocks
                                       : std::min<std::uint64_t>(capacityBlocks, AgedHits::nowhere);
    std::uint64_t found = 0;
    for (const AgedHits& run : aged) {
        if (run.ageS <= ttlS && run.distance < capacity) {
            found += run.rises ? std::min<std::uint64_t>(run.blocks, capacity - run.distance) : run.blocks;
        }
    }
    return found;
}

double shareOfTokens(const HitTokens& tokens, std::uint64_t blocks, std::uint64_t cut) {
    const auto found = static_cast<double>(blocks) * static_cast<double>(tokens.blockTokens);
    return tokens.references == 0
               ? 0
               : (found - static_cast<double>(cut)) / static_cast<double>(tokens.references);
}

} // namespace

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

void FoundCounts::cutOff(std::uint64_t distance, Tokens missing, double oldestS) {
    if (distance < AgedHits::nowhere) {
        addCounts(cut, distance, static_cast<std::uint64_t>(missing));
    }
    cutAged.push_back({.ageS = oldestS,
                       .distance = static_cast<std::uint32_t>(distance),
                       .blocks = static_cast<std::uint32_t>(missing & 0x7fff'ffff),
                       .rises = 0});
}

void FoundCounts::add(const FoundCounts& more) {
    addCounts(differences, more.differences);
    aged.insert(aged.end(), more.aged.begin(), more.aged.end());
    addCounts(cut, more.cut);
    cutAged.insert(cutAged.end(), more.cutAged.begin(), more.cutAged.end());
    tokens += more.tokens;
}

double CapacityCurve::hitWithin(std::uint64_t capacityBlocks, double ttlS) const {
    return references == 0 ? 0
                           : static_cast<double>(foundWithin(aged, capacityBlocks, ttlS)) /
                                 static_cast<double>(references);
}

double CapacityCurve::hitOfTokensWithin(std::uint64_t capacityBlocks, double ttlS) const {
    if (tokens.blockTokens == 0) {
        return hitWithin(capacityBlocks, ttlS);
    }
    return shareOfTokens(tokens, foundWithin(aged, capacityBlocks, ttlS),
                         foundWithin(tokens.cutAged, capacityBlocks, ttlS));
}

double CapacityCurve::hitOfTokens(std::uint64_t capacityBlocks) const {
    if (tokens.blockTokens == 0 || hits.empty() || capacityBlocks == 0) {
        return hit(capacityBlocks);
    }
    const auto upTo = [&](const std::vector<std::uint64_t>& counts) {
        return counts.empty() ? 0 : counts[std::min<std::uint64_t>(capacityBlocks, counts.size()) - 1];
    };
    return shareOfTokens(tokens, upTo(hits), upTo(tokens.cut));
}

std::vector<WeightedSample::Part> CapacityCurve::agesS() const {
    WeightedSample ages;
    for (const AgedHits& run : aged) {
        ages.add(run.ageS, run.blocks);
    }
    return ages.sorted();
}

} // namespace loadline
