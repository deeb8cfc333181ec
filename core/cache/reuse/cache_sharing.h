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
};

/// `asked`: of so many sessions; null: as recorded.
CacheSharing cacheSharingOf(const TraceFigures& figures, const SharedCurve* asked = nullptr);

/// "39 sessions at their recorded times, at most 2 within 5 min", "586 sessions that begin at once",
/// "all requests".
std::string wordsOf(const CacheSharing& sharing);

} // namespace loadline
