// The gain of making one kernel faster for this workload: Amdahl's question, answered by re-simulation.
#include "core/simulate/study/sensitivity.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/choice_pays.h"
#include "core/simulate/study/compared_turns.h"
#include "core/simulate/study/curve_outcome.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/kernel_parts.h"
#include "core/simulate/study/preview_words.h"
#include "core/simulate/study/remarks.h"
#include "core/simulate/study/rule_left_out.h"
#include "core/simulate/study/same_steps.h"
#include "core/simulate/study/sensitivity_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace loadline {
namespace {

constexpr std::array factors = {1.5, 2.0, std::numeric_limits<double>::infinity()};

/// One question: the inputs, their present steps, and how changes of them are answered.
class Pays {
public:
    Pays(SimulationInputs inputs, const std::vector<std::int64_t>& users, const std::stop_token& stop)
        : inputs_(std::move(inputs)), users_(users), stop_(stop) {}

    Result<WhatPays> answer(PayLook look) {
        auto replicas = simulate(inputs_, 0, stop_);
        if (!replicas) {
            return replicas.error();
        }
        present_ = pooled(replicas->replicas);
        if (replicas->run) {
            plan_ = replicas->run->plan;
        }
        presentRuns_ = std::move(*replicas);
        counts_ = countsOf(present_.rows);
        const bool isCheap = goesFast(inputs_) && inputs_.length.isGiven(); // without a clock
        const bool sameSteps = !isCheap && inputs_.arrivals.kind == ArrivalKind::Closed &&
                               inputs_.arrivals.think == ThinkTime::None && !overlapsHost(inputs_) &&
                               !comparesWithNothing(inputs_);
        if (sameSteps) {
            auto steps = SameSteps::of(inputs_, users_, stop_);
            if (!steps) {
                return steps.error();
            }
            steps_ = std::move(*steps);
        }
        const auto tables = CostTables::make(inputs_, formats(), mostRows());
        if (!tables) {
            return tables.error();
        }
        tables_ = *tables;
        const auto base = outcomeWith(inputs_);
        if (!base) {
            return base.error();
        }
        WhatPays pays;
        pays.arrivals = inputs_.arrivals;
        pays.weights = inputs_.cost.format.weights;
        pays.naming = namingOf(inputs_);
        pays.fp16Gemms = gemmsOf(inputs_.cost.model, Kernel::CublasFp16);
        pays.restShare = present_.wholeUs > 0 ? std::max(0.0, restUs()) / present_.wholeUs : 0;
        pays.timeVsFp16 = base->timeVsFp16.value_or(0);
        pays.crossing = base->crossing;
        for (const auto& add : {&Pays::addKernels, &Pays::addMoves}) {
            if (Status added = (this->*add)(pays); !added) {
                return added.error();
            }
        }
        ChoicePays choices(inputs_, presentRuns_, formats(), users_, stop_);
        pays.others.push_back(choices.of(PayKind::Chunk, look));
        if (inputs_.policy.policy != Policy::Mlx) {
            pays.others.push_back(choices.of(PayKind::Budget, look));
        }
        addRest(pays);
        return pays;
    }

private:
    [[nodiscard]] std::int64_t mostRows() const {
        const std::int64_t users = std::max(inputs_.arrivals.users, users_.empty() ? 0 : users_.back());
        return rowsReached(inputs_.policy, users, chunkOf(inputs_.policy));
    }

    [[nodiscard]] std::vector<Format> formats() const {
        std::vector<Format> list = {inputs_.cost.format};
        if (comparesFormats(inputs_)) {
            list.push_back(inputs_.against);
        }
        return list;
    }

    /// The rates of the format compared with; null where formats are not compared.
    [[nodiscard]] const GemmRates* otherOf(const CostTables& tables) const {
        return comparesFormats(inputs_) ? &tables.at(inputs_.against) : nullptr;
    }

    [[nodiscard]] double restUs() const { return present_.wholeUs - present_.gemm.us; }

    [[nodiscard]] const GemmRates& rates() const { return tables_->at(inputs_.cost.format); }

    /// The same, but for the times of kernels or the rule.
    Result<CurveOutcome> outcomeWith(const SimulationInputs& changed) const {
        if (!steps_ || comparesWithNothing(changed)) {
            return outcomeOf(changed, users_, stop_);
        }
        const auto tables = CostTables::make(changed, formats(), rates().table().maxRows());
        if (!tables) {
            return tables.error();
        }
        const GemmRates& changedRates = (*tables)->at(changed.cost.format);
        CurveOutcome outcome = steps_->outcome(changedRates, otherOf(**tables));
        const ReplicaRows now = rowsOf(present_);
        outcome.timeVsFp16 = now.ratio(changedRates.timeOf(counts_));
        return outcome;
    }

    /// `factor`: what is written down; the speed-up is of the present steps.
    Result<Improvement> improvementBy(SimulationInputs changed, double factor) const {
        changed.tables = nullptr;
        const auto tables = CostTables::make(changed, formats(), rates().table().maxRows());
        if (!tables) {
            return tables.error();
        }
        changed.tables = *tables;
        const auto outcome = outcomeWith(changed);
        if (!outcome) {
            return outcome.error();
        }
        const double us = restUs() + (*tables)->at(changed.cost.format).timeOf(counts_).us;
        return Improvement{factor,
                           outcome->timeVsFp16,
                           us > 0 ? present_.wholeUs / us : std::numeric_limits<double>::infinity(),
                           outcome->crossing,
                           outcome->fasterAtFirst,
                           hasCurve(inputs_, users_) && outcome->crossingKnown};
    }

    Result<Improvement> fasterBy(Kernel kernel, double factor) const {
        SimulationInputs faster = inputs_;
        faster.cost.timeScale[static_cast<std::size_t>(kernel)] /= factor;
        return improvementBy(std::move(faster), factor);
    }

    Status addKernels(WhatPays& pays) {
        const std::optional<KernelBounds> bounds = boundsOf(inputs_);
        pays.limits = bounds ? bounds->source : std::string();
        for (const auto& [kernel, part] : partsOf(counts_, rates().table(), bounds)) {
            if (stop_.stop_requested() || part.us <= 0) {
                continue;
            }
            KernelPay pay{.kernel = kernel,
                          .share = present_.wholeUs > 0 ? part.us / present_.wholeUs : 0,
                          .aloneShare = present_.wholeUs > 0 ? part.aloneUs / present_.wholeUs : 0,
                          .modelledShare = part.modelledUs / part.us,
                          .improvements = {},
                          .limit = {}};
            for (const double factor : factors) {
                auto improvement = fasterBy(kernel, factor);
                if (!improvement) {
                    return improvement.error();
                }
                pay.improvements.push_back(std::move(*improvement));
            }
            if (part.limitUs > 0 && isOurs(kernel, pays.naming)) {
                auto improvement = fasterBy(kernel, std::max(1.0, part.us / part.limitUs));
                if (!improvement) {
                    return improvement.error();
                }
                pay.limit = std::move(*improvement);
            }
            pays.kernels.push_back(std::move(pay));
        }
        std::ranges::sort(pays.kernels, [](const KernelPay& a, const KernelPay& b) {
            return std::pair(readsKBits(a.kernel), a.share) > std::pair(readsKBits(b.kernel), b.share);
        });
        return Done{};
    }

    Status addMoves(WhatPays& pays) {
        constexpr double worthMore = 1.02; // than any one bound of the rule
        const auto changes = ruleChangesOf(inputs_);
        if (!changes) {
            return changes.error();
        }
        double best = 1;
        for (const RuleChange& change : *changes) {
            SimulationInputs changed = inputs_;
            changed.cost.rule = change.rule;
            auto improvement = improvementBy(std::move(changed), 1);
            if (!improvement &&
                !change.rule.fastest) { // the fastest may lack a time that the rule does not need
                return improvement.error();
            }
            if (improvement && (!change.rule.fastest || improvement->speedUp > worthMore * best)) {
                best = std::max(best, improvement->speedUp);
                pays.others.push_back({PayKind::Dispatch, change.words, 0, {std::move(*improvement)}});
            }
        }
        std::ranges::stable_sort(pays.others, std::greater(),
                                 [](const OtherPay& pay) { return pay.improvements.front().speedUp; });
        return Done{};
    }

    /// Attention and the host, of the same steps: with fp16 weights they take as long.
    void addRest(WhatPays& pays) const {
        if (inputs_.scope != StepScope::WholeStep || !(restUs() > 0)) {
            return;
        }
        double hostUs = 0;
        if (inputs_.hostUs > 0) {
            SimulationInputs without = inputs_;
            without.hostUs = 0;
            without.plan = plan_;
            if (const auto runs = simulate(without, 0, stop_)) {
                hostUs = std::clamp(present_.wholeUs - pooled(runs->replicas).wholeUs, 0.0, restUs());
            }
        }
        for (const auto& [kind, us] :
             {std::pair(PayKind::Attention, restUs() - hostUs), std::pair(PayKind::Host, hostUs)}) {
            const bool isRoofline = kind == PayKind::Attention && !inputs_.attention;
            if (us > 0) { // a roofline is as fast as the device allows: nothing can be gained
                pays.others.push_back({kind,
                                       {},
                                       us / present_.wholeUs,
                                       isRoofline ? std::vector<Improvement>() : lessRest(us)});
            }
        }
    }

    /// Returns the gains if `us` of the rest is divided by each factor; over users, the same share of the
    /// rest.
    [[nodiscard]] std::vector<Improvement> lessRest(double us) const {
        std::vector<Improvement> improvements;
        for (const double factor : factors) {
            const double less = us * (1 - 1 / factor);
            Improvement improvement{factor, std::nullopt, present_.wholeUs / (present_.wholeUs - less),
                                    std::nullopt, true};
            if (present_.wholeFp16Us > less) {
                improvement.timeVsFp16 = (present_.wholeUs - less) / (present_.wholeFp16Us - less);
            }
            if (steps_) {
                const CurveOutcome outcome = steps_->outcome(rates(), otherOf(*tables_), 1 - less / restUs());
                improvement.crossing = outcome.crossing;
                improvement.fasterAtFirst = outcome.fasterAtFirst;
                improvement.crossingKnown = outcome.crossingKnown;
            }
            improvement.crossingKnown = improvement.crossingKnown && steps_ && hasCurve(inputs_, users_);
            improvements.push_back(std::move(improvement));
        }
        return improvements;
    }

    SimulationInputs inputs_;
    const std::vector<std::int64_t>& users_;
    const std::stop_token& stop_;
    SimulationReplicas presentRuns_;
    SimulationResult present_;    ///< these, pooled
    std::optional<RunPlan> plan_; ///< of the present runs, where their length was not given
    std::vector<RowsCount> counts_;
    std::optional<SameSteps> steps_;
    std::shared_ptr<const CostTables> tables_;
};

} // namespace

Result<WhatPays> whatPays(const SimulationInputs& asked, const std::vector<std::int64_t>& users,
                          const std::stop_token& stop, PayLook look) {
    SimulationInputs inputs = onComparedTurns(asked);
    if (!inputs.schedules) {
        inputs.schedules = std::make_shared<ScheduleMemo>();
    }
    auto pays = Pays(inputs, users, stop).answer(look);
    if (pays) {
        pays->memory = memoryFitOf(inputs);
        pays->isPreview = look == PayLook::Kernels;
        if (pays->isPreview) {
            pays->shareError = goesFast(inputs) ? previewError : oneRunError;
        }
        pays->sentence = withRemarks(whatPaysSentence(*pays), inputs, pays->memory);
    }
    return pays;
}

} // namespace loadline
