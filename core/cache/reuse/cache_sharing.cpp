// Chooses the curve of a machine's cache.
#include "core/cache/reuse/cache_sharing.h"

#include "core/text/counted.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

std::string_view keyOf(SharingKind kind) {
    return wordOf(kind, {"recorded", "at_once", "all_requests"});
}

CacheSharing cacheSharingOf(const TraceFigures& figures, const SharedCurve* asked, std::size_t replicas) {
    if (!figures.conversations) {
        return {.shared = &figures.dealtTo(replicas),
                .replicas = replicas,
                .traces = std::max<std::size_t>(figures.mainChains, 1),
                .leastHits = figures.leastHits};
    }
    if (asked != nullptr) {
        return {.kind = SharingKind::AtOnce,
                .shared = &asked->contiguous,
                .alone = &asked->contiguousAlone,
                .sessions = asked->sessions,
                .atOnce = asked->sessions,
                .replicas = replicas,
                .leastHits = figures.leastHits};
    }
    const bool isRecorded = figures.active.recorded;
    return {.kind = isRecorded ? SharingKind::Recorded : SharingKind::AtOnce,
            .shared = &figures.dealtTo(replicas),
            .alone = &figures.engine.contiguousBlocks,
            .sessions = figures.mainChains,
            .atOnce = isRecorded ? figures.active.most : figures.mainChains,
            .replicas = replicas,
            .agents = figures.agentsCounted,
            .beginTogether = figures.active.beginTogether,
            .leastHits = figures.leastHits,
            .most = figures.most ? &figures.most->dealtTo(replicas) : nullptr,
            .mostAlone = figures.most ? &figures.most->engine.contiguousBlocks : nullptr};
}

std::string wordsOfSharers(const CacheSharing& sharing) {
    const std::size_t sessions = sharing.sessions - sharing.agents;
    const std::string agents = counted(sharing.agents, "sub-agent");
    return sharing.agents == 0 ? counted(sessions, "session")
           : sessions == 0     ? agents
                               : counted(sessions, "session") + " and " + agents;
}

std::string wordsOfTimes(const CacheSharing& sharing) {
    if (sharing.beginTogether && sharing.agents > 0 && sharing.agents < sharing.sessions) {
        const std::size_t sessions = sharing.sessions - sharing.agents;
        return fmt::format("{} that {} at once and {} at their recorded times", counted(sessions, "session"),
                           sessions == 1 ? "begins" : "begin", counted(sharing.agents, "sub-agent"));
    }
    return fmt::format("{} at {} recorded times", wordsOfSharers(sharing),
                       sharing.sessions == 1 ? "its" : "their");
}

std::string wordsOf(const CacheSharing& sharing) {
    switch (sharing.kind) {
    case SharingKind::Recorded:
        return fmt::format("{}, at most {} within {}", wordsOfTimes(sharing),
                           formatExact(static_cast<std::int64_t>(sharing.atOnce)), activeWithin);
    case SharingKind::AtOnce:
        return sharing.sessions == 1 ? std::string("1 session")
                                     : wordsOfSharers(sharing) + " that begin at once";
    default:
        return sharing.traces == 1 ? "all requests"
                                   : fmt::format("all requests of {} traces that begin together",
                                                 formatExact(static_cast<std::int64_t>(sharing.traces)));
    }
}

std::string timesSentence(const CacheSharing& sharing) {
    if (sharing.sessions == 1 || sharing.kind == SharingKind::AllAsOne) {
        return "";
    }
    if (sharing.kind == SharingKind::AtOnce) {
        return "The trace does not record when sessions begin.";
    }
    return fmt::format("At most {} of them {} active within {}.",
                       formatExact(static_cast<std::int64_t>(sharing.atOnce)),
                       sharing.atOnce == 1 ? "is" : "are", activeWithin);
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
