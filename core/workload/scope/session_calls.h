// The distinct API calls and lanes of one session, gathered from all its files.
#pragma once

#include "core/session/corpus/corpus.h"
#include "core/workload/scope/scope_filter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// One distinct call of a session and the copy that stands for it.
struct SessionCall {
    CallIndex call = 0;
    FileIndex file = 0; ///< a file of the session: the call's home if it is one, else the first that holds it
    std::uint32_t index = 0; ///< into that file's calls
    bool inherited = false;  ///< its home is a file of another session
};

/// Each call once, in the order of the session's files.
std::vector<SessionCall> sessionCallsOf(const Corpus& corpus, SessionIndex session);

/// True for a call of a session that is in scope: a call of its own as the selection says; an inherited one
/// may be there through the other session only, so models, agents, dates and brush alone are asked. Keeps
/// references.
class CallsInScope {
public:
    CallsInScope(const Corpus& corpus, const Selection& selection);
    CallsInScope(const CallsInScope&) = delete;

    [[nodiscard]] bool operator()(const SessionCall& call) const;

private:
    const Corpus& corpus_;
    const Selection& selection_;
    Scope counted_;
    ScopeFilter filter_; ///< of counted_
};

/// A strand of a session: one agent, in however many files it was written.
struct SessionLane {
    std::string name; ///< "main", "Explore a1b2c3d", "sidechain 2", "compaction", "prompt suggestions"
    LaneKind kind = LaneKind::Main;
};

/// The lanes of a session, main first, in the order of its files; those of one agent are one.
struct SessionLanes {
    std::vector<SessionLane> lanes;
    std::vector<std::vector<std::uint32_t>> laneOf; ///< by position in Session::files, then LaneIndex
};

SessionLanes sessionLanesOf(const Corpus& corpus, SessionIndex session);

} // namespace loadline
