// The fields of caches that a hand can drag in a plot.
#include "core/cache/figure/cache_grips.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline {
namespace {

std::vector<double> capacitiesGB(const void* question) {
    std::vector<double> capacities;
    for (const CacheTier& tier : static_cast<const CacheSettings*>(question)->tiers) {
        capacities.push_back(tier.capacityGB);
    }
    return capacities;
}

void setCapacityGB(void* question, std::size_t tier, double capacityGB) {
    constexpr double same = 1e-9; // a click beside a line moves nothing
    CacheTiers& tiers = static_cast<CacheSettings*>(question)->tiers;
    if (tier < tiers.size() && std::abs(tiers[tier].capacityGB - capacityGB) > same * capacityGB) {
        tiers[tier].capacityGB = std::clamp(capacityGB, tierCapacitiesGB.least, tierCapacitiesGB.most);
    }
}

} // namespace

ask::Fields cacheGrips() {
    constexpr double longestS = 1e9;
    static const std::array fields = {
        ask::Field{.key = "ttl-s",
                   .access = ask::bound<&CacheSettings::ttlS>(),
                   .words = {.name = "time to live"},
                   .range = {1, longestS},
                   .traits = {.digits = 2, .form = ask::Form::Seconds}},
        ask::Field{
            .key = "tiers",
            .access = ask::inWords<CacheSettings>(),
            .words = {.name = "tiers", .noun = "a tier's capacity"},
            .range = tierCapacitiesGB,
            .traits = {.isOption = false, .digits = 3, .parts = capacitiesGB, .setPart = setCapacityGB}},
        ask::Field{.key = "prefill-share",
                   .access = ask::bound<&CacheSettings::fleet, &SplitFleet::prefillShare>(),
                   .words = {.name = "prefill share"},
                   .range = {0, 1},
                   .traits = {.isOption = false}}};
    return fields;
}

} // namespace loadline
