// Looks for the best chunk and the best token budget.
#include "core/simulate/study/choice_pays.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/rows.h"
#include "core/simulate/study/curve_outcome.h"
#include "core/simulate/study/format_pair.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace loadline {
namespace {

constexpr std::array<Tokens, 8> choiceGrid = {128, 256, 512, 1024, 2048, 4096, 8192, 16'384};
constexpr double worthAChange = 0.995; // of the time

} // namespace

ChoicePays::ChoicePays(const SimulationInputs& inputs, const SimulationReplicas& present,
                       std::vector<Format> formats, const std::vector<std::int64_t>& users,
                       const std::stop_token& stop)
    : inputs_(inputs), present_(present), formats_(std::move(formats)), users_(users), stop_(stop),
      plan_(present.run ? std::optional(present.run->plan) : std::nullopt) {}

Tokens ChoicePays::valueOf(PayKind kind) const {
    return kind == PayKind::Chunk ? chunkOf(inputs_.policy) : budgetOf(inputs_.policy);
}

SimulationInputs ChoicePays::withChoice(PayKind kind, Tokens value) const {
    SimulationInputs changed = inputs_;
    (kind == PayKind::Chunk ? changed.policy.chunkTokens : changed.policy.budgetTokens) = value;
    changed.tables = tables_;
    return changed;
}

std::optional<SameTurns> ChoicePays::sameTurns(const SimulationInputs& changed, std::int64_t turns,
                                               std::int64_t replicas) const {
    return sameTurnsOf(changed, turns, replicas, stop_);
}

/// Answered in all runs; of settled ones in as many steps as a run of the study has.
std::int64_t ChoicePays::turnsOfRun() const {
    const auto turns = static_cast<double>(pooled(present_.replicas).turns);
    return static_cast<std::int64_t>(
        plan_ ? turns * std::min(1.0, static_cast<double>(studyIterations * plan_->parts) /
                                          static_cast<double>(plan_->measuredSteps))
              : turns);
}

/// Returns the same turns at `value`, which was found by few runs: from as many and as long runs as those of
/// the present setting, which are reused for `now`.
std::optional<SameTurns> ChoicePays::settledAt(PayKind kind, Tokens value, Tokens now,
                                               std::int64_t turns) const {
    return value == now ? sameTurnsOf(present_, inputs_, turns)
                        : sameTurnsOf(withChoice(kind, value), *plan_, turns, stop_);
}

OtherPay ChoicePays::of(PayKind kind, PayLook look) {
    OtherPay pay{kind, {}, 0, {}};
    if (inputs_.arrivals.kind != ArrivalKind::Closed) {
        pay.change = "looked for where users wait for their answers";
    }
    if (look == PayLook::Kernels || inputs_.arrivals.kind != ArrivalKind::Closed) {
        return pay;
    }
    if (!tables_) { // of the widest step: all values are read from the same
        const SimulationInputs widest = withChoice(kind, choiceGrid.back());
        const auto tables = CostTables::make(
            inputs_, formats_, rowsReached(widest.policy, widest.arrivals.users, chunkOf(widest.policy)));
        tables_ = tables ? *tables : nullptr;
    }
    const auto runs = std::max<std::int64_t>(inputs_.replicas, 1);
    const std::int64_t turns = std::max<std::int64_t>(4 * inputs_.arrivals.users, turnsOfRun() / runs);
    const Tokens now = valueOf(kind);
    const std::int64_t few = goesFast(inputs_) ? std::min<std::int64_t>(runs, 4) : 1;
    std::optional<SameTurns> asNow = sameTurns(inputs_, turns, few);
    Tokens best = now;
    std::optional<SameTurns> atBest = asNow;
    double bestUs = asNow.value_or(SameTurns{}).us * worthAChange;
    ChoiceLatency latency = latencyOf(asNow, now);
    for (const Tokens value : choiceGrid) {
        const auto other =
            !asNow || stop_.stop_requested() ? std::nullopt : sameTurns(withChoice(kind, value), turns, few);
        if (other) {
            keepLeast(latency, *other, *asNow, value);
        }
        if (other && other->us < bestUs) {
            atBest = other;
            bestUs = other->us;
            best = value;
        }
    }
    if (plan_ && asNow && !stop_.stop_requested()) {
        asNow = settledAt(kind, now, now, turns);
        atBest = settledAt(kind, best, now, turns);
        const Tokens leastAt = latency.leastAt;
        const auto atLeast = leastAt == best ? atBest : settledAt(kind, leastAt, now, turns);
        latency = latencyOf(asNow, now);
        if (atLeast) {
            keepLeast(latency, *atLeast, *asNow, leastAt);
        }
    } else if (best != now && few < runs) {
        asNow = sameTurns(inputs_, turns, runs);
        atBest = sameTurns(withChoice(kind, best), turns, runs);
    }
    if (!asNow || !atBest || stop_.stop_requested()) { // nothing is known to be best
        return pay;
    }
    const std::string nowText = now > 0 ? formatExact(now) : std::string("no limit");
    const bool isSure =
        !plan_ || !pairedRatioOf(asNow->us / atBest->us, asNow->runUs, atBest->runUs).isEven();
    if (best == now || atBest->us >= asNow->us * worthAChange || !isSure) {
        pay.change = nowText + " is best";
    } else if (const auto outcome = outcomeOf(withChoice(kind, best), users_, stop_)) {
        pay.change = fmt::format("{} instead of {}", formatExact(best), nowText);
        pay.improvements.push_back(
            {1, outcome->timeVsFp16, asNow->us / atBest->us, outcome->crossing, outcome->fasterAtFirst,
             hasCurve(inputs_, users_) && outcome->crossingKnown, savedBy(*atBest, *asNow)});
        latency.bestTtftP50S = atBest->ttftP50S;
        latency.bestTpotP99S = atBest->tpotP99S;
        pay.why = whyLess(*atBest, *asNow);
        pay.turns = plan_ ? std::string("the same turns, at the settled pace of both")
                          : fmt::format("the same turns: the first {} answered {}", formatExact(turns),
                                        runs == 1 ? "in a run" : fmt::format("in each of {} runs", runs));
    }
    if (tellsLatencies(inputs_)) {
        pay.latency = latency;
    }
    return pay;
}

} // namespace loadline
