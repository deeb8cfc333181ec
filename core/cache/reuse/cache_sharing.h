// Whose blocks one cache of a machine holds, unless another number of sessions is asked for.
#pragma once

#include "core/cache/reuse/trace_figures.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

enum class SharingKind : std::uint8_t {
    Recorded, ///< all sessions, at the times at which they were recorded
    AtOnce,   ///< sessions that begin together: no times are recorded, or a number of them is asked for
    AllAsOne, ///< requests of everybody, which are not told apart
};
std::string_view keyOf(SharingKind kind); ///< "recorded", "at_once", "all_requests"

/// Points into the figures, and into the curve that was asked for.
struct CacheSharing {
    SharingKind kind = SharingKind::AllAsOne;
    const CapacityCurve* shared = nullptr;    ///< never null
    const CapacityCurve* alone = nullptr;     ///< of the same, each with a cache to itself; null: AllAsOne
    std::size_t sessions = 1;                 ///< whose blocks they are
    std::size_t atOnce = 1;                   ///< of them active at the same time, at most
    std::size_t replicas = 1;                 ///< to which they are dealt; curves are by the capacity of one
    std::size_t traces = 1;                   ///< of AllAsOne: whose requests they are, which begin together
    std::size_t agents = 0;                   ///< sub-agents among `sessions`, each counted as one
    bool beginTogether = false;               ///< Recorded: of sub-agents within their sessions alone
    bool leastHits = false;                   ///< TraceFigures::leastHits
    const CapacityCurve* most = nullptr;      ///< `shared` of TraceFigures::most; null: there is none
    const CapacityCurve* mostAlone = nullptr; ///< `alone` likewise

    /// True if `shared` is of requests that CapacityCurves has apart, by trace, or not by replica.
    [[nodiscard]] bool isReplay() const {
        return kind == SharingKind::AllAsOne && (replicas > 1 || traces > 1);
    }

    /// True if requests go to several replicas in turn.
    [[nodiscard]] bool takesTurns() const { return kind == SharingKind::AllAsOne && replicas > 1; }
};

/// `asked`: of so many sessions, dealt to as many replicas; null: as recorded. Precondition: `replicas` is
/// one of figures.dealt, unless the trace tells no blocks.
CacheSharing cacheSharingOf(const TraceFigures& figures, const SharedCurve* asked = nullptr,
                            std::size_t replicas = 1);

/// "39 sessions", "3 sessions and 45 sub-agents", "45 sub-agents".
std::string wordsOfSharers(const CacheSharing& sharing);

/// "39 sessions at their recorded times"; of sessions that begin together "8 sessions that begin at once and
/// 21 sub-agents at their recorded times". Precondition: Recorded.
std::string wordsOfTimes(const CacheSharing& sharing);

/// "39 sessions at their recorded times, at most 2 within 5 min", "586 sessions that begin at once",
/// "all requests", "all requests of 2 traces that begin together", "3 sessions and 45 sub-agents at ...".
std::string wordsOf(const CacheSharing& sharing);

/// "At most 2 of them are active within 5 min.", "The trace does not record when sessions begin."; "" of one
/// session, and of requests.
std::string timesSentence(const CacheSharing& sharing);

/// "each session on one of 2 replicas", "requests in turn to 8 replicas"; "" with one replica.
std::string routingWords(const CacheSharing& sharing);

} // namespace loadline
