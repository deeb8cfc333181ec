// The crossover's intervals: the same curves drawn again with other turns, other sessions, other kernel
// times.
#include "core/simulate/crossover.h"

#include "core/base/parallel_for.h"
#include "core/base/random.h"
#include "core/simulate/replica.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

/// One curve over users: the runs behind it. Any table turns it into ratios.
using CurveRows = std::vector<ReplicaRows>;

/// What is drawn at random in one draw.
struct Draw {
    std::uint64_t turnsSeed = 0;
    std::optional<std::uint64_t> sessionsSeed; ///< none: the workload as it is
};

class Curves {
public:
    Curves(const SweepInputs& inputs, const CrossoverOptions& options, std::vector<std::int64_t> users,
           std::vector<int> kBits, const CostTables& tables, const std::stop_token& stop)
        : inputs_(inputs), options_(options), users_(std::move(users)), kBits_(std::move(kBits)),
          tables_(tables), stop_(stop) {}

    /// One run for each number of users, all on the turns of the draw.
    Result<CurveRows> rows(Tokens chunk, const Draw& draw) const {
        SimulationInputs inputs = inputs_.base;
        inputs.cost.kBits = kBits_.front();
        if (!inputs_.chunks.empty()) {
            inputs.policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
        }
        if (draw.sessionsSeed) {
            inputs.workload =
                std::make_shared<const Workload>(resampled(*inputs.workload, *draw.sessionsSeed));
        }
        inputs.arrivals.users = users_.back();
        const bool fast = goesFast(inputs);
        const auto turns = fast ? turnsFor(*inputs.workload, turnsNeeded(rowsSetupOf(inputs)), draw.turnsSeed)
                                : std::vector<DrawnTurn>();
        const GemmRates& rates = tables_.at(inputs.cost.kBits);
        RowsEngine engine;
        CurveRows curve;
        for (const std::int64_t users : users_) {
            if (stop_.stop_requested()) {
                return curve;
            }
            inputs.arrivals.users = users;
            if (options_.progress != nullptr) {
                ++options_.progress->done; // a draw that is under way counts
            }
            if (fast && !turns.empty()) {
                curve.push_back({engine.run(rowsSetupOf(inputs), turns, stop_).counts, 0, 0});
                continue;
            }
            const auto run = runReplica(inputs, rates, turns, draw.turnsSeed, engine, stop_);
            if (!run) {
                return run.error();
            }
            curve.push_back(
                {countsOf(run->rows), run->wholeUs - run->gemm.us, run->wholeFp16Us - run->gemm.fp16Us});
        }
        return curve;
    }

    /// Where the curve first passes 1; none if it does not.
    [[nodiscard]] std::optional<double> crossing(const CurveRows& curve, const CostTable& table) const {
        std::vector<double> ratios;
        for (const ReplicaRows& run : curve) {
            GemmTime gemm;
            for (const RowsCount& count : run.counts) {
                gemm.us += static_cast<double>(count.steps) * table.us(count.rows);
                gemm.fp16Us += static_cast<double>(count.steps) * table.fp16Us(count.rows);
            }
            ratios.push_back(run.ratio(gemm));
        }
        const std::vector<Crossing> crossings = crossingsOf(users_, ratios);
        return crossings.empty() ? std::nullopt : std::optional(crossings.front().users);
    }

    /// All draws of one kind, in parallel.
    Result<std::vector<CurveRows>> draws(Tokens chunk, std::size_t count, bool otherTurns,
                                         bool otherSessions) const {
        std::vector<std::optional<Result<CurveRows>>> results(count);
        const unsigned threads = options_.threads == 0 ? defaultThreads() : options_.threads;
        parallelFor(count, threads, stop_, [&](std::size_t index, unsigned) {
            Draw draw;
            draw.turnsSeed = inputs_.base.seed + (otherTurns ? index : 0);
            if (otherSessions) {
                draw.sessionsSeed = seedOf(inputs_.base.seed, index + 1);
            }
            results[index] = rows(chunk, draw);
        });
        std::vector<CurveRows> curves;
        for (auto& result : results) {
            if (!result) {
                break; // stopped
            }
            if (!*result) {
                return result->error();
            }
            curves.push_back(std::move(**result));
        }
        return curves;
    }

private:
    const SweepInputs& inputs_;
    const CrossoverOptions& options_;
    std::vector<std::int64_t> users_;
    std::vector<int> kBits_;
    const CostTables& tables_;
    const std::stop_token& stop_;
};

double percentile(const std::vector<double>& sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// The middle 90 % of the draws that cross. With draws that do not, an end is open where as many of them as
/// would lie beyond it do not cross: the crossing is then outside of the range.
CrossoverInterval intervalOf(std::vector<double> crossings, std::size_t draws, bool fasterAtFirst) {
    CrossoverInterval interval;
    if (draws == 0 || crossings.empty()) {
        return interval;
    }
    std::sort(crossings.begin(), crossings.end());
    interval.shareWithCrossing = static_cast<double>(crossings.size()) / static_cast<double>(draws);
    interval.low = percentile(crossings, 0.05);
    interval.high = percentile(crossings, 0.95);
    if (1 - interval.shareWithCrossing > 0.05) {
        (fasterAtFirst ? interval.high : interval.low).reset();
    }
    return interval;
}

} // namespace

Result<std::vector<Crossover>> crossoversOf(const SweepInputs& inputs, const CrossoverOptions& options,
                                            const std::stop_token& stop) {
    const auto mean = sweep(inputs, stop);
    if (!mean) {
        return mean.error();
    }
    return crossoversOf(inputs, *mean, options, stop);
}

Result<std::vector<Crossover>> crossoversOf(const SweepInputs& inputs, const SweepResult& mean,
                                            const CrossoverOptions& options, const std::stop_token& stop) {
    std::vector<Crossover> found = crossoversOf(mean, inputs.base.scope);
    if (found.empty()) {
        return found; // the sweep was stopped
    }
    std::int64_t rows = 0;
    for (const Tokens chunk : mean.chunks) {
        rows = std::max(rows, rowsReached(inputs.base.policy, mean.users.back(), chunk));
    }
    const auto tables = CostTables::make(inputs.base, mean.kBits, rows);
    if (!tables) {
        return tables.error();
    }
    const Curves curves(inputs, options, mean.users, mean.kBits, **tables, stop);
    const bool fast = goesFast(inputs.base);
    constexpr std::int64_t exactDraws = 8; // each takes as long as a sweep step by step
    const auto draws = static_cast<std::size_t>(
        std::max<std::int64_t>(2, fast ? options.draws : std::min(options.draws, exactDraws)));

    if (options.progress != nullptr) {
        options.progress->planned += 3 * draws * mean.users.size() * mean.chunks.size();
    }

    for (std::size_t c = 0; c < mean.chunks.size() && !stop.stop_requested(); ++c) {
        const Tokens chunk = mean.chunks[c];
        const auto byTurns = curves.draws(chunk, draws, true, false);
        const auto bySessions = curves.draws(chunk, draws, false, true);
        const auto byBoth = curves.draws(chunk, draws, true, true);
        for (const auto* one : {&byTurns, &bySessions, &byBoth}) {
            if (!*one) {
                return one->error();
            }
        }
        if (byBoth->size() < draws) {
            break; // stopped
        }
        for (std::size_t k = 0; k < mean.kBits.size(); ++k) {
            const CostTable& table = (*tables)->at(mean.kBits[k]).table();
            std::vector<double> turns, sessions, kernels, all;
            const auto note = [](std::vector<double>& list, std::optional<double> crossing) {
                if (crossing) {
                    list.push_back(*crossing);
                }
            };
            for (std::size_t d = 0; d < draws && !stop.stop_requested(); ++d) {
                const CostTable drawn = table.drawn(seedOf(inputs.base.seed, d));
                note(turns, curves.crossing((*byTurns)[d], table));
                note(sessions, curves.crossing((*bySessions)[d], table));
                note(kernels, curves.crossing((*byTurns)[0], drawn));
                note(all, curves.crossing((*byBoth)[d], drawn));
            }
            Crossover& one = found[k * mean.chunks.size() + c];
            const bool fasterAtFirst = mean.at(k, c, 0).timeVsFp16.value < 1;
            one.replicas = intervalOf(std::move(turns), draws, fasterAtFirst);
            one.sessions = intervalOf(std::move(sessions), draws, fasterAtFirst);
            one.kernels = intervalOf(std::move(kernels), draws, fasterAtFirst);
            one.all = intervalOf(std::move(all), draws, fasterAtFirst);
            const std::int64_t users =
                one.crossings.empty() ? one.toUsers : std::llround(one.crossings.front().users);
            const auto at = std::lower_bound(mean.users.begin(), mean.users.end(), users);
            const auto index = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
                at - mean.users.begin(), static_cast<std::ptrdiff_t>(mean.users.size()) - 1));
            one.modelledShare = 0;
            double time = 0;
            for (const RowsCount& count : (*byTurns)[0][index].counts) {
                const double us = static_cast<double>(count.steps) * table.us(count.rows);
                one.modelledShare += us * table.modelledShare(count.rows);
                time += us;
            }
            one.modelledShare = time > 0 ? one.modelledShare / time : 0;
            one.sentence = sentenceOf(one);
        }
    }
    return found;
}

} // namespace loadline
