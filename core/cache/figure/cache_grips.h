// The fields of caches that a hand can drag in a plot.
#pragma once

#include "core/ask/field.h"
#include "core/cache/figure/cache_settings.h"

namespace loadline {

/// "ttl-s", "prefill-share" and "tiers", whose parts are capacities in GB. They lie in CacheSettings.
ask::Fields cacheGrips();

} // namespace loadline
