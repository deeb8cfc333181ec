// The answer above a composition: how much came from cache, by both measures, and which row stands out.
#include "core/cache/composition/composition.h"
#include "core/session/corpus/usage_caveats.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

std::string readsPerWrite(const CompositionRow& all) {
    if (std::isinf(all.readWriteRatio)) {
        return " Nothing was written to cache in these calls.";
    }
    if (all.totals.usage.cacheWrite == 0) {
        return {};
    }
    return fmt::format(" Each token written was read {} times on average.", formatRatio(all.readWriteRatio));
}

std::string outputPart(const CompositionRow& all) {
    const std::string least = leastOutputCaveat(all.totals);
    return " " + (least.empty()
                      ? fmt::format("Output is {} of all tokens.", formatShare(all.tokenWeighted.output))
                      : least);
}

/// The sessions that no hit rate counts; "" where all tell of a cache.
std::string withoutCache(const Composition& composition) {
    const std::string caveat = untoldCacheCaveat(composition.all.totals.untoldContext,
                                                 composition.sessionsWithoutCache, composition.sessions);
    return caveat.empty() ? caveat : " " + caveat;
}

/// The row that explains most of the prompt tokens, where there are several.
std::string largestPart(const Composition& composition) {
    const Tokens all = composition.all.totals.usage.context();
    if (composition.rows.size() < 2 || all == 0) {
        return {};
    }
    const auto most = std::max_element(composition.rows.begin(), composition.rows.end(),
                                       [](const CompositionRow& a, const CompositionRow& b) {
                                           return a.totals.usage.context() < b.totals.usage.context();
                                       });
    const bool session = composition.group == CompositionGroup::Session;
    const std::string label = excerpt(most->label, quotedCharacters);
    return fmt::format(
        " Most prompt tokens of {} {}s: {} of all, hit rate {}, {}.", composition.rows.size(),
        keyOf(composition.group),
        formatShare(static_cast<double>(most->totals.usage.context()) / static_cast<double>(all)),
        most->totals.recordsCache() ? formatShare(most->hitRate) : std::string("not recorded"),
        session ? "“" + label + "”" : label);
}

} // namespace

std::string compositionSentence(const Composition& composition) {
    const CompositionRow& all = composition.all;
    const Usage& usage = all.totals.usage;
    if (all.totals.calls == 0) {
        return "No API calls are in scope.";
    }
    if (usage.context() == 0) {
        return fmt::format("{} API calls without prompt tokens are in scope.", all.totals.calls);
    }
    if (usage.cacheRead + usage.cacheWrite == 0) {
        return fmt::format("Of {} prompt tokens, the logs of these calls record no cache.",
                           formatCount(static_cast<double>(usage.context()))) +
               outputPart(all) + largestPart(composition);
    }
    std::string text =
        fmt::format("{} of {} prompt tokens were read from cache (average request: {}).{}",
                    formatShare(all.hitRate), formatCount(static_cast<double>(all.totals.toldContext())),
                    formatShare(all.hitRatePerRequest), withoutCache(composition));
    return text + readsPerWrite(all) + outputPart(all) + largestPart(composition);
}

} // namespace loadline
