// Counting steps by M, with or without a clock: what both loops of the fast way write to.
#pragma once

#include "core/simulate/rows.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace loadline {

/// Dense counts that remember which were touched.
class RowsTally {
public:
    RowsTally(std::vector<std::int64_t>& steps, std::vector<std::int64_t>& decodeOnly,
              std::vector<std::int32_t>& seen)
        : steps_(steps), decodeOnly_(decodeOnly), seen_(seen) {}

    void add(std::int64_t m, std::int64_t n) {
        const auto at = static_cast<std::size_t>(m);
        if (at >= steps_.size()) {
            steps_.resize(2 * at + 64);
            decodeOnly_.resize(2 * at + 64);
        }
        if (steps_[at] == 0) {
            seen_.push_back(static_cast<std::int32_t>(m));
        }
        steps_[at] += n;
    }

    void addDecodeOnly(std::int64_t m, std::int64_t n) {
        add(m, n);
        decodeOnly_[static_cast<std::size_t>(m)] += n;
    }

private:
    std::vector<std::int64_t>& steps_;
    std::vector<std::int64_t>& decodeOnly_;
    std::vector<std::int32_t>& seen_;
};

/// Without a clock nothing is to be remembered of a turn.
struct NoClock {
    void arrive(std::int64_t /*count*/) {}

    void begin(std::int32_t /*output*/) {}

    void startDecoding(std::int64_t /*last*/, bool /*emitted*/, std::size_t /*place*/ = 0) {}

    void answer(std::int64_t /*last*/) {}

    void answerAtOnce(std::size_t /*place*/) {}

    void pass(std::int64_t /*m*/, std::int64_t /*n*/) {}

    void end() {}
};

/// Turns wait in the order in which they came; those who decode are found again by the iteration of their
/// end.
class TurnClock {
public:
    TurnClock(std::span<const double> usByRows, RowsTimes& times) : usByRows_(usByRows), times_(times) {}

    /// `count` turns join the queue now.
    void arrive(std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            queue_.push_back(nowUs_);
        }
    }

    /// The first of the queue begins its prompt; it will emit `output` tokens.
    void begin(std::int32_t output) {
        prefilling_.push_back({queue_.front(), 0, output});
        queue_.pop_front();
    }

    /// The prompt that began `place`-th of those that still prefill has ended: its turn is answered at the
    /// end of iteration `last`. `emitted`: its first token is there already.
    void startDecoding(std::int64_t last, bool emitted, std::size_t place = 0) {
        Turn turn = prefilling_[place];
        prefilling_.erase(prefilling_.begin() + static_cast<std::ptrdiff_t>(place));
        turn.firstUs = emitted ? nowUs_ : unknown;
        if (!emitted) {
            waitingForFirst_ = true;
        }
        decoding_[last].push_back(turn);
        if (!emitted) {
            fresh_.push_back(last);
        }
    }

    /// Those that were to end with iteration `last` are answered.
    void answer(std::int64_t last) {
        const auto found = decoding_.find(last);
        for (const Turn& turn : found->second) {
            finish(turn);
        }
        decoding_.erase(found);
    }

    /// A turn of one token is answered by the step that ended its prompt.
    void answerAtOnce(std::size_t place) {
        Turn turn = prefilling_[place];
        prefilling_.erase(prefilling_.begin() + static_cast<std::ptrdiff_t>(place));
        turn.firstUs = nowUs_;
        finish(turn);
    }

    /// `n` steps of `m` rows.
    void pass(std::int64_t m, std::int64_t n) {
        const double us = stepUs(m);
        if (waitingForFirst_) {
            for (const std::int64_t last : fresh_) {
                for (Turn& turn : decoding_[last]) {
                    if (turn.firstUs == unknown) {
                        turn.firstUs = nowUs_ + us;
                    }
                }
            }
            fresh_.clear();
            waitingForFirst_ = false;
        }
        nowUs_ += us * static_cast<double>(n);
    }

    void end() { times_.simulatedS = nowUs_ * 1e-6; }

private:
    static constexpr double unknown = -1;

    struct Turn {
        double arrivalUs = 0;
        double firstUs = unknown;
        std::int32_t output = 1;
    };

    [[nodiscard]] double stepUs(std::int64_t m) const {
        const auto last = static_cast<std::int64_t>(usByRows_.size()) - 1;
        return m <= last ? usByRows_[static_cast<std::size_t>(m)]
                         : usByRows_.back() * (static_cast<double>(m) / static_cast<double>(last));
    }

    void finish(const Turn& turn) {
        times_.ttftS.push_back((turn.firstUs - turn.arrivalUs) * 1e-6);
        times_.e2eS.push_back((nowUs_ - turn.arrivalUs) * 1e-6);
        if (turn.output > 1) {
            times_.tpotS.push_back((nowUs_ - turn.firstUs) * 1e-6 / static_cast<double>(turn.output - 1));
        }
    }

    std::span<const double> usByRows_;
    RowsTimes& times_;
    double nowUs_ = 0;
    std::deque<double> queue_;
    std::vector<Turn> prefilling_;
    std::unordered_map<std::int64_t, std::vector<Turn>> decoding_;
    std::vector<std::int64_t> fresh_;
    bool waitingForFirst_ = false;
};

} // namespace loadline
