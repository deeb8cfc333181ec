// From what is set to bytes and tokens.
#include "core/cache/figure/cache_settings.h"

#include <algorithm>

namespace loadline {

std::string_view keyOf(LruCount count) {
    return count == LruCount::Contiguous ? "contiguous" : count == LruCount::Fwd ? "fwd" : "rev";
}

const CapacityCurve& curveOf(const CapacityCurves& curves, LruCount count) {
    return count == LruCount::Contiguous ? curves.contiguousTokens
           : count == LruCount::Fwd      ? curves.fwd
                                         : curves.rev;
}

const CacheModel& modelOf(const CacheSettings& settings) {
    const auto models = cacheModels();
    const auto found = std::ranges::find(models, settings.model, &CacheModel::key);
    return found == models.end() ? models.front() : *found;
}

KvLayout layoutOf(const CacheSettings& settings) {
    return {&modelOf(settings), settings.tensorParallel, settings.bytesPerValue};
}

double tokensUpTo(const CacheSettings& settings, std::size_t tier) {
    constexpr double bytesPerGB = 1e9;
    double bytes = 0;
    for (std::size_t i = 0; i <= tier && i < settings.tiers.size(); ++i) {
        bytes += settings.tiers[i].capacityGB * bytesPerGB;
    }
    return bytes / layoutOf(settings).bytesPerToken();
}

} // namespace loadline
