// The published study's words as a closed loop: all who decode, then one chunk of one prompt.
#pragma once

#include "core/simulate/loop/closed_loop.h"

#include <algorithm>
#include <cstdint>

namespace loadline {

template <typename Clock>
class SinglePrefillLoop : public ClosedLoop<Clock> {
    using Base = ClosedLoop<Clock>;

public:
    using Base::Base;

    void run(RowsRun& run) {
        goOn();
        this->end(run, promptTokens_ - left_, freeTokens_, 0);
    }

    void goOn() {
        while (this->goesOn()) {
            if (left_ == 0) {
                beginPrompt();
            }
            if (left_ > 0) {
                prefill();
            } else {
                this->decodeOn();
            }
        }
    }

    /// Returns the tokens of all steps so far.
    [[nodiscard]] RowsTokens tokens() const { return {promptTokens_ - left_, freeTokens_, 0}; }

private:
    void beginPrompt() {
        while (this->waiting_ > 0 && this->decoders_ < this->setup_.maxSeqs &&
               this->decoders_ < this->setup_.budgetTokens) {
            const DrawnTurn& turn = this->nextTurn();
            --this->waiting_;
            this->clock_.begin(turn.output);
            output_ = turn.output;
            if (turn.input > this->setup_.fit.freePrompt) {
                const Tokens cap = this->setup_.fit.promptCap;
                left_ = cap > 0 ? std::min<Tokens>(cap, turn.input) : turn.input;
                promptTokens_ += left_;
                return;
            }
            freeTokens_ += turn.input;
            startDecoding();
        }
    }

    void prefill() {
        constexpr Tokens few = 4; // chunks that are taken sooner than the next end is looked up
        const Tokens chunk =
            std::min(this->setup_.chunkTokens, this->setup_.budgetTokens - this->decoders_); // 1 or more
        if (left_ > (this->decoders_ == 0 ? chunk : few * chunk)) {
            const std::int64_t steps = std::min((left_ - 1) / chunk, this->untilChange());
            left_ -= steps * chunk;
            this->passMixed(chunk, 1, steps);
            this->answer();
            return;
        }
        const Tokens part = std::min(chunk, left_);
        left_ -= part;
        this->passMixed(part, 1, 1);
        this->answer();
        if (left_ == 0) {
            startDecoding();
        }
    }

    void startDecoding() {
        const std::int64_t last = this->now_ + output_ - 1;
        this->clock_.startDecoding(last, false);
        this->decode(last);
    }

    Tokens left_ = 0; ///< of the prompt that is being prefilled
    std::int32_t output_ = 0;
    Tokens promptTokens_ = 0; ///< of prompts begun
    Tokens freeTokens_ = 0;
};

} // namespace loadline
