// One API call from its lines: the de-duplication rule within a file (spec section 1.4).
#pragma once

#include "core/base/hash_index.h"
#include "core/session/facts/record_facts.h"

#include <cstdint>
#include <vector>

namespace loadline::facts {

/// Fed with call lines in file order; then take() gives the calls.
class CallMerger {
public:
    /// Facts of a line that its CallFacts do not hold.
    struct Line {
        RecordPlace place;
        TimeMs time = unknownTime;
        NameIndex model = noName;
        NameIndex version = noName;
        LaneIndex lane = 0;
        bool sidechain = false;
        bool duplicate = false; ///< a copy of a record that was there before: its content is not new
    };

    struct Added {
        std::uint32_t index = 0;
        bool isNew = false;
    };

    Added add(const CallFacts& facts, const Line& line);

    [[nodiscard]] ApiCall& operator[](std::uint32_t index) { return calls_[index]; }

    /// Drops replays: of calls with one message id under several request ids of which some are sidechain and
    /// some not, the sidechain ones (/btw). Returns for each index added its final one.
    std::vector<std::uint32_t> dropReplays();
    /// The calls with their output quality.
    std::vector<ApiCall> take();

private:
    std::vector<ApiCall> calls_;
    std::vector<std::uint8_t> final_;     ///< parallel: some line has a stop_reason
    std::vector<std::uint64_t> messages_; ///< parallel
    HashIndex byKey_;
    HashIndex byMessage_;
    bool messageRepeats_ = false;
};

/// Judges an output count that is not final.
OutputQuality qualityOf(const ApiCall& call, bool final);

} // namespace loadline::facts
