// The clock around an exact scheduler.
#include "core/simulate/run/exact.h"

#include "core/schedule/stand_still.h"
#include "core/simulate/policy/policies.h"
#include "core/simulate/run/exact_turns.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/step_account.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace loadline {
namespace {

constexpr int mostRefusedInARow = 10'000;
constexpr std::size_t mostUnfinished = 2'000'000;
constexpr std::size_t mostBeforeAnswers = 50'000; // at a rate: while the first answers are on their way
constexpr std::size_t mostPerAnswer = 100;        // at a rate: a queue that no longer run would empty
constexpr std::int64_t mostRows = std::int64_t{1} << 24;
constexpr std::int64_t unbounded = std::int64_t{1} << 40;  // blocks counted alone cost no memory
constexpr std::int64_t mostCached = std::int64_t{1} << 20; // blocks with identity do
constexpr double secondsPerUs = 1e-6;

/// P: one of Policies.
template <typename P>
class Run {
public:
    /// With `record` nothing has a price, and every step takes a second.
    Run(const SimulationInputs& inputs, const GemmRates* rates, std::uint64_t seed,
        const std::stop_token& stop, const ExactObserver& observer, ScheduleRecord* record)
        : inputs_(inputs), policy_(inputs.policy), rates_(rates), stop_(stop), observer_(observer),
          record_(record), source_(inputs, seed),
          attention_(inputs.scope == StepScope::WholeStep ? attentionOf(inputs) : std::nullopt),
          account_(attention_ ? &*attention_ : nullptr, P::spec.steady && !policy_.async && !observer),
          turns_(static_cast<bool>(observer)) {
        result_.rows.steps.resize(1);
        result_.rows.decodeOnly.resize(1);
        result_.users = inputs.arrivals.kind == ArrivalKind::Closed ? inputs.arrivals.users : 0;
    }

    Result<SimulationResult> run() {
        if constexpr (P::spec.paged) {
            blocks_ = blocksInForce(inputs_);
            policy_.maxModelLen = longestRequestOf(inputs_);
            fewestFree_ = blocks_ - 1;
        }
        return with(P::scheduler(policy_, {.kvBlocks = blocks_,
                                           .beside = blocksBesideOf(inputs_),
                                           .sharesPrefixes = sharesPrefixes(inputs_),
                                           .listsQueues = static_cast<bool>(observer_)}));
    }

private:
    template <typename Scheduler>
    Result<SimulationResult> with(Scheduler scheduler) {
        if (inputs_.scope == StepScope::WholeStep && !attention_) {
            return Error{
                "the device of these kernel times is not known and its ceilings were not measured, so "
                "attention cannot be timed",
                inputs_.profile ? inputs_.profile->name : "",
                "count the GEMMs alone, or name the hardware in the profile"};
        }
        const std::int64_t steps =
            inputs_.length.iterations.value_or(std::numeric_limits<std::int64_t>::max());
        const auto turns = static_cast<std::uint64_t>(
            inputs_.length.turns.value_or(std::numeric_limits<std::int64_t>::max()));
        for (std::int64_t t = 0; t < steps && answered_ < turns; ++t) {
            if (t % 64 == 0 && stop_.stop_requested()) {
                break;
            }
            double scheduleS = isAsync() ? endBeforeS_ : endS_;
            const std::optional<double> next = source_.nextS();
            if (scheduler.idle()) {
                if (!next) {
                    break;
                }
                scheduleS = std::max(scheduleS, *next);
            }
            if (next && *next <= scheduleS) {
                if (auto problem = arrive(scheduler, scheduleS, t)) {
                    return *problem;
                }
            }
            const Step& step = scheduler.step(t);
            if (auto problem = pass(step, scheduleS)) {
                return *problem;
            }
            if (still_.isReachedBy(step)) {
                return stuck(scheduler.obstacle());
            }
            if (enough_) {
                break;
            }
        }
        if constexpr (P::spec.paged) {
            if (record_ != nullptr) {
                record_->isBound = record_->isBound || scheduler.lackedBlocks();
            }
        }
        return finished();
    }

    template <typename Scheduler>
    std::optional<Error> arrive(Scheduler& scheduler, double untilS, std::int64_t t) {
        for (auto next = source_.nextS(); next && *next <= untilS; next = source_.nextS()) {
            const ExactTurn turn = source_.take(request_);
            if (isRefused(turn)) {
                if (++refusedInARow_ > mostRefusedInARow) {
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
            scheduler.add(index, request_, policy_.order == VllmPolicy::Priority ? t : 0);
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

    /// Turns wait that no run of this length would answer.
    [[nodiscard]] bool overruns() const {
        const std::size_t waiting = turns_.unfinished();
        const bool atRate = inputs_.arrivals.kind == ArrivalKind::Poisson;
        return !observer_ && (waiting > mostUnfinished ||
                              (atRate && waiting > mostBeforeAnswers && waiting / mostPerAnswer > answered_));
    }

    [[nodiscard]] bool isAsync() const { return P::spec.isVllm && policy_.async; }

    /// As vLLM's front end does.
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

    /// Advances the clock, and tells the turns.
    std::optional<Error> pass(const Step& step, double scheduleS) {
        const double startS = std::max(scheduleS, endS_);
        const std::span<const ForwardWork> forwards = account_.workOf(step);
        for (const ForwardWork& work : forwards) {
            if (work.rowsM > mostRows) {
                return Error{fmt::format("a forward has {} rows, padding included", formatExact(work.rowsM)),
                             "", "a smaller prefill batch, chunk or token budget"};
            }
            result_.tokensIn += static_cast<std::uint64_t>(work.promptTokens);
        }
        const auto [us, fp16Us] = record_ != nullptr ? recorded(forwards) : priced(forwards);
        endBeforeS_ = endS_;
        endS_ = record_ != nullptr ? startS + 1 : startS + us * secondsPerUs;
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
            enough_ = !observer_({step, startS, us, fp16Us, turns_.all(), forwards, account_, used});
        }
        return std::nullopt;
    }

    struct StepUs {
        double kBit = 0;
        double fp16 = 0;
    };

    [[nodiscard]] double attentionUs(const ForwardWork& work) const {
        return attention_ ? attention_->us(work.attention) : 0;
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

    SimulationResult finished() {
        if (record_ == nullptr) {
            result_.gemm = rates_->timeOf(countsOf(result_.rows));
        }
        if (inputs_.scope == StepScope::GemmOnly) {
            result_.wholeUs = result_.gemm.us;
            result_.wholeFp16Us = result_.gemm.fp16Us;
        }
        result_.simulatedS = endS_;
        if (P::spec.paged) {
            result_.peakKvBlocks = blocks_ - 1 - fewestFree_;
        }
        turns_.putLatenciesInto(result_);
        if (inputs_.arrivals.kind != ArrivalKind::Closed) {
            turns_.putQueueInto(result_);
        }
        return std::move(result_);
    }

    const SimulationInputs& inputs_;
    PolicySetup policy_;     ///< requests end at longestRequestOf
    const GemmRates* rates_; ///< null while recording
    const std::stop_token& stop_;
    const ExactObserver& observer_;
    ScheduleRecord* record_;
    TurnSource source_;
    std::optional<AttentionModel> attention_;
    StepAccount account_;
    ExactTurns turns_;
    ScheduleRequest request_;
    SimulationResult result_;
    std::uint64_t answered_ = 0;
    std::int64_t blocks_ = 0; ///< the null block is one of them
    std::int64_t fewestFree_ = 0;
    double endS_ = 0;       ///< of the last forward
    double endBeforeS_ = 0; ///< of the one before it
    int refusedInARow_ = 0;
    StandStill still_;
    bool enough_ = false;
};

} // namespace

Result<SimulationResult> runExact(const SimulationInputs& inputs, const GemmRates& rates, std::uint64_t seed,
                                  const std::stop_token& stop, const ExactObserver& observer) {
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) {
        return Run<P>(inputs, &rates, seed, stop, observer, nullptr).run();
    });
}

Result<ScheduleRecord> recordExact(const SimulationInputs& inputs, std::uint64_t seed,
                                   const std::stop_token& stop) {
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) -> Result<ScheduleRecord> {
        ScheduleRecord record;
        auto sums = Run<P>(inputs, nullptr, seed, stop, {}, &record).run();
        if (!sums) {
            return sums.error();
        }
        record.sums = std::move(*sums);
        record.sums.rows = {};
        record.sums.ttftS = record.sums.tpotS = record.sums.e2eS = {};
        record.forwards.shrink_to_fit();
        record.attentionUs.shrink_to_fit();
        record.turns.shrink_to_fit();
        return record;
    });
}

std::int64_t blocksInForce(const SimulationInputs& inputs) {
    if (!specOf(inputs.policy.policy).paged) {
        return 0;
    }
    return kvBlocksOf(inputs).value_or(sharesPrefixes(inputs) ? mostCached : unbounded);
}

} // namespace loadline
