// vLLM V1 without blocks as a closed loop: everyone running, then as many prompts as the budget holds.
#pragma once

#include "core/simulate/loop/closed_loop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace loadline {

template <typename Clock>
class VllmLoop : public ClosedLoop<Clock> {
    using Base = ClosedLoop<Clock>;

public:
    explicit VllmLoop(const LoopParts<Clock>& parts)
        : Base(parts),
          chunk_(parts.setup.chunkTokens > 0 ? parts.setup.chunkTokens : std::numeric_limits<Tokens>::max()),
          partial_(static_cast<std::size_t>(parts.setup.users)), ended_(partial_.size()) {}

    void run(RowsRun& run) {
        goOn();
        const RowsTokens sum = tokens();
        this->end(run, sum.prompt, sum.free, sum.first);
    }

    void goOn() {
        while (this->goesOn()) {
            if (partials_ == 0 && !mayAdmit(this->setup_.budgetTokens - this->decoders_)) {
                this->decodeOn();
            } else {
                mixedStep();
            }
        }
    }

    /// Returns the tokens of all steps so far.
    [[nodiscard]] RowsTokens tokens() const {
        Tokens computed = promptTokens_;
        for (std::size_t i = 0; i < partials_; ++i) {
            computed -= partial_[i].left;
        }
        return {computed, 0, firstTokens_};
    }

private:
    struct Partial {
        Tokens left = 0;    ///< after the step that is being made up
        Tokens planned = 0; ///< in it
        std::int32_t output = 1;
    };

    struct Ended {
        std::int32_t output = 1;
        std::size_t place = 0; ///< among the prompts that go on
    };

    [[nodiscard]] bool mayAdmit(Tokens budget) const {
        if (this->waiting_ == 0 || budget <= 0 || this->decoders_ + inPrefill() >= this->setup_.maxSeqs) {
            return false;
        }
        return this->setup_.chunkedPrefill ||
               std::min<Tokens>(chunk_, this->turns_[this->nextTurn_].input) <= budget;
    }

    /// Prompts in the step.
    [[nodiscard]] std::int64_t inPrefill() const { return static_cast<std::int64_t>(partials_ + endings_); }

    void mixedStep() {
        const Tokens all = this->setup_.budgetTokens - this->decoders_;
        Tokens budget = goOn(all);
        bool admits = false;
        while (mayAdmit(budget)) {
            budget -= admit(budget);
            admits = true;
        }
        const Tokens prefill = all - budget;
        const std::int64_t steps = admits || endings_ > 0 ? 1 : steadySteps();
        if (prefill > 0) {
            this->passMixed(prefill, prompts_, steps);
        } else {
            this->passDecodeOnly(steps);
        }
        startDecoding();
        this->answer();
    }

    /// Gives the prompts that are there their tokens; returns the budget that is left.
    Tokens goOn(Tokens budget) {
        std::size_t kept = 0;
        prompts_ = 0;
        for (std::size_t i = 0; i < partials_; ++i) {
            const Partial partial = partial_[i];
            const Tokens planned = std::min(std::min(partial.left, chunk_), budget);
            budget -= planned;
            if constexpr (Clock::seesHead) {
                prompts_ += planned > 0 ? 1 : 0;
            }
            if (planned == partial.left) {
                ended_[endings_++] = {partial.output, kept};
            } else {
                partial_[kept++] = {partial.left - planned, planned, partial.output};
            }
        }
        partials_ = kept;
        return budget;
    }

    /// Begins the first prompt that waits; returns the tokens it gets.
    Tokens admit(Tokens budget) {
        const DrawnTurn& turn = this->nextTurn();
        --this->waiting_;
        promptTokens_ += turn.input;
        this->clock_.begin(turn.output);
        if constexpr (Clock::seesHead) {
            ++prompts_;
        }
        const Tokens planned = std::min(std::min<Tokens>(turn.input, chunk_), budget);
        if (planned == turn.input) {
            ended_[endings_++] = {turn.output, partials_};
        } else {
            partial_[partials_++] = {turn.input - planned, planned, turn.output};
        }
        return planned;
    }

    /// Returns how often the same step is repeated, until a prompt or a decoder ends.
    [[nodiscard]] std::int64_t steadySteps() {
        std::int64_t steps = this->untilChange();
        for (std::size_t i = 0; i < partials_; ++i) {
            const Partial& partial = partial_[i];
            if (partial.planned > 0) {
                steps = std::min(steps, (partial.left + partial.planned - 1) / partial.planned);
            }
        }
        for (std::size_t i = 0; i < partials_; ++i) {
            partial_[i].left -= partial_[i].planned * (steps - 1);
        }
        return steps;
    }

    /// Prompts that have ended have emitted their first token; for some it was the last.
    void startDecoding() {
        firstTokens_ += static_cast<std::int64_t>(endings_);
        for (std::size_t i = 0; i < endings_; ++i) {
            const Ended ended = ended_[i];
            const std::int64_t last = this->now_ + ended.output - 2;
            if (ended.output == 1) {
                this->clock_.answerAtOnce(ended.place);
            } else {
                this->clock_.startDecoding(last, true, ended.place);
            }
            this->decode(last);
        }
        endings_ = 0;
    }

    Tokens chunk_;
    std::vector<Partial> partial_; ///< prompts that go on, in the order of admission: the first partials_
    std::vector<Ended> ended_;     ///< prompts that end with the step: the first endings_
    std::size_t partials_ = 0;
    std::size_t endings_ = 0;
    std::int64_t prompts_ = 0; ///< that have tokens in the step; counted for the head alone
    Tokens promptTokens_ = 0;  ///< of prompts begun
    std::int64_t firstTokens_ = 0;
};

} // namespace loadline
