// The Sessions list as a value: project > session > agents with what each used, and its orders.
#pragma once

#include "core/workload/scope/scope.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace loadline {

enum class SessionColumn : std::uint8_t {
    Name,
    AllTokens, ///< input + cache write + cache read + output
    Cost,      ///< at list prices
    Start,
    Duration,
    Turns, ///< prompt turns
    Calls,
    Input,
    CacheWrite,
    CacheRead,
    Output,
    HitRate,
    Model,
};
inline constexpr std::size_t sessionColumnCount = 13;

enum class SessionNodeKind : std::uint8_t { Project, Session, Agent };

/// One row of the list. Figures are over the distinct API calls below it that pass the scope's models,
/// agents, dates and brush. A call inherited from another session counts there alone, so that rows sum to
/// what is above them and every view says the same.
struct SessionNode {
    SessionNodeKind kind = SessionNodeKind::Project;
    std::uint32_t parent = noParent;
    std::uint32_t firstChild = 0, children = 0; ///< nodes[firstChild, firstChild + children)
    SessionIndex session = 0;                   ///< of a session and its agents
    FileIndex file = 0;                         ///< of an agent; a session's first file
    LaneIndex lane = 0;                         ///< of an agent, in that file
    std::string key;  ///< stable identity: the project's path, Session::key, or that and the agent's
    std::string name; ///< project folder, session title or agent
    std::string note; ///< short session or agent id; the folder above where project names repeat
    TimeMs firstTime = unknownTime, lastTime = unknownTime; ///< over all its records
    std::uint64_t turns = 0;
    UsageTotals totals;
    std::vector<ModelIndex> models;   ///< of its calls, by descending number
    std::uint64_t inheritedCalls = 0; ///< beside totals
    std::uint64_t diagnostics = 0;
    bool losesData = false; ///< one of them says that something was lost

    static constexpr std::uint32_t noParent = 0xffffffff;

    [[nodiscard]] Tokens tokens() const { return totals.usage.context() + totals.usage.output; }

    [[nodiscard]] bool hasDuration() const { return isKnown(firstTime) && isKnown(lastTime); }
};

/// Nodes level by level: projects, then sessions, then agents; the children of a node are neighbours.
struct SessionTree {
    std::shared_ptr<const Corpus> corpus;
    std::vector<SessionNode> nodes;
    std::uint32_t projects = 0; ///< nodes[0, projects)
    std::uint64_t sessions = 0; ///< in the list
    UsageTotals totals;         ///< of the calls that are home in the list: as pages count them
};

/// The sessions that the scope lets through, its choice of sessions aside: the list is what one chooses from.
/// Agents without a call in scope are left out. `method` makes the turns that a brush speaks of.
SessionTree sessionTreeOf(std::shared_ptr<const Corpus> corpus, const Scope& scope,
                          TurnMethod method = TurnMethod::ApiCall);

/// The nodes of the tree in display order, children ordered within their parent: a permutation that keeps
/// each node's children in the same range. Equal rows stay in the tree's order; unknown values come last.
std::vector<std::uint32_t> orderOf(const SessionTree& tree, SessionColumn column, bool descending);

} // namespace loadline
