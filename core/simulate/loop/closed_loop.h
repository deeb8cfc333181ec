// Shared by the loops of the fast way: the turns, the decoders, the end of the run.
#pragma once

#include "core/simulate/loop/completion_ring.h"
#include "core/simulate/loop/rows_run.h"
#include "core/workload/source/workload.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>

namespace loadline {

/// The data that a loop works on; outlives the loop.
template <typename Clock>
struct LoopParts {
    const RowsSetup& setup;
    std::span<const DrawnTurn> turns;
    RowsTally& mixed;      ///< steps that prefill
    RowsTally& decodeOnly; ///< the others
    CompletionRing& ring;
    Clock& clock;
    const std::stop_token& stop;
};

/// Tokens that cannot be counted by rows alone.
struct RowsTokens {
    Tokens prompt = 0; ///< of prompts, computed within the steps' rows
    Tokens free = 0;   ///< of prompts, beside them
    Tokens first = 0;  ///< emitted by steps that ended a prompt
};

/// Holds no more than a step changes: what can be summed up afterwards is.
template <typename Clock>
class ClosedLoop {
public:
    explicit ClosedLoop(const LoopParts<Clock>& parts)
        : setup_(parts.setup), turns_(parts.turns), mixed_(parts.mixed), decodeOnly_(parts.decodeOnly),
          ring_(parts.ring), clock_(parts.clock), stop_(parts.stop),
          lastIteration_(setup_.length.iterations.value_or(endless)),
          turnsWanted_(setup_.length.turns.value_or(endless)), waiting_(setup_.users) {
        clock_.arrive(setup_.users);
    }

    /// The run ends with this iteration, unless before by its turns.
    void endWith(std::int64_t iteration) { lastIteration_ = iteration; }

    [[nodiscard]] std::int64_t iterations() const { return now_; }

    [[nodiscard]] std::int64_t answeredTurns() const { return answered_; }

    [[nodiscard]] std::int64_t begunTurns() const { return setup_.users + answered_; } ///< arrived

    [[nodiscard]] std::int64_t waitingTurns() const { return waiting_; } ///< in the queue

protected:
    const DrawnTurn& nextTurn() {
        const DrawnTurn& turn = turns_[nextTurn_];
        nextTurn_ = nextTurn_ + 1 == turns_.size() ? 0 : nextTurn_ + 1;
        return turn;
    }

    [[nodiscard]] bool goesOn() {
        constexpr std::uint32_t between = 4096; // events; a stop is heard within a fraction of a millisecond
        if (++events_ % between == 0 && stop_.stop_requested()) [[unlikely]] {
            return false;
        }
        return now_ < lastIteration_ && answered_ < turnsWanted_;
    }

    /// Steps that may pass before the number of decoders changes.
    [[nodiscard]] std::int64_t untilChange() const {
        const std::int64_t left = lastIteration_ - now_;
        if (decoders_ == 0) {
            return left;
        }
        const std::int64_t next = onlyEnd_ == unknown ? ring_.next(now_) : onlyEnd_;
        return std::min(left, next - now_ + 1);
    }

    /// `n` steps of the decoders and `prefill` tokens of `prompts` prompts each, of which there are some.
    void passMixed(std::int64_t prefill, std::int64_t prompts, std::int64_t n) {
        const std::int64_t m = decoders_ + prefill;
        mixed_.add(m, n);
        now_ += n;
        clock_.pass({m, decoders_ + prompts}, n);
    }

    void passDecodeOnly(std::int64_t n) {
        decodeOnly_.add(decoders_, n);
        now_ += n;
        clock_.pass(decoders_, n);
    }

    /// Passes steps of nothing but decodes until somebody is answered, or the run ends.
    void decodeOn() {
        passDecodeOnly(untilChange());
        answered(ring_.takeMarked(now_ - 1));
    }

    /// Answers those whose last token came with the step that has just passed.
    void answer() { answered(ring_.take(now_ - 1)); }

    /// Lets one more decode, up to the end of iteration `last`.
    void decode(std::int64_t last) {
        ring_.add(last);
        onlyEnd_ = decoders_ == 0 ? last : unknown;
        ++decoders_;
    }

    /// `promptTokens`: of prompts, computed within the steps' rows; `freeTokens`: of prompts, beside them.
    /// `firstTokens`: emitted by steps that ended a prompt.
    void end(RowsRun& run, std::int64_t promptTokens, std::int64_t freeTokens, std::int64_t firstTokens) {
        run.iterations = now_;
        run.turns = answered_;
        run.tokensIn = promptTokens + freeTokens;
        run.tokensOut = firstTokens - promptTokens; // and all rows: RowsEngine
        clock_.end();
    }

    static constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

    const RowsSetup& setup_;
    std::span<const DrawnTurn> turns_;
    RowsTally& mixed_;
    RowsTally& decodeOnly_;
    CompletionRing& ring_;
    Clock& clock_;
    const std::stop_token& stop_;
    std::int64_t lastIteration_;
    std::int64_t turnsWanted_;
    std::int64_t waiting_;
    std::int64_t now_ = 0; ///< the next iteration
    std::int64_t decoders_ = 0;
    std::int64_t answered_ = 0;
    std::size_t nextTurn_ = 0;
    std::uint32_t events_ = 0;

private:
    static constexpr std::int64_t unknown = -1;

    void answered(std::int32_t count) {
        decoders_ -= count;
        answered_ += count;
        waiting_ += count;
        if constexpr (Clock::ticks) {
            if (count > 0) {
                clock_.answer(now_ - 1);
                clock_.arrive(count);
            }
        }
    }

    std::int64_t onlyEnd_ = unknown; ///< of the one who decodes, if nobody else began after
};

} // namespace loadline
