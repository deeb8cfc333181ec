// The fast way: a closed loop without think time or bound on KV, advanced from event to event.
#include "core/simulate/run/rows.h"

#include "core/simulate/loop/completion_ring.h"
#include "core/simulate/policy/policies.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/turn_clock.h"
#include "core/simulate/run/warm_start.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace loadline {
namespace {

std::int32_t longestOutput(std::span<const DrawnTurn> turns) {
    std::int32_t longest = 1;
    for (const DrawnTurn& turn : turns) {
        longest = std::max(longest, turn.output);
    }
    return longest;
}

template <typename Clock>
void runLoop(const LoopParts<Clock>& parts, RowsRun& run) {
    withPolicy(parts.setup.policy, [&]<typename P>(P) {
        if constexpr (hasLoop<P>) {
            typename P::template Loop<Clock>(parts).run(run);
        }
    });
}

} // namespace

bool goesFast(const SimulationInputs& inputs) {
    const ArrivalSetup& arrivals = inputs.arrivals;
    if (arrivals.kind != ArrivalKind::Closed || arrivals.think != ThinkTime::None ||
        arrivals.order != TurnOrder::Sampled || inputs.scope != StepScope::GemmOnly) {
        return false;
    }
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) {
        if constexpr (hasLoop<P>) {
            return P::goesFast(inputs.policy) && !kvBlocksOf(inputs);
        }
        return false;
    });
}

RowsSetup rowsSetupOf(const SimulationInputs& inputs) {
    const PolicySetup& policy = inputs.policy;
    return {policy.policy,    inputs.arrivals.users,
            chunkOf(policy),  budgetOf(policy),
            seqsOf(policy),   policy.chunkedPrefill,
            policy.fit,       inputs.length,
            inputs.warmStart, std::ranges::any_of(inputs.cost.model.gemms, &LayerGemm::isHead)};
}

std::size_t turnsNeeded(const RowsSetup& setup) {
    constexpr std::int64_t most = 1 << 18;
    const std::int64_t byTurns = setup.length.turns.value_or(most);
    const std::int64_t byIterations =
        setup.length.iterations.value_or(most); // about one prompt a step at most
    return static_cast<std::size_t>(std::min(std::min(byTurns, byIterations), most) + setup.users);
}

const RowsRun& RowsEngine::run(const RowsSetup& setup, std::span<const DrawnTurn> turns,
                               const std::stop_token& stop) {
    const std::span<const DrawnTurn> all = begin(setup, turns);
    CompletionRing ring(longestOutput(turns));
    if (setup.hasHead) {
        HeadClock clock(head_);
        runLoop<HeadClock>({setup, all, mixed_, decodeOnly_, ring, clock, stop}, run_);
    } else {
        NoClock clock;
        runLoop<NoClock>({setup, all, mixed_, decodeOnly_, ring, clock, stop}, run_);
    }
    return end();
}

const RowsRun& RowsEngine::run(const RowsSetup& setup, std::span<const DrawnTurn> turns,
                               const TimesByRows& usByRows, RowsTimes& times, const std::stop_token& stop) {
    const std::span<const DrawnTurn> all = begin(setup, turns);
    times = {};
    CompletionRing ring(longestOutput(turns));
    const auto runWith = [&]<bool withHead>(std::bool_constant<withHead>) {
        TurnClock<withHead> clock(usByRows, ring.span(), times, setup.warmStart ? setup.users : 0, head_);
        runLoop<TurnClock<withHead>>({setup, all, mixed_, decodeOnly_, ring, clock, stop}, run_);
    };
    if (setup.hasHead) {
        runWith(std::true_type());
    } else {
        runWith(std::false_type());
    }
    return end();
}

std::span<const DrawnTurn> RowsEngine::begin(const RowsSetup& setup, std::span<const DrawnTurn> turns) {
    std::vector<RowsCount> counts = std::move(run_.counts); // keeps its memory
    counts.clear();
    run_ = {};
    run_.counts = std::move(counts);
    if (!setup.warmStart) {
        return turns;
    }
    warmed_ = warmTurns(setup, turns);
    warmed_.insert(warmed_.end(), turns.begin(), turns.end());
    return warmed_;
}

const RowsRun& RowsEngine::end() {
    putCounts(run_.counts, mixed_, decodeOnly_, head_);
    for (const RowsCount& count : run_.counts) {
        run_.decodeOnly += count.decodeOnly;
        run_.tokensOut += count.rows * count.steps; // the loops have taken the prompts' off
    }
    mixed_.clear();
    decodeOnly_.clear();
    head_.clear();
    return run_;
}

} // namespace loadline
