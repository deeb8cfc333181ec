// The fast way: a closed loop without think time or bound on KV, advanced from event to event.
#include "core/simulate/rows.h"

#include "core/simulate/completion_ring.h"
#include "core/simulate/rows_tally.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace loadline {
namespace {

constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

/// What both policies share: the turns, the decoders, the end of the run.
template <typename Clock>
class ClosedLoop {
public:
    ClosedLoop(const RowsSetup& setup, std::span<const DrawnTurn> turns, RowsTally tally, Clock clock,
               RowsRun& run, std::int64_t longest, const std::stop_token& stop)
        : setup_(setup), turns_(turns), tally_(tally), clock_(clock), run_(run), ring_(longest), stop_(stop),
          iterationsLeft_(setup.length.iterations.value_or(endless)),
          turnsWanted_(setup.length.turns.value_or(endless)), waiting_(setup.users) {
        clock_.arrive(setup.users);
    }

protected:
    const DrawnTurn& nextTurn() {
        const DrawnTurn& turn = turns_[nextTurn_];
        nextTurn_ = nextTurn_ + 1 == turns_.size() ? 0 : nextTurn_ + 1;
        return turn;
    }

    [[nodiscard]] bool goesOn() {
        constexpr std::uint32_t between = 4096; // events; a stop is heard within a fraction of a millisecond
        if (++events_ % between == 0 && stop_.stop_requested()) {
            return false;
        }
        return iterationsLeft_ > 0 && run_.turns < turnsWanted_;
    }

    /// Steps that may pass before the number of decoders changes.
    [[nodiscard]] std::int64_t untilChange() const {
        return ring_.next() == CompletionRing::never ? iterationsLeft_
                                                     : std::min(iterationsLeft_, ring_.next() - now_ + 1);
    }

    /// `n` steps of the decoders and `prefill` prompt tokens each.
    void pass(std::int64_t prefill, std::int64_t n) {
        const std::int64_t m = decoders_ + prefill;
        if (prefill == 0) {
            tally_.addDecodeOnly(m, n);
            run_.decodeOnly += n;
        } else {
            tally_.add(m, n);
            run_.tokensIn += prefill * n;
        }
        run_.tokensOut += decoders_ * n;
        run_.iterations += n;
        iterationsLeft_ -= n;
        now_ += n;
        clock_.pass(m, n);
    }

    /// Those whose last token came with the step that has just passed.
    void answer() {
        if (ring_.next() != now_ - 1) {
            return;
        }
        const std::int64_t last = ring_.next();
        const std::int32_t count = ring_.take(decoders_);
        decoders_ -= count;
        run_.turns += count;
        waiting_ += count;
        clock_.answer(last);
        clock_.arrive(count);
    }

    /// One more decodes in the next `steps` steps.
    void decode(std::int64_t steps) {
        ring_.add(now_ + steps - 1);
        ++decoders_;
    }

    const RowsSetup& setup_;
    std::span<const DrawnTurn> turns_;
    RowsTally tally_;
    Clock& clock_;
    RowsRun& run_;
    CompletionRing ring_;
    const std::stop_token& stop_;
    std::int64_t iterationsLeft_;
    std::int64_t turnsWanted_;
    std::int64_t waiting_;
    std::int64_t now_ = 0; ///< the next iteration
    std::int64_t decoders_ = 0;
    std::size_t nextTurn_ = 0;
    std::uint32_t events_ = 0;
};

/// All who decode, then one chunk of one prompt.
template <typename Clock>
class SinglePrefillLoop : ClosedLoop<Clock> {
    using Base = ClosedLoop<Clock>;

public:
    using Base::Base;

    void run() {
        while (this->goesOn()) {
            if (left_ == 0) {
                beginPrompt();
            }
            if (left_ > 0) {
                prefill();
            } else {
                this->pass(0, this->untilChange());
                this->answer();
            }
        }
        this->clock_.end();
    }

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
                return;
            }
            this->run_.tokensIn += turn.input;
            startDecoding();
        }
    }

    void prefill() {
        const Tokens chunk =
            std::min(this->setup_.chunkTokens, this->setup_.budgetTokens - this->decoders_); // 1 or more
        const std::int64_t steady = this->untilChange();
        const std::int64_t whole = left_ > chunk ? std::min((left_ - 1) / chunk, steady) : 0;
        if (whole > 0) {
            left_ -= whole * chunk;
            this->pass(chunk, whole);
            if (whole == steady) {
                this->answer();
                return;
            }
        }
        this->pass(left_, 1);
        left_ = 0;
        this->answer();
        startDecoding();
    }

    void startDecoding() {
        this->clock_.startDecoding(this->now_ + output_ - 1, false);
        this->decode(output_);
    }

    Tokens left_ = 0; ///< of the prompt that is being prefilled
    std::int32_t output_ = 0;
};

/// vLLM V1 without blocks: everyone running, then as many prompts as the budget holds.
template <typename Clock>
class VllmLoop : ClosedLoop<Clock> {
    using Base = ClosedLoop<Clock>;

public:
    using Base::Base;

    void run() {
        while (this->goesOn()) {
            if (partial_.empty() && !mayAdmit(this->setup_.budgetTokens - this->decoders_)) {
                this->pass(0, this->untilChange());
                this->answer();
            } else {
                mixedStep();
            }
        }
        this->clock_.end();
    }

private:
    struct Partial {
        Tokens left = 0;
        Tokens planned = 0;
        std::int32_t output = 1;
    };

    [[nodiscard]] Tokens capped(Tokens wanted) const {
        const Tokens threshold = this->setup_.chunkTokens;
        return threshold > 0 ? std::min(threshold, wanted) : wanted;
    }

    [[nodiscard]] bool mayAdmit(Tokens budget) const {
        if (this->waiting_ == 0 || budget <= 0 ||
            this->decoders_ + static_cast<std::int64_t>(partial_.size()) >= this->setup_.maxSeqs) {
            return false;
        }
        return this->setup_.chunkedPrefill || capped(this->turns_[this->nextTurn_].input) <= budget;
    }

    void mixedStep() {
        Tokens budget = this->setup_.budgetTokens - this->decoders_;
        bool ends = false; // of a prompt
        for (Partial& partial : partial_) {
            partial.planned = std::min(capped(partial.left), budget);
            budget -= partial.planned;
            ends = ends || partial.planned == partial.left;
        }
        bool admits = false;
        while (mayAdmit(budget)) {
            const DrawnTurn& turn = this->nextTurn();
            --this->waiting_;
            this->clock_.begin(turn.output);
            const Tokens planned = std::min<Tokens>(capped(turn.input), budget);
            budget -= planned;
            partial_.push_back({turn.input, planned, turn.output});
            admits = true;
        }
        const Tokens prefill = this->setup_.budgetTokens - this->decoders_ - budget;
        // The same step again and again, until a prompt or a decoder ends.
        std::int64_t steps = 1;
        if (!ends && !admits) {
            steps = this->untilChange();
            for (const Partial& partial : partial_) {
                if (partial.planned > 0) {
                    steps = std::min(steps, (partial.left - 1) / partial.planned);
                }
            }
            steps = std::max<std::int64_t>(steps, 1);
        }
        this->pass(prefill, steps);
        for (Partial& partial : partial_) {
            partial.left -= partial.planned * steps;
        }
        const std::int64_t atOnce = endPrompts();
        this->answer();
        finish(atOnce);
        decodeEnded();
    }

    /// Prompts that have ended emit their first token; how many turns that answers.
    std::int64_t endPrompts() {
        std::int64_t atOnce = 0;
        ended_.clear();
        std::size_t kept = 0;
        for (const Partial& partial : partial_) {
            if (partial.left > 0) {
                partial_[kept++] = partial;
                continue;
            }
            ++this->run_.tokensOut;
            if (partial.output == 1) {
                ++atOnce;
                this->clock_.answerAtOnce(kept);
            } else {
                ended_.push_back(partial.output - 1);
                this->clock_.startDecoding(this->now_ + partial.output - 2, true, kept);
            }
        }
        partial_.resize(kept);
        return atOnce;
    }

    void finish(std::int64_t atOnce) {
        this->run_.turns += atOnce;
        this->waiting_ += atOnce;
        this->clock_.arrive(atOnce);
    }

    void decodeEnded() {
        for (const std::int32_t steps : ended_) {
            this->decode(steps);
        }
    }

    std::vector<Partial> partial_; ///< in the order of admission
    std::vector<std::int32_t> ended_;
};

template <typename Clock>
void runLoop(const RowsSetup& setup, std::span<const DrawnTurn> turns, const RowsTally& tally, Clock& clock,
             RowsRun& run, const std::stop_token& stop) {
    std::int32_t longest = 1;
    for (const DrawnTurn& turn : turns) {
        longest = std::max(longest, turn.output);
    }
    if (setup.policy == Policy::VllmV1) {
        VllmLoop<Clock>(setup, turns, tally, clock, run, longest, stop).run();
    } else {
        SinglePrefillLoop<Clock>(setup, turns, tally, clock, run, longest, stop).run();
    }
}

} // namespace

bool goesFast(const SimulationInputs& inputs) {
    const ArrivalSetup& arrivals = inputs.arrivals;
    if (arrivals.kind != ArrivalKind::Closed || arrivals.think != ThinkTime::None ||
        arrivals.order != TurnOrder::Sampled || inputs.scope != StepScope::GemmOnly) {
        return false;
    }
    const PolicySetup& policy = inputs.policy;
    if (policy.policy == Policy::SinglePrefill) {
        return true;
    }
    return policy.policy == Policy::VllmV1 && policy.chunkedPrefill && !policy.prefixCache &&
           !policy.kvBlocks && !policy.async && policy.order == VllmPolicy::Fcfs &&
           policy.maxModelLen >= PolicySetup{}.maxModelLen;
}

RowsSetup rowsSetupOf(const SimulationInputs& inputs) {
    const PolicySetup& policy = inputs.policy;
    return {policy.policy,
            inputs.arrivals.users,
            chunkOf(policy),
            policy.budgetTokens,
            policy.maxSeqs,
            policy.chunkedPrefill,
            policy.policy == Policy::SinglePrefill ? policy.fit : StudyFit{},
            inputs.length};
}

std::size_t turnsNeeded(const RowsSetup& setup) {
    constexpr std::int64_t most = 1 << 18;
    const std::int64_t byTurns = setup.length.turns.value_or(most);
    const std::int64_t byIterations =
        setup.length.iterations.value_or(most); // about one prompt a step at most
    return static_cast<std::size_t>(std::min(std::min(byTurns, byIterations), most) + setup.users);
}

RowsHistogram RowsRun::histogram() const {
    RowsHistogram result;
    std::int32_t most = 0;
    std::int32_t mostDecodeOnly = 0;
    for (const RowsCount& count : counts) {
        most = std::max(most, count.rows);
        mostDecodeOnly = count.decodeOnly > 0 ? std::max(mostDecodeOnly, count.rows) : mostDecodeOnly;
    }
    result.steps.resize(static_cast<std::size_t>(most) + 1);
    result.decodeOnly.resize(static_cast<std::size_t>(mostDecodeOnly) + 1);
    for (const RowsCount& count : counts) {
        result.steps[static_cast<std::size_t>(count.rows)] = static_cast<std::uint64_t>(count.steps);
        if (count.decodeOnly > 0) {
            result.decodeOnly[static_cast<std::size_t>(count.rows)] =
                static_cast<std::uint64_t>(count.decodeOnly);
        }
    }
    return result;
}

const RowsRun& RowsEngine::run(const RowsSetup& setup, std::span<const DrawnTurn> turns,
                               const std::stop_token& stop) {
    NoClock clock;
    begin();
    runLoop(setup, turns, RowsTally(steps_, decodeOnly_, seen_), clock, run_, stop);
    return end();
}

const RowsRun& RowsEngine::run(const RowsSetup& setup, std::span<const DrawnTurn> turns,
                               std::span<const double> usByRows, RowsTimes& times,
                               const std::stop_token& stop) {
    times = {};
    TurnClock clock(usByRows, times);
    begin();
    runLoop(setup, turns, RowsTally(steps_, decodeOnly_, seen_), clock, run_, stop);
    return end();
}

void RowsEngine::begin() {
    std::vector<RowsCount> counts = std::move(run_.counts); // keeps its memory
    counts.clear();
    run_ = {};
    run_.counts = std::move(counts);
}

const RowsRun& RowsEngine::end() {
    for (const std::int32_t m : seen_) {
        const auto at = static_cast<std::size_t>(m);
        run_.counts.push_back({m, steps_[at], decodeOnly_[at]});
        steps_[at] = 0;
        decodeOnly_[at] = 0;
    }
    seen_.clear();
    return run_;
}

} // namespace loadline
