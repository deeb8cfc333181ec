// The clock around an exact scheduler, as a run that can go on.
#pragma once

#include "core/schedule/stand_still.h"
#include "core/simulate/policy/policies.h"
#include "core/simulate/run/course.h"
#include "core/simulate/run/exact.h"
#include "core/simulate/run/exact_turns.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/step_account.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace loadline {

/// Bounds beyond which a run is refused or ended.
namespace exact_limits {
inline constexpr int refusedInARow = 10'000;
inline constexpr std::size_t unfinished = 2'000'000;
inline constexpr std::size_t beforeAnswers = 50'000; // at a rate: while the first answers are on their way
inline constexpr std::size_t perAnswer = 100;        // at a rate: a queue that no longer run would empty
inline constexpr std::int64_t rows = std::int64_t{1} << 24;
} // namespace exact_limits

/// A run of one of Policies, which goes on as far as it is asked to.
template <typename P>
class ExactCourse : public Course {
public:
    /// `rates`: null while recording. With `record` nothing has a price, and every step takes a second. What
    /// is referred to outlives it.
    ExactCourse(const SimulationInputs& inputs, const GemmRates* rates, std::uint64_t seed,
                const ExactObserver& observer, ScheduleRecord* record)
        : inputs_(inputs), policy_(policyInForce(inputs)), rates_(rates), observer_(observer),
          record_(record),
          attention_(inputs.scope == StepScope::WholeStep ? attentionOf(inputs) : std::nullopt),
          source_(inputs, seed,
                  rates != nullptr ? stepTimeOf(*rates, attention_ ? &*attention_ : nullptr, inputs.hostUs)
                                   : StepTime()),
          account_(attention_ ? &*attention_ : nullptr, P::spec.steady && !policy_.async && !observer),
          turns_(static_cast<bool>(observer)), blocks_(blocksInForce(inputs)), fewestFree_(blocks_ - 1),
          scheduler_(P::scheduler(policy_, {.kvBlocks = blocks_,
                                            .beside = blocksBesideOf(inputs),
                                            .sharesPrefixes = sharesPrefixes(inputs),
                                            .listsQueues = static_cast<bool>(observer)})) {
        begin();
        if (record_ != nullptr) {
            record_->isBound = source_.beginsFull();
        }
    }

    /// Runs to the end, as long as inputs.length says.
    Result<SimulationResult> run(const std::stop_token& stop) {
        constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();
        if (auto problem = goOn(inputs_.length.iterations.value_or(endless),
                                static_cast<std::uint64_t>(inputs_.length.turns.value_or(endless)), stop)) {
            return *problem;
        }
        noteBound();
        SimulationResult result = part(0);
        turns_.putLatenciesInto(result);
        if (inputs_.arrivals.kind != ArrivalKind::Closed) {
            turns_.putQueueInto(result, inputs_.arrivals.kind);
        }
        return result;
    }

    std::optional<Error> advance(std::int64_t steps, const std::stop_token& stop) override {
        turns_.listAnswered();
        return goOn(steps, std::numeric_limits<std::uint64_t>::max(), stop);
    }

    [[nodiscard]] CourseMark mark() const override {
        return turns_.markedAt({.step = t_, .timeS = endS_, .tokensOut = takenOut_ + result_.tokensOut});
    }

    [[nodiscard]] bool isOver() const override { return isOver_; }

    SimulationResult take() override {
        SimulationResult taken = part(takenS_);
        takenS_ = endS_;
        takenOut_ += taken.tokensOut;
        result_ = {};
        fewestFree_ = blocks_ - 1;
        begin();
        return taken;
    }

    std::vector<TurnRecord> takeTurns() override { return turns_.takeAnswered(); }

    [[nodiscard]] std::uint64_t unfinishedIn(double fromS, double toS) const override {
        return turns_.unfinishedIn(fromS, toS);
    }

    /// Tells the record whether memory has changed the run so far.
    void noteBound() {
        if constexpr (P::spec.paged) {
            if (record_ != nullptr) {
                record_->isBound = record_->isBound || scheduler_.lackedBlocks();
            }
        }
    }

private:
    /// Requests end at longestRequestOf.
    static PolicySetup policyInForce(const SimulationInputs& inputs) {
        PolicySetup policy = inputs.policy;
        if constexpr (P::spec.paged) {
            policy.maxModelLen = longestRequestOf(inputs);
        }
        return policy;
    }

    void begin() {
        result_.rows.steps.resize(1);
        result_.rows.decodeOnly.resize(1);
        result_.users = inputs_.arrivals.kind == ArrivalKind::Closed ? inputs_.arrivals.users : 0;
    }

    std::optional<Error> goOn(std::int64_t steps, std::uint64_t turns, const std::stop_token& stop) {
        if (inputs_.scope == StepScope::WholeStep && !attention_) {
            return Error{
                "the device of these kernel times is not known and its ceilings were not measured, so "
                "attention cannot be timed",
                inputs_.profile ? inputs_.profile->name : "",
                "count the GEMMs alone, or name the hardware in the profile"};
        }
        for (; t_ < steps && answered_ < turns && !isOver_; ++t_) {
            if (t_ % 64 == 0 && stop.stop_requested()) {
                break;
            }
            double scheduleS = isAsync() ? endBeforeS_ : endS_;
            const std::optional<double> next = source_.nextS();
            if (scheduler_.idle()) {
                if (!next) {
                    isOver_ = true;
                    break;
                }
                scheduleS = std::max(scheduleS, *next);
            }
            if (next && *next <= scheduleS) {
                if (auto problem = arrive(scheduleS)) {
                    return *problem;
                }
            }
            const Step& step = scheduler_.step(t_);
            if (auto problem = pass(step, scheduleS)) {
                return *problem;
            }
            if (still_.isReachedBy(step)) {
                return stuck(scheduler_.obstacle());
            }
        }
        return std::nullopt;
    }

    std::optional<Error> arrive(double untilS) {
        for (auto next = source_.nextS(); next && *next <= untilS; next = source_.nextS()) {
            const ExactTurn turn = source_.take(request_);
            if (isRefused(turn)) {
                if (++refusedInARow_ > exact_limits::refusedInARow) {
                    return everyPromptRefused();
                }
                ++result_.refusedTurns;
                if (record_ != nullptr) {
                    record_->isBound = true;
                }
                source_.answered(turn, turn.arrivalS);
                continue;
            }
            refusedInARow_ = 0;
            if (auto problem = problemOf(turn)) {
                return problem;
            }
            if (record_ != nullptr && P::spec.paged) {
                constexpr Tokens inFlight = 2; // of asynchronous scheduling, beyond the last token
                record_->isBound = record_->isBound ||
                                   turn.promptTokens + turn.outputTokens + inFlight > policy_.maxModelLen;
            }
            const RequestIndex index = turns_.add(turn);
            if (overruns()) {
                return Error{fmt::format("{} turns wait after {} answers: they come faster than they are "
                                         "answered",
                                         formatExact(static_cast<std::int64_t>(turns_.unfinished())),
                                         formatExact(static_cast<std::int64_t>(answered_))),
                             "", "a lower rate, a shorter run, or faster kernels"};
            }
            const Tokens cached = request_.cachedTokens;
            const Tokens left = P::promptLeft(policy_, turn.promptTokens, cached);
            if (left == 0 && !P::spec.paged) { // computed without a step of its own
                result_.tokensIn += static_cast<std::uint64_t>(turn.promptTokens);
            }
            account_.add(index, turn.promptTokens, cached, left);
            still_.begin(turn.promptTokens, turn.outputTokens);
            scheduler_.add(index, request_, policy_.order == VllmPolicy::Priority ? t_ : 0);
        }
        return std::nullopt;
    }

    [[nodiscard]] Error everyPromptRefused() const {
        const bool byMemory = policy_.maxModelLen < inputs_.policy.maxModelLen;
        return {fmt::format("every prompt is refused: the longest request is {} tokens",
                            formatExact(policy_.maxModelLen)),
                "",
                byMemory ? "a larger share of memory, fewer bits, another device, or shorter prompts"
                         : "raise max-model-len, or take a workload with shorter prompts"};
    }

    /// True if turns wait that no run of this length would answer.
    [[nodiscard]] bool overruns() const {
        const std::size_t waiting = turns_.unfinished();
        const bool atRate = inputs_.arrivals.kind == ArrivalKind::Poisson;
        return !observer_ &&
               (waiting > exact_limits::unfinished || (atRate && waiting > exact_limits::beforeAnswers &&
                                                       waiting / exact_limits::perAnswer > answered_));
    }

    [[nodiscard]] bool isAsync() const { return P::spec.isVllm && policy_.async; }

    /// True if vLLM's front end refuses the turn, for the length of its prompt.
    [[nodiscard]] bool isRefused(const ExactTurn& turn) const {
        return P::spec.paged && turn.promptTokens >= policy_.maxModelLen;
    }

    std::optional<Error> problemOf(const ExactTurn& turn) const {
        if (!P::spec.paged) {
            return std::nullopt;
        }
        const Tokens kept = std::min(turn.promptTokens + turn.outputTokens, policy_.maxModelLen) - 1;
        const std::int64_t needed = (kept + policy_.blockTokens - 1) / policy_.blockTokens;
        if (needed > blocks_ - 1) {
            return Error{
                fmt::format("a turn of {} + {} tokens needs {} KV blocks of {}, and there are {}",
                            formatExact(turn.promptTokens), formatExact(turn.outputTokens),
                            formatExact(needed), policy_.blockTokens, formatExact(blocks_ - 1)),
                "",
                fmt::format("more KV blocks, or a max-model-len of {} or less: longer prompts are then "
                            "refused, as vLLM does, and counted",
                            formatExact((blocks_ - 1) * policy_.blockTokens))};
        }
        return std::nullopt;
    }

    /// Advances the clock, and reports the step to the turns.
    std::optional<Error> pass(const Step& step, double scheduleS) {
        const double startS = std::max(scheduleS, endS_);
        const std::span<const ForwardWork> forwards = account_.workOf(step);
        for (const ForwardWork& work : forwards) {
            if (work.rowsM > exact_limits::rows) {
                return Error{fmt::format("a forward has {} rows, padding included", formatExact(work.rowsM)),
                             "", "a smaller prefill batch, chunk or token budget"};
            }
            result_.tokensIn += static_cast<std::uint64_t>(work.promptTokens);
        }
        const auto [us, fp16Us] = record_ != nullptr ? recorded(forwards) : priced(forwards);
        endBeforeS_ = endS_;
        endS_ = record_ != nullptr ? startS + 1 : startS + us * 1e-6;
        result_.tokensOut += step.emitted.size();
        if (step.freeScheduled < fewestFree_) {
            fewestFree_ = step.freeScheduled;
            result_.peakBesideBlocks = step.besideScheduled;
        }
        if (!account_.wasSteady()) {
            tell(step, step.updateOf ? endBeforeS_ : endS_);
        }
        if (observer_) {
            const std::int64_t used = P::spec.paged ? blocks_ - 1 - step.freeScheduled : -1;
            isOver_ = !observer_({step, startS, us, fp16Us, turns_.all(), forwards, account_, used});
        }
        return std::nullopt;
    }

    struct StepUs {
        double kBit = 0;
        double fp16 = 0;
    };

    double attentionUs(const ForwardWork& work) {
        const auto times = attention_ ? attention_->times(work.attention) : AttentionModel::Times();
        result_.attentionModelledUs += times.modelledUs;
        return times.us;
    }

    StepUs priced(std::span<const ForwardWork> forwards) {
        StepUs us;
        for (const ForwardWork& work : forwards) {
            result_.rows.add({work.rowsM, work.headRows}, work.decodeOnly, rates_->table().hasHead());
            const double attention = attentionUs(work);
            us.kBit += rates_->table().us({work.rowsM, work.headRows}) + attention;
            us.fp16 += rates_->table().fp16Us({work.rowsM, work.headRows}) + attention;
        }
        if (inputs_.scope == StepScope::WholeStep && us.kBit > 0) {
            us.kBit = isAsync() ? std::max(us.kBit, inputs_.hostUs) : us.kBit + inputs_.hostUs;
            us.fp16 = isAsync() ? std::max(us.fp16, inputs_.hostUs) : us.fp16 + inputs_.hostUs;
        }
        result_.wholeUs += us.kBit;
        result_.wholeFp16Us += us.fp16;
        return us;
    }

    StepUs recorded(std::span<const ForwardWork> forwards) {
        for (const ForwardWork& work : forwards) {
            record_->forwards.push_back({.rowsM = static_cast<std::int32_t>(work.rowsM),
                                         .headRows = static_cast<std::int32_t>(work.headRows),
                                         .decodeOnly = work.decodeOnly});
            if (attention_) {
                record_->attentionUs.push_back(attentionUs(work));
            }
        }
        if (forwards.empty()) {
            record_->forwards.emplace_back();
            record_->attentionUs.resize(attention_ ? record_->forwards.size() : 0);
        }
        record_->forwards.back().endsStep = true;
        return {};
    }

    void tell(const Step& step, double nowS) {
        for (const RequestIndex index : step.emitted) {
            turns_.emitted(index, nowS);
        }
        for (const RequestIndex index : step.finished) {
            const ExactTurn& turn = turns_.at(index);
            still_.end(turn.promptTokens, turn.outputTokens);
            const Tokens room = P::spec.paged ? policy_.maxModelLen - turn.promptTokens : turn.outputTokens;
            const Tokens tokens = std::min(turn.outputTokens, room);
            if (record_ != nullptr) {
                record(turn, tokens, nowS);
            }
            source_.answered(turns_.answered(index, nowS, tokens), nowS);
            ++answered_;
        }
        result_.preemptions += step.preempted.size();
        for (const RequestTokens& hit : step.hits) {
            result_.cachedTokens += static_cast<std::uint64_t>(hit.tokens);
        }
    }

    void record(const ExactTurn& turn, Tokens tokens, double nowS) {
        record_->turns.push_back({.arrival = static_cast<std::int32_t>(turn.arrivalS),
                                  .firstToken = static_cast<std::int32_t>(turn.firstTokenS),
                                  .end = static_cast<std::int32_t>(nowS),
                                  .tokens = static_cast<std::int32_t>(tokens)});
    }

    Error stuck(const Obstacle& obstacle) const {
        const ExactTurn& turn = turns_.at(obstacle.request);
        return {fmt::format("a turn of {} + {} tokens waits for ever: it {}", formatExact(turn.promptTokens),
                            formatExact(turn.outputTokens), obstacle.why),
                "", "a larger cache or budget, or shorter requests"};
    }

    /// Returns the result of the time since `fromS`, without latencies.
    SimulationResult part(double fromS) {
        if (record_ == nullptr) {
            result_.gemm = rates_->timeOf(countsOf(result_.rows));
        }
        if (inputs_.scope == StepScope::GemmOnly) {
            result_.wholeUs = result_.gemm.us;
            result_.wholeFp16Us = result_.gemm.fp16Us;
        }
        result_.simulatedS = endS_ - fromS;
        if (P::spec.paged) {
            result_.peakKvBlocks = blocks_ - 1 - fewestFree_;
        }
        return std::move(result_);
    }

    const SimulationInputs& inputs_;
    PolicySetup policy_;     ///< requests end at longestRequestOf
    const GemmRates* rates_; ///< null while recording
    const ExactObserver& observer_;
    ScheduleRecord* record_;
    std::optional<AttentionModel> attention_;
    TurnSource source_;
    StepAccount account_;
    ExactTurns turns_;
    ScheduleRequest request_;
    SimulationResult result_;
    std::uint64_t answered_ = 0;
    std::int64_t blocks_ = 0; ///< the null block is one of them; 0 where the policy has none
    std::int64_t fewestFree_ = 0;
    typename P::Scheduler scheduler_;
    std::int64_t t_ = 0;         ///< steps that have passed
    double takenS_ = 0;          ///< until when the last part went
    std::uint64_t takenOut_ = 0; ///< tokens emitted until then
    double endS_ = 0;            ///< of the last forward
    double endBeforeS_ = 0;      ///< of the one before it
    int refusedInARow_ = 0;
    StandStill still_;
    bool isOver_ = false; ///< nobody comes any more, or the observer has seen enough
};

} // namespace loadline
