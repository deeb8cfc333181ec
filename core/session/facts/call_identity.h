// Which call an assistant line is of, where ids are missing or are not those of single calls.
#pragma once

#include "core/base/hash_index.h"
#include "core/session/facts/record_facts.h"
#include "core/session/session_file.h"

#include <map>
#include <vector>

namespace loadline::facts {

/// Fed with the records of one file in order. Lines without message.id and requestId are of one call if they
/// have the same prompt and one follows the other: by its parent, without a parent as no user record lies
/// between them. Lines with one id but different prompts that do not follow each other are of different
/// calls: some gateways give all calls one id.
class CallIdentity {
public:
    /// An oddity of the line's id.
    enum class Oddity : std::uint8_t { None, NoId, RepeatedId };

    struct Identified {
        Hash128 key;
        std::uint64_t message = 0; ///< as CallFacts::message; 0 if it is not the call's own
        Oddity oddity = Oddity::None;
    };

    /// Precondition: facts.counts. `duplicate`: the record was there before.
    Identified identify(const CallFacts& facts, const RecordFacts& record, LaneIndex lane, bool duplicate);
    /// A user record ends the message before it in the lane.
    void addUser(LaneIndex lane) { ++usersIn_[lane]; }
    /// Gives the first call of a repeated id a key of its own, too.
    void rename(ApiCall& call) const;

private:
    /// The latest line of a call.
    struct CallEnd {
        Hash128 key;      ///< of the call
        Hash128 firstKey; ///< given by its first line alone: unlike that of any other call
        Hash128 uuid;     ///< of the line; zero: none
        Usage usage;
        LaneIndex lane = 0;
        std::uint64_t users = 0; ///< user records of the lane before the line
        bool repeats = false;    ///< the id is known to be that of several calls
    };

    [[nodiscard]] bool follows(const CallEnd& end, const RecordFacts& record, LaneIndex lane) const;
    Identified withoutId(const CallFacts& facts, const RecordFacts& record, LaneIndex lane);

    std::map<LaneIndex, std::uint64_t> usersIn_;
    HashIndex ids_;             ///< key of an id: index into ends_
    std::vector<CallEnd> ends_; ///< the latest call of each id
    HashIndex unnamed_;         ///< uuid of a line without ids: index into unnamedEnds_
    std::vector<CallEnd> unnamedEnds_;
    std::map<LaneIndex, std::uint32_t> lastUnnamed_; ///< index into unnamedEnds_
    std::map<Hash128, Hash128> renamed_;             ///< first calls of repeated ids
};

} // namespace loadline::facts
