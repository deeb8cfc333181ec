// The turns of a run that are on their way, by RequestIndex, and the latencies of those answered.
#pragma once

#include "core/schedule/step.h"
#include "core/simulate/run/course.h"
#include "core/simulate/run/queue_watch.h"
#include "core/simulate/run/turn_source.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace loadline {

/// Indices are given again after a turn is answered, unless turns are kept.
class ExactTurns {
public:
    explicit ExactTurns(bool keep) : keep_(keep) {}

    /// Lists each answered turn from here on, rather than adding it to the quantiles of the whole run.
    void listAnswered() { lists_ = true; }

    [[nodiscard]] std::vector<TurnRecord> takeAnswered() { return std::exchange(listed_, {}); }

    RequestIndex add(const ExactTurn& turn) {
        queue_.arrived();
        ++arrived_;
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
        const double ttftS = turn.firstTokenS - turn.arrivalS;
        const double tpotS =
            tokens > 1 ? (nowS - turn.firstTokenS) / static_cast<double>(tokens - 1) : TurnRecord{}.tpotS;
        if (lists_) {
            listed_.push_back({turn.arrivalS, ttftS, tpotS, nowS - turn.arrivalS});
            answeredS_ += nowS - turn.arrivalS;
        } else {
            ttftS_.add(ttftS);
            e2eS_.add(nowS - turn.arrivalS);
            if (tokens > 1) {
                tpotS_.add(tpotS);
            }
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

    /// `mark`, with what is known of turns at its time.
    [[nodiscard]] CourseMark markedAt(CourseMark mark) const {
        mark.arrived = arrived_;
        mark.answered = answered_;
        mark.waiting = queue_.waiting();
        mark.systemS = answeredS_;
        for (const ExactTurn& turn : turns_) {
            mark.systemS += turn.endS < 0 ? mark.timeS - turn.arrivalS : 0;
        }
        return mark;
    }

    /// Returns the number of unanswered turns that arrived in [fromS, toS).
    [[nodiscard]] std::uint64_t unfinishedIn(double fromS, double toS) const {
        return static_cast<std::uint64_t>(std::ranges::count_if(turns_, [&](const ExactTurn& turn) {
            return turn.endS < 0 && turn.arrivalS >= fromS && turn.arrivalS < toS;
        }));
    }

    void putQueueInto(SimulationResult& result, ArrivalKind arrivals) const {
        const bool grows = arrivals == ArrivalKind::Trace ? queue_.grewToLastArrival() : queue_.grows();
        result.waitingTurns = queue_.waiting();
        result.growingQueues = grows ? 1 : 0;
        result.isWholeTrace = arrivals == ArrivalKind::Trace && result.waitingTurns == 0;
    }

    void putLatenciesInto(SimulationResult& result) {
        result.turns = answered_;
        result.ttftS = thinnedQuantilesOf(std::move(ttftS_));
        result.tpotS = thinnedQuantilesOf(std::move(tpotS_));
        result.e2eS = thinnedQuantilesOf(std::move(e2eS_));
    }

private:
    bool keep_;
    bool lists_ = false;
    std::uint64_t arrived_ = 0;
    std::uint64_t answered_ = 0;
    double answeredS_ = 0;           ///< sum of the end-to-end times of listed turns
    std::vector<TurnRecord> listed_; ///< since they were taken
    std::vector<ExactTurn> turns_;
    std::vector<std::uint8_t> waits_; ///< by turn: for its first token; asked of every token
    std::vector<RequestIndex> spare_;
    QueueWatch queue_;
    ThinnedSample ttftS_, tpotS_, e2eS_;
};

} // namespace loadline
