// What can be chosen of the charts of caches.
#pragma once

#include "app/choices/choice.h"
#include "core/cache/figure/cache_figure.h"
#include "core/cache/figure/cache_settings.h"

#include <string>

namespace loadline::app {

namespace choices {

extern const Choice<std::string> trace; ///< a file, archive or folder; "": none
extern const Choice<bool> traceShown;   ///< where there is one: it, not the sessions
extern const Choice<bool> subAgents;    ///< their requests count too
extern const Choice<LruCount> lruCount;
extern const Choice<double> ttlS;
extern const Choice<std::string> cacheModel;
extern const Choice<double> kvBytesPerValue;
extern const Choice<std::optional<double>> bytesPerWeight;
extern const Choice<std::optional<int>> tensorParallel;
extern const Choice<std::string> tiers; ///< as cacheTiersFromText reads them
extern const Choice<SplitFleet> split;
extern const Choice<std::string> chain;

} // namespace choices

/// The trace that the charts of caches speak of; "": the sessions.
std::string traceOf(const Choices& all);

/// Whose requests the charts of caches count.
SubAgents subAgentsOf(const Choices& all);

/// `shown`: the figure whose longest turn the usual replica has room for; null: not known yet.
CacheSettings cacheSettings(const Choices& all, const CacheFigure* shown = nullptr);
void setCacheSettings(Choices& all, const CacheSettings& settings);

} // namespace loadline::app
