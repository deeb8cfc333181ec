// Chooses the curve of a machine's cache.
#include "core/cache/reuse/cache_sharing.h"

#include "core/text/counted.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {

std::string_view keyOf(SharingKind kind) {
    return wordOf(kind, {"recorded", "at_once", "alone", "all_requests"});
}

CacheSharing cacheSharingOf(const TraceFigures& figures, const SharedCurve* asked) {
    CacheSharing sharing{.shared = &figures.engine.rev};
    if (!figures.conversations) {
        return sharing;
    }
    if (asked == nullptr && figures.active.recorded) {
        return {.kind = SharingKind::Recorded,
                .shared = &figures.recorded,
                .alone = &figures.engine.rev,
                .sessions = figures.mainChains,
                .atOnce = figures.active.most};
    }
    if (asked == nullptr && !figures.shared.empty()) {
        asked = &figures.shared.back();
    }
    if (asked == nullptr || asked->sessions == 0) {
        sharing.kind = SharingKind::Alone;
        return sharing;
    }
    return {.kind = SharingKind::AtOnce,
            .shared = &asked->rev,
            .alone = &asked->alone,
            .sessions = asked->sessions,
            .atOnce = asked->sessions};
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

} // namespace loadline
