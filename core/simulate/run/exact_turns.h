// The turns of a run that are on their way, by RequestIndex, and the latencies of those answered.
#pragma once

#include "core/schedule/step.h"
#include "core/simulate/run/queue_watch.h"
#include "core/simulate/run/turn_source.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// Indices are given again after a turn is answered, unless turns are kept.
class ExactTurns {
public:
    explicit ExactTurns(bool keep) : keep_(keep) {}

    RequestIndex add(const ExactTurn& turn) {
        queue_.arrived();
        if (spare_.empty()) {
            turns_.push_back(turn);
            waits_.push_back(1);
            return static_cast<RequestIndex>(turns_.size() - 1);
        }
        const RequestIndex index = spare_.back();
        spare_.pop_back();
        turns_[static_cast<std::size_t>(index)] = turn;
        waits_[static_cast<std::size_t>(index)] = 1;
        return index;
    }

    /// A token is there at `nowS`.
    void emitted(RequestIndex index, double nowS) {
        const auto place = static_cast<std::size_t>(index);
        if (waits_[place] != 0) {
            waits_[place] = 0;
            queue_.began();
            turns_[place].firstTokenS = nowS;
        }
    }

    /// The last one is. `tokens` that were emitted.
    const ExactTurn& answered(RequestIndex index, double nowS, Tokens tokens) {
        ExactTurn& turn = turns_[static_cast<std::size_t>(index)];
        turn.endS = nowS;
        ++answered_;
        ttftS_.add(turn.firstTokenS - turn.arrivalS);
        e2eS_.add(nowS - turn.arrivalS);
        if (tokens > 1) {
            tpotS_.add((nowS - turn.firstTokenS) / static_cast<double>(tokens - 1));
        }
        if (!keep_) {
            spare_.push_back(index);
        }
        return turn;
    }

    [[nodiscard]] const ExactTurn& at(RequestIndex index) const {
        return turns_[static_cast<std::size_t>(index)];
    }

    [[nodiscard]] std::size_t unfinished() const { return turns_.size() - spare_.size(); }
    [[nodiscard]] std::span<const ExactTurn> all() const { return turns_; }

    void putQueueInto(SimulationResult& result) const {
        result.waitingTurns = queue_.waiting();
        result.growingQueues = queue_.grows() ? 1 : 0;
    }

    void putLatenciesInto(SimulationResult& result) {
        result.turns = answered_;
        result.ttftS = thinnedQuantilesOf(std::move(ttftS_));
        result.tpotS = thinnedQuantilesOf(std::move(tpotS_));
        result.e2eS = thinnedQuantilesOf(std::move(e2eS_));
    }

private:
    bool keep_;
    std::uint64_t answered_ = 0;
    std::vector<ExactTurn> turns_;
    std::vector<std::uint8_t> waits_; ///< by turn: for its first token; asked of every token
    std::vector<RequestIndex> spare_;
    QueueWatch queue_;
    ThinnedSample ttftS_, tpotS_, e2eS_;
};

} // namespace loadline
