// Chooses the curve of a machine's cache.
#include "core/cache/reuse/cache_sharing.h"

#include "core/text/counted.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

std::string_view keyOf(SharingKind kind) {
    return wordOf(kind, {"recorded", "at_once", "alone", "all_requests"});
}

CacheSharing cacheSharingOf(const TraceFigures& figures, const SharedCurve* asked, std::size_t replicas) {
    const auto dealt = std::ranges::find(figures.dealt, replicas, &DealtCurve::replicas);
    const CapacityCurve* ofReplicas = dealt == figures.dealt.end() ? nullptr : &dealt->curve;
    CacheSharing sharing{.shared = &figures.engine.contiguousBlocks, .replicas = replicas};
    if (!figures.conversations) {
        sharing.shared = ofReplicas != nullptr ? ofReplicas : sharing.shared;
        return sharing;
    }
    if (asked == nullptr && figures.blockTokens > 0 && figures.mainChains > 0) {
        const bool isRecorded = figures.active.recorded;
        return {.kind = isRecorded ? SharingKind::Recorded : SharingKind::AtOnce,
                .shared = ofReplicas != nullptr ? ofReplicas
                          : isRecorded          ? &figures.recorded
                                                : &figures.atOnce,
                .alone = &figures.engine.contiguousBlocks,
                .sessions = figures.mainChains,
                .atOnce = isRecorded ? figures.active.most : figures.mainChains,
                .replicas = replicas};
    }
    if (asked == nullptr || asked->sessions == 0) {
        sharing.kind = SharingKind::Alone;
        return sharing;
    }
    return {.kind = SharingKind::AtOnce,
            .shared = &asked->contiguous,
            .alone = &asked->contiguousAlone,
            .sessions = asked->sessions,
            .atOnce = asked->sessions,
            .replicas = replicas};
}

double hitWithin(const TraceFigures& figures, const CacheSharing& sharing, std::uint64_t capacityBlocks,
                 double ttlS) {
    return sharing.kind == SharingKind::Alone
               ? std::min(figures.ttlHit(ttlS), sharing.shared->hit(capacityBlocks))
               : sharing.shared->hitWithin(capacityBlocks, ttlS);
}

std::string wordsOf(const CacheSharing& sharing) {
    switch (sharing.kind) {
    case SharingKind::Recorded:
        return fmt::format("{} at {} recorded times, at most {} within {}",
                           counted(sharing.sessions, "session"), sharing.sessions == 1 ? "its" : "their",
                           formatExact(static_cast<std::int64_t>(sharing.atOnce)), activeWithin);
    case SharingKind::AtOnce:
        return sharing.sessions == 1 ? std::string("1 session")
                                     : counted(sharing.sessions, "session") + " that begin at once";
    case SharingKind::Alone:
        return "sessions, each with the node to itself";
    default:
        return "all requests";
    }
}

std::string routingWords(const CacheSharing& sharing) {
    if (sharing.replicas <= 1) {
        return "";
    }
    return fmt::format("{} {} replicas",
                       sharing.kind == SharingKind::AllAsOne ? "requests in turn to"
                                                             : "each session on one of",
                       formatExact(static_cast<std::int64_t>(sharing.replicas)));
}

} // namespace loadline
