#include "core/session/facts/lane_finder.h"

#include <limits>
#include <utility>

namespace loadline::facts {

LaneFinder::LaneFinder(LaneKind kind, std::string agentId, std::string agentType)
    : lanes_{Lane{.kind = kind, .agentId = std::move(agentId), .agentType = std::move(agentType)}},
      requests_{unknownTime} {}

LaneIndex LaneFinder::newLane(std::string agentId, const UserFacts* user) {
    if (lanes_.size() > std::numeric_limits<LaneIndex>::max()) {
        return std::numeric_limits<LaneIndex>::max(); // further strands share the last lane
    }
    Lane lane{.kind = LaneKind::InlineSidechain, .agentId = std::move(agentId), .agentType = {}};
    if (user && user->textPrint != 0) {
        const auto type = typesByPrompt_.find(user->textPrint);
        lane.agentType = type != typesByPrompt_.end() ? type->second : std::string();
    }
    lanes_.push_back(std::move(lane));
    requests_.push_back(unknownTime);
    return static_cast<LaneIndex>(lanes_.size() - 1);
}

LaneIndex LaneFinder::laneOf(const RecordFacts& record, const UserFacts* user, const NameTable& names) {
    if (!record.sidechain || lanes_[0].kind != LaneKind::Main) {
        return 0;
    }
    std::uint32_t lane = HashIndex::none;
    const std::string& agentId = names.name(record.agentId);
    if (!agentId.empty()) {
        const auto found = lanesByAgent_.find(agentId);
        lane = found != lanesByAgent_.end()
                   ? found->second
                   : lanesByAgent_.emplace(agentId, newLane(agentId, user)).first->second;
    } else if (!record.uuid.isZero()) {
        lane = lanesByRecord_.find(record.uuid);
    }
    if (lane == HashIndex::none && !record.parent.isZero()) {
        lane = lanesByRecord_.find(record.parent);
    }
    if (lane == HashIndex::none) {
        lane = newLane({}, user);
    }
    if (!record.uuid.isZero()) {
        lanesByRecord_.findOrAdd(record.uuid, lane);
    }
    return static_cast<LaneIndex>(lane);
}

void LaneFinder::addAgentCall(std::uint64_t promptPrint, const std::string& agentType) {
    if (promptPrint != 0 && !agentType.empty()) {
        typesByPrompt_[promptPrint] = agentType;
    }
}

void LaneFinder::addRequest(LaneIndex lane, TimeMs time) {
    if (isKnown(time)) {
        requests_[lane] = time;
    }
}

TimeMs LaneFinder::takeRequest(LaneIndex lane) {
    return std::exchange(requests_[lane], unknownTime);
}

} // namespace loadline::facts
