// A scope made ready to ask of one call or record after the other.
#pragma once

#include "core/workload/scope/scope.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// No model: a turn without calls.
inline constexpr ModelIndex noModel = 0xffffffff;

/// Answers for a corpus whether things are in scope; the brush is not asked here. Keeps references.
class ScopeFilter {
public:
    ScopeFilter(const Corpus& corpus, const Scope& scope);

    /// True if something that happened in this lane of this file is in scope.
    [[nodiscard]] bool accepts(FileIndex file, LaneIndex lane, TimeMs time, ModelIndex model) const;
    /// True if a session that is home to no call is in scope.
    [[nodiscard]] bool acceptsEmpty(SessionIndex session) const;

private:
    [[nodiscard]] bool agentIn(FileIndex file, LaneIndex lane) const;
    void listLanes(SessionIndex session);
    [[nodiscard]] bool timeIn(TimeMs time) const;

    const Corpus& corpus_;
    const Scope& scope_;
    std::vector<std::uint8_t> sessionListed_; ///< by session: passes the lists of sessions and projects
    std::vector<std::uint8_t> sessionText_;   ///< by session: the text is in title, project or id
    std::vector<std::uint8_t> fileText_;      ///< by file: ... in its session or its path
    std::vector<std::uint8_t> modelListed_;
    std::vector<std::uint8_t> modelText_;
    std::vector<std::vector<std::uint8_t>> laneListed_; ///< by file, lane: named; empty: no lane is
};

} // namespace loadline
