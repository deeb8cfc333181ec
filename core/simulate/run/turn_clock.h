// A clock beside the loops of the fast way: when each turn came, began to be answered and was answered.
#pragma once

#include "core/simulate/run/course.h"
#include "core/simulate/run/rows.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace loadline {

/// Remembers nothing of turns, for runs without a clock.
struct NoClock {
    static constexpr bool ticks = false;
    static constexpr bool seesHead = false; ///< looks at the head's rows

    void arrive(std::int64_t /*count*/) {}

    void begin(std::int32_t /*output*/) {}

    void startDecoding(std::int64_t /*last*/, bool /*emitted*/, std::size_t /*place*/ = 0) {}

    void answer(std::int64_t /*last*/) {}

    void answerAtOnce(std::size_t /*place*/) {}

    void pass(ForwardRows /*rows*/, std::int64_t /*n*/) {}

    void end() {}
};

/// No clock either, but the rows of the head are counted.
class HeadClock : public NoClock {
public:
    static constexpr bool seesHead = true;

    explicit HeadClock(RowsTally& head) : head_(head) {}

    void pass(ForwardRows rows, std::int64_t n) { head_.add(rows.head, n); }

private:
    RowsTally& head_;
};

/// Turns wait in the order in which they came; those who decode are found again by the iteration of their
/// end. `withHead`: the model has one, its rows are counted and timed.
template <bool withHead>
class TurnClock {
public:
    static constexpr bool ticks = true;
    static constexpr bool seesHead = withHead;

    /// `span`: of the completion ring. `uncounted`: so many turns begin before latencies are told. `head`:
    /// counts its rows, where there is one.
    TurnClock(const TimesByRows& usByRows, std::int64_t span, RowsTimes& times, std::int64_t uncounted,
              RowsTally& head)
        : layersUs_(usByRows.layersUs), headUs_(usByRows.headUs), times_(times), head_(head),
          mask_(static_cast<std::uint64_t>(span) - 1), uncounted_(uncounted),
          slots_(static_cast<std::size_t>(span)) {}

    /// `count` turns join the queue now.
    void arrive(std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            queue_.push_back(nowUs_);
        }
    }

    /// The first of the queue begins its prompt; it will emit `output` tokens.
    void begin(std::int32_t output) {
        const bool counted = uncounted_ == 0;
        uncounted_ -= counted ? 0 : 1;
        prefilling_.push_back({queue_.front(), 0, output, none, counted});
        queue_.pop_front();
    }

    /// The prompt that began `place`-th of those that still prefill has ended: its turn is answered at the
    /// end of iteration `last`. `emitted`: its first token is there already.
    void startDecoding(std::int64_t last, bool emitted, std::size_t place = 0) {
        Turn turn = takePrefilling(place);
        turn.firstUs = emitted ? nowUs_ : unknown;
        const std::int32_t index = put(turn);
        if (!emitted) {
            fresh_.push_back(index);
        }
        Slot& slot = slots_[static_cast<std::uint64_t>(last) & mask_];
        if (slot.first == none) {
            slot.first = index;
        } else {
            turns_[static_cast<std::size_t>(slot.last)].next = index;
        }
        slot.last = index;
    }

    /// Answers the turns that were to end with iteration `last`.
    void answer(std::int64_t last) {
        Slot& slot = slots_[static_cast<std::uint64_t>(last) & mask_];
        for (std::int32_t index = slot.first; index != none;) {
            Turn& turn = turns_[static_cast<std::size_t>(index)];
            const std::int32_t next = turn.next;
            finish(turn);
            turn.output = 0; // nobody's
            turn.next = free_;
            free_ = index;
            index = next;
        }
        slot.first = none;
    }

    /// A turn of one token is answered by the step that ended its prompt.
    void answerAtOnce(std::size_t place) {
        Turn turn = takePrefilling(place);
        turn.firstUs = nowUs_;
        finish(turn);
    }

    /// `n` steps of so many rows.
    void pass(ForwardRows rows, std::int64_t n) {
        double us = TimesByRows::at(layersUs_, rows.m);
        if constexpr (withHead) {
            us += TimesByRows::at(headUs_, rows.head);
            head_.add(rows.head, n);
        }
        for (const std::int32_t index : fresh_) {
            turns_[static_cast<std::size_t>(index)].firstUs = nowUs_ + us;
        }
        fresh_.clear();
        nowUs_ += us * static_cast<double>(n);
    }

    void end() { times_.simulatedS = nowUs_ * 1e-6; }

    /// Lists each answered turn in `turns` from here on, rather than adding it to the latencies.
    void listAnswered(std::vector<TurnRecord>& turns) { listed_ = &turns; }

    [[nodiscard]] double nowS() const { return nowUs_ * 1e-6; }

    /// Calls use(arrivalS) for each turn that is not answered.
    template <typename Use>
    void eachUnfinished(const Use& use) const {
        for (const double arrivalUs : queue_) {
            use(arrivalUs * 1e-6);
        }
        for (const Turn& turn : prefilling_) {
            use(turn.arrivalUs * 1e-6);
        }
        for (const Turn& turn : turns_) {
            if (turn.output > 0) {
                use(turn.arrivalUs * 1e-6);
            }
        }
    }

private:
    static constexpr double unknown = -1;
    static constexpr std::int32_t none = -1;

    struct Turn {
        double arrivalUs = 0;
        double firstUs = unknown;
        std::int32_t output = 1;
        std::int32_t next = none; ///< of the same end, or free
        bool counted = true;
    };

    struct Slot {
        std::int32_t first = none;
        std::int32_t last = none;
    };

    Turn takePrefilling(std::size_t place) {
        const Turn turn = prefilling_[place];
        prefilling_.erase(prefilling_.begin() + static_cast<std::ptrdiff_t>(place));
        return turn;
    }

    std::int32_t put(const Turn& turn) {
        if (free_ == none) {
            turns_.push_back(turn);
            return static_cast<std::int32_t>(turns_.size()) - 1;
        }
        const std::int32_t index = free_;
        Turn& place = turns_[static_cast<std::size_t>(index)];
        free_ = place.next;
        place = turn;
        return index;
    }

    void finish(const Turn& turn) {
        if (listed_ != nullptr) {
            const double moreUs = turn.output > 1 ? (nowUs_ - turn.firstUs) / (turn.output - 1) : -1e6;
            listed_->push_back({turn.arrivalUs * 1e-6, (turn.firstUs - turn.arrivalUs) * 1e-6, moreUs * 1e-6,
                                (nowUs_ - turn.arrivalUs) * 1e-6});
            return;
        }
        if (!turn.counted) {
            return;
        }
        times_.ttftS.add((turn.firstUs - turn.arrivalUs) * 1e-6);
        times_.e2eS.add((nowUs_ - turn.arrivalUs) * 1e-6);
        if (turn.output > 1) {
            times_.tpotS.add((nowUs_ - turn.firstUs) * 1e-6 / static_cast<double>(turn.output - 1));
        }
    }

    std::span<const double> layersUs_, headUs_;
    RowsTimes& times_;
    RowsTally& head_;
    std::uint64_t mask_;
    std::int64_t uncounted_;
    double nowUs_ = 0;
    std::deque<double> queue_;
    std::vector<Turn> prefilling_;
    std::vector<Turn> turns_; ///< those who decode, and places that are free
    std::int32_t free_ = none;
    std::vector<Slot> slots_; ///< by the iteration of their end
    std::vector<std::int32_t> fresh_;
    std::vector<TurnRecord>* listed_ = nullptr;
};

} // namespace loadline
