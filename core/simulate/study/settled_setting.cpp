// Settles one setting of a sweep, at every k and in both formats.
#include "core/simulate/study/settled_setting.h"

#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/settle.h"
#include "core/simulate/study/sweep_sums.h"

#include <algorithm>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// Runs one setting whose runs have no given length: at the first k, and in the format compared with, until
/// they are settled; all by the longer plan of the two.
class SettledSetting {
public:
    SettledSetting(SweptSetting& setting, const SettingRuns& runs, RowsEngine& engine,
                   const std::stop_token& stop)
        : setting_(setting), inputs_(runs.inputs), sweep_(runs.sweep), weights_(runs.weights),
          pairs_(runs.pairs), tables_(runs.tables), turns_(runs.turns), engine_(engine), stop_(stop) {}

    void run() {
        if (Status done = settleAll(); !done) {
            setting_.error = done.error();
        }
    }

private:
    using Runs = std::vector<SimulationResult>;

    [[nodiscard]] bool isCompared(std::size_t k) const { return !pairs_.empty() && pairs_[k].isCompared(); }

    [[nodiscard]] bool servesNothing(std::size_t k) const {
        return !pairs_.empty() && pairs_[k].refusedShare >= 1;
    }

    [[nodiscard]] Format formatAt(std::size_t k) const {
        return withWeights(inputs_.cost.format, weights_[k]);
    }

    [[nodiscard]] Tokens longestAt(std::size_t k) const {
        return isCompared(k) ? pairs_[k].longestRequest() : inputs_.policy.maxModelLen;
    }

    [[nodiscard]] SimulationInputs inFormat(const Format& format, Tokens longest) const {
        SimulationInputs one = inputs_;
        one.cost.format = format;
        one.policy.maxModelLen = std::min(one.policy.maxModelLen, longest);
        return one;
    }

    Result<SettledRuns> settled(const Format& format, Tokens longest) {
        auto runs = settle(inFormat(format, longest), tables_.at(format), turns_, goalOf(sweep_), 1, stop_);
        if (runs) {
            setting_.steps += runs->report.steps;
            setting_.turns += runs->report.turnsFinished;
            isSettled_ = isSettled_ && runs->report.settled;
            plan_ = runs->report.plan.measuredSteps > plan_.measuredSteps ? runs->report.plan : plan_;
        }
        return runs;
    }

    /// By the plan; `known`: runs of the same, that are used where they followed it.
    Result<Runs> planned(const Format& format, Tokens longest, const std::optional<SettledRuns>& known) {
        if (known && known->report.plan == plan_) {
            return known->replicas;
        }
        SimulationInputs one = inFormat(format, longest);
        one.plan = plan_;
        Runs runs;
        const auto count = static_cast<std::size_t>(inputs_.replicas / plan_.parts);
        for (std::size_t r = 0; r < count && !stop_.stop_requested(); ++r) {
            auto parts = runParts(one, tables_.at(format), turns_[r], one.seed + r, engine_, stop_);
            if (!parts) {
                return parts.error();
            }
            for (SimulationResult& run : *parts) {
                setting_.steps += run.rows.iterations();
                setting_.turns += run.turns;
                runs.push_back(std::move(run));
            }
        }
        return runs;
    }

    /// Place of the k that tells how long all run: the inputs' own, so that its curve is the same with others
    /// beside it and without.
    [[nodiscard]] std::size_t firstK() const {
        const auto own = std::ranges::find(weights_, inputs_.cost.format.weights) - weights_.begin();
        if (own < std::ssize(weights_) && !servesNothing(static_cast<std::size_t>(own))) {
            return static_cast<std::size_t>(own);
        }
        std::size_t first = 0;
        while (first + 1 < weights_.size() && servesNothing(first)) {
            ++first;
        }
        return first;
    }

    Status settleAll() {
        const std::size_t first = firstK();
        std::optional<SettledRuns> own, other;
        if (!servesNothing(first)) {
            auto runs = settled(formatAt(first), longestAt(first));
            if (!runs) {
                return runs.error();
            }
            own = std::move(*runs);
        }
        if (isCompared(first)) {
            auto runs = settled(inputs_.against, longestAt(first));
            if (!runs) {
                return runs.error();
            }
            other = std::move(*runs);
        }
        std::map<Tokens, Runs> against;
        const bool rowsAlone = goesFast(inputs_) && !sweep_.latencies;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            Runs runs;
            if (rowsAlone && k != first && own) { // the same steps, whatever they take
                runs = own->replicas;
                for (SimulationResult& run : runs) {
                    run.gemm = tables_.at(formatAt(k)).timeOf(countsOf(run.rows));
                    run.wholeUs = run.gemm.us;
                    run.wholeFp16Us = run.gemm.fp16Us;
                }
            } else if (!servesNothing(k)) {
                auto made = planned(formatAt(k), longestAt(k), k == first ? own : std::nullopt);
                if (!made) {
                    return made.error();
                }
                runs = std::move(*made);
            }
            const Tokens longest = longestAt(k);
            if (isCompared(k) && against.count(longest) == 0) {
                const bool isFirst = longest == longestAt(first);
                auto made = planned(inputs_.against, longest, isFirst ? other : std::nullopt);
                if (!made) {
                    return made.error();
                }
                against.emplace(longest, std::move(*made));
            }
            put(k, runs, isCompared(k) ? &against.at(longest) : nullptr);
        }
        return Done{};
    }

    [[nodiscard]] KnownTurns knownTurns(Tokens longest) const {
        KnownTurns known{.meanAnswerTokens =
                             meanAnswerOf(inputs_, std::min(longest, longestRequestOf(inputs_)))};
        const ArrivalSetup& arrivals = inputs_.arrivals;
        if (arrivals.kind == ArrivalKind::Closed && arrivals.think != ThinkTime::FromData) {
            known.users = static_cast<double>(arrivals.users);
            known.thinkS = arrivals.think == ThinkTime::Fixed ? arrivals.thinkS : 0;
        }
        return known;
    }

    void put(std::size_t k, const Runs& runs, const Runs* other) {
        SweepPoint point;
        point.users = setting_.users;
        point.ratePerS = setting_.ratePerS;
        point.chunkTokens = setting_.chunk;
        point.weights = weights_[k];
        const KnownTurns known = knownTurns(longestAt(k));
        const KernelDraws* const draws = sweep_.kernelDraws.get();
        const auto sumsOf = [&](const Runs& some) {
            SweepSums sums;
            sums.known = known;
            sums.keepsRows = draws != nullptr;
            for (const SimulationResult& run : some) {
                sums.add(run);
            }
            return sums;
        };
        const SweepSums own = sumsOf(runs);
        own.put(point);
        setSettled(point, runs, known);
        if (other != nullptr) {
            point.against = own.against(sumsOf(*other), setting_.ratePerS > 0);
        }
        if (point.against) {
            setSettled(point.against->figures, *other, known);
            const PairedRatio& ratio = point.against->turnsPerS;
            const bool isKnown = ratio.low && ratio.high && runs.size() >= enoughForInterval;
            if (!(setting_.ratePerS > 0) && isKnown) { // of the value, not of single parts
                point.against->pace = {1 / ratio.value, 1 / *ratio.high, 1 / *ratio.low};
            }
        }
        if (draws != nullptr) {
            const auto theirs = point.against ? std::optional(sumsOf(*other)) : std::nullopt;
            putKernelErrors(point, *draws, formatAt(k), own, inputs_.against, theirs ? &*theirs : nullptr);
        }
        point.settled = isSettled_;
        const auto peakOf = [](const Runs& some) {
            std::int64_t peak = 0;
            for (const SimulationResult& run : some) {
                peak = std::max(peak, run.peakKvBlocks);
            }
            return peak;
        };
        setting_.peakKvBlocks.push_back(peakOf(runs));
        setting_.againstPeakKvBlocks.push_back(other != nullptr ? peakOf(*other) : 0);
        setting_.points.push_back(std::move(point));
    }

    SweptSetting& setting_;
    const SimulationInputs& inputs_;
    const SweepInputs& sweep_;
    const std::vector<Storage>& weights_;
    const std::vector<SweptPair>& pairs_;
    const CostTables& tables_;
    const std::vector<std::vector<DrawnTurn>>& turns_;
    RowsEngine& engine_;
    const std::stop_token& stop_;
    RunPlan plan_;
    bool isSettled_ = true;
};

} // namespace

SimulationInputs inputsAt(const SweptSetting& setting, SimulationInputs base) {
    base.arrivals.users = setting.users;
    if (setting.ratePerS > 0) {
        base.arrivals.ratePerS = setting.ratePerS;
    }
    if (setting.chunk > 0) {
        base.policy.chunkTokens = setting.chunk;
    }
    return base;
}

void runUntilSettled(SweptSetting& setting, const SettingRuns& runs, RowsEngine& engine,
                     const std::stop_token& stop) {
    SettledSetting(setting, runs, engine, stop).run();
}

} // namespace loadline
