// Which strand of the conversation a record belongs to.
#pragma once

#include "core/base/hash_index.h"
#include "core/session/facts/record_facts.h"

#include <map>
#include <string>
#include <vector>

namespace loadline::facts {

/// Fed with the records of one file in order. The records of a sub-agent's own file are all one lane. In a
/// main file the sidechain records (CLI 1.0.x) are told apart by agentId, else by their chain of parents.
class LaneFinder {
public:
    LaneFinder(LaneKind kind, std::string agentId, std::string agentType);

    /// `user`: its facts if it is a user record. Names are those of the part.
    LaneIndex laneOf(const RecordFacts& record, const UserFacts* user, const NameTable& names);
    /// A tool call that starts a sub-agent of some type with a prompt.
    void addAgentCall(std::uint64_t promptPrint, const std::string& agentType);
    /// Time of the latest record in the lane that a request can answer and none has answered yet.
    TimeMs takeRequest(LaneIndex lane);
    void addRequest(LaneIndex lane, TimeMs time);

    [[nodiscard]] std::vector<Lane> takeLanes() { return std::move(lanes_); }

private:
    LaneIndex newLane(std::string agentId, const UserFacts* user);

    std::vector<Lane> lanes_;
    std::vector<TimeMs> requests_; ///< by lane
    HashIndex lanesByRecord_;      ///< uuids of sidechain records
    std::map<std::string, LaneIndex> lanesByAgent_;
    std::map<std::uint64_t, std::string> typesByPrompt_;
};

} // namespace loadline::facts
