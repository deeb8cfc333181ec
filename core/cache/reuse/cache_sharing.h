// Whose blocks one cache of a machine holds, unless another number of sessions is asked for.
#pragma once

#include "core/cache/reuse/trace_figures.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace loadline {

enum class SharingKind : std::uint8_t {
    Recorded, ///< all sessions, at the times at which they were recorded
    AtOnce,   ///< sessions that begin together: no times are recorded, or a number of them is asked for
    Alone,    ///< none has requests enough to tell what sharing costs: each with the machine to itself
    AllAsOne, ///< requests of everybody, which are not told apart
};
std::string_view keyOf(SharingKind kind); ///< "recorded", "at_once", "alone", "all_requests"

/// Points into the figures, and into the curve that was asked for.
struct CacheSharing {
    SharingKind kind = SharingKind::AllAsOne;
    const CapacityCurve* shared = nullptr; ///< never null
    const CapacityCurve* alone = nullptr; ///< of the same, each with a cache to itself; null: AllAsOne, Alone
    std::size_t sessions = 1;             ///< whose blocks they are
    std::size_t atOnce = 1;               ///< of them active at the same time, at most
    std::size_t replicas = 1;             ///< to which they are dealt; curves are by the capacity of one
};

/// `asked`: of so many sessions, dealt to as many replicas; null: as recorded. Precondition: `replicas` is 1
/// or one of figures.dealt, unless the trace tells no blocks.
CacheSharing cacheSharingOf(const TraceFigures& figures, const SharedCurve* asked = nullptr,
                            std::size_t replicas = 1);

/// Hit rate of what they share with so many blocks a replica, where a block is forgotten that nobody held for
/// `ttlS`. Sessions that share nothing (Alone) hit no more than they do under either limit.
double hitWithin(const TraceFigures& figures, const CacheSharing& sharing, std::uint64_t capacityBlocks,
                 double ttlS);

/// "39 sessions at their recorded times, at most 2 within 5 min", "586 sessions that begin at once",
/// "all requests".
std::string wordsOf(const CacheSharing& sharing);

/// "each session on one of 2 replicas", "requests in turn to 8 replicas"; "" with one replica.
std::string routingWords(const CacheSharing& sharing);

} // namespace loadline
