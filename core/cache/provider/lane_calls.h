// The API calls of each lane in order of time: what followed what before the provider's cache.
#pragma once

#include "core/workload/timeline/session_calls.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// Times to live for which providers write blocks; the shorter one is the default.
inline constexpr std::int64_t fiveMinutesMs = 300'000;
inline constexpr std::int64_t oneHourMs = 3'600'000;

struct LaneCall {
    SessionCall place;
    const CorpusCall* call = nullptr; ///< never null
    const ApiCall* copy = nullptr;    ///< never null: as a file of the session has it
    TimeMs start = unknownTime;       ///< of the record that it answers, else of its first line
    /// For how long the lane's cache was last written by then; 0: no log tells.
    std::int64_t livesMs = 0;
};

struct LaneCalls {
    SessionIndex session = 0;
    SessionLane lane;
    std::vector<LaneCall> calls; ///< never empty; those without any tokens are left out
    /// True if any call of the session, in scope or not, read or wrote the provider's cache.
    bool recordsCache = true;
};

inline bool isMain(const LaneCalls& lane) {
    return lane.lane.kind == LaneKind::Main;
}

/// Precondition: both are known.
inline double secondsBetween(TimeMs from, TimeMs to) {
    constexpr double msPerS = 1000;
    return static_cast<double>(to.ms - from.ms) / msPerS;
}

/// Of the calls in scope and behind the brush, inherited ones too; main lanes first. Keeps pointers into the
/// corpus.
std::vector<LaneCalls> laneCallsOf(const Corpus& corpus, const Selection& selection);

} // namespace loadline
