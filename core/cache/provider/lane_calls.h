// The API calls of each lane in order of time, as the provider's cache met them.
#pragma once

#include "core/workload/scope/session_calls.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// Times to live for which providers write blocks; the shorter one is the default.
inline constexpr std::int64_t fiveMinutesMs = 300'000;
inline constexpr std::int64_t oneHourMs = 3'600'000;

/// Stands for a call of a lane where there is none.
inline constexpr std::size_t noCallBefore = static_cast<std::size_t>(-1);

struct LaneCall {
    SessionCall place;
    const CorpusCall* call = nullptr; ///< never null
    const ApiCall* copy = nullptr;    ///< never null: as a file of the session has it
    TimeMs start = unknownTime;       ///< of the record that it answers, else of its first line
    /// Tokens of the prompt that were in the provider's cache behind it: read and written; where the lane's
    /// cache is automatic, the whole prompt.
    Tokens left = 0;
    /// Time to live, in ms, with which the lane's cache was last written by then; 0: no log tells.
    std::int64_t livesMs = 0;
    /// Index of the call that its prompt goes on from: the nearest one up its chain of parents; without a
    /// chain the one before it in time. noCallBefore: it begins the lane.
    std::size_t before = noCallBefore;
    /// Leading tokens of the prompt that are those of `before`, whatever was read of them: the provider kept
    /// them, as a later read of exactly that prefix proves. 0: nothing proves it.
    Tokens keptAllTheSame = 0;
};

struct LaneCalls {
    SessionIndex session = 0;
    SessionLane lane;
    std::vector<LaneCall> calls; ///< never empty; those without any tokens are left out
    /// True if any call of the session, in scope or not, read or wrote the provider's cache.
    bool recordsCache = true;
    /// True if the provider caches prompts by itself: the session records reads that grow, and no writes.
    bool isAutomatic = false;
};

inline bool isMain(const LaneCalls& lane) {
    return lane.lane.kind == LaneKind::Main;
}

/// Precondition: both are known.
inline double secondsBetween(TimeMs from, TimeMs to) {
    constexpr double msPerS = 1000;
    return static_cast<double>(to.ms - from.ms) / msPerS;
}

struct PromptBefore {
    std::size_t call = noCallBefore;    ///< whose prompt holds all that was read; none: the model's first
    std::size_t chained = noCallBefore; ///< the nearest one up the chain (LaneCall::before)
};

/// Returns by call of the lane the call to the same model that shares most of its prompt: the nearest one up
/// the chain; if it read more than that one's prompt, the last that went on from the same one, else the last
/// one of all. Inherited calls count as others do.
std::vector<PromptBefore> sameModelBefore(const LaneCalls& lane);

/// Returns the lanes of the calls in scope and behind the brush, inherited calls too; main lanes first. Keeps
/// pointers into the corpus.
std::vector<LaneCalls> laneCallsOf(const Corpus& corpus, const Selection& selection);

} // namespace loadline
