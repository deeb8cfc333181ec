#include "core/session/facts/call_identity.h"

#include "core/session/facts/one_call.h"

#include <string>

namespace loadline::facts {
namespace {

/// Unlike that of any other record: from its uuid, else from its place.
Hash128 ownKeyOf(const RecordFacts& record, const Hash128& id) {
    const std::string own = record.uuid.isZero()
                                ? std::to_string(record.place.line)
                                : std::to_string(record.uuid.high) + ":" + std::to_string(record.uuid.low);
    return hashOf(std::to_string(id.high) + ":" + std::to_string(id.low), own);
}

} // namespace

bool CallIdentity::follows(const CallEnd& end, const RecordFacts& record, LaneIndex lane) const {
    if (!record.parent.isZero() && !end.uuid.isZero()) {
        return record.parent == end.uuid;
    }
    const auto users = usersIn_.find(lane);
    return end.lane == lane && end.users == (users == usersIn_.end() ? 0 : users->second);
}

CallIdentity::Identified CallIdentity::withoutId(const CallFacts& facts, const RecordFacts& record,
                                                 LaneIndex lane) {
    std::uint32_t before = record.parent.isZero() ? HashIndex::none : unnamed_.find(record.parent);
    if (const auto last = lastUnnamed_.find(lane); before == HashIndex::none && last != lastUnnamed_.end()) {
        before = last->second;
    }
    CallEnd end{.key = facts.key,
                .firstKey = facts.key,
                .uuid = record.uuid,
                .usage = facts.usage,
                .lane = lane,
                .users = usersIn_[lane]};
    const bool isTold = facts.usage.context() > 0 || !record.parent.isZero(); // else nothing tells
    if (before != HashIndex::none && isTold && follows(unnamedEnds_[before], record, lane) &&
        canBeOneCall(unnamedEnds_[before].usage, facts.usage)) {
        end.key = unnamedEnds_[before].key;
    }
    const auto next = static_cast<std::uint32_t>(unnamedEnds_.size());
    unnamedEnds_.push_back(end);
    lastUnnamed_[lane] = next;
    if (!record.uuid.isZero()) {
        unnamed_.findOrAdd(record.uuid, next);
    }
    return {end.key, 0, Oddity::NoId};
}

CallIdentity::Identified CallIdentity::identify(const CallFacts& facts, const RecordFacts& record,
                                                LaneIndex lane, bool duplicate) {
    if (!facts.named) {
        if (const std::uint32_t known = duplicate ? unnamed_.find(record.uuid) : HashIndex::none;
            known != HashIndex::none) {
            return {unnamedEnds_[known].key, 0, Oddity::NoId};
        }
        return withoutId(facts, record, lane);
    }
    const auto next = static_cast<std::uint32_t>(ends_.size());
    const std::uint32_t index = ids_.findOrAdd(facts.key, next);
    if (index == next) {
        ends_.push_back({.key = facts.key,
                         .firstKey = ownKeyOf(record, facts.key),
                         .uuid = record.uuid,
                         .usage = facts.usage});
    }
    CallEnd& end = ends_[index];
    const bool isNext = !duplicate && index != next && !follows(end, record, lane) &&
                        (end.repeats || !canBeOneCall(end.usage, facts.usage));
    if (isNext) {
        renamed_.emplace(facts.key, end.firstKey); // of the first one alone: others have such keys already
        end.repeats = true;
        end.key = ownKeyOf(record, facts.key);
        end.usage = facts.usage;
    }
    if (!duplicate) {
        end.uuid = record.uuid;
        end.lane = lane;
        end.users = usersIn_[lane];
        end.usage = maxOf(end.usage, facts.usage);
    }
    return {end.key, end.repeats ? 0 : facts.message, isNext ? Oddity::RepeatedId : Oddity::None};
}

void CallIdentity::rename(ApiCall& call) const {
    if (const auto found = renamed_.find(call.key); found != renamed_.end()) {
        call.key = found->second;
        call.messageId = 0;
    }
}

} // namespace loadline::facts
