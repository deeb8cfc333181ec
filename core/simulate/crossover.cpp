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

/// Times by M of one table, as the error bars may have it.
struct RowTimes {
    std::vector<double> us, fp16Us;

    explicit RowTimes(const CostTable& table)
        : us(table.usByRows().begin(), table.usByRows().end()),
          fp16Us(table.fp16UsByRows().begin(), table.fp16UsByRows().end()) {}

    [[nodiscard]] GemmTime of(std::span<const RowsCount> counts) const {
        GemmTime time;
        const auto last = static_cast<std::int64_t>(us.size()) - 1;
        for (const RowsCount& count : counts) {
            const auto at = static_cast<std::size_t>(std::min<std::int64_t>(count.rows, last));
            const double steps =
                static_cast<double>(count.steps) *
                (count.rows > last ? static_cast<double>(count.rows) / static_cast<double>(last) : 1);
            time.us += steps * us[at];
            time.fp16Us += steps * fp16Us[at];
        }
        return time;
    }
};

/// The numbers of users that a draw simulates: every one up to 32, about 16 an octave beyond.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& users) {
    constexpr std::int64_t every = 32;
    constexpr double apart = 1.044; // 2^(1/16)
    std::vector<std::int64_t> kept;
    for (const std::int64_t one : users) {
        const bool far = kept.empty() || static_cast<double>(one) >= apart * static_cast<double>(kept.back());
        if (one <= every || far || one == users.back()) {
            kept.push_back(one);
        }
    }
    return kept;
}

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
    [[nodiscard]] std::optional<double> crossing(const CurveRows& curve, const RowTimes& times) const {
        std::vector<double> ratios;
        for (const ReplicaRows& run : curve) {
            ratios.push_back(run.ratio(times.of(run.counts)));
        }
        const std::vector<Crossing> crossings = crossingsOf(users_, ratios);
        return crossings.empty() ? std::nullopt : std::optional(crossings.front().users);
    }

    /// Tables of one k as the error bars may have them, in parallel.
    [[nodiscard]] std::vector<RowTimes> tables(int kBits, std::size_t count) const {
        const CostTable& table = tables_.at(kBits).table();
        std::vector<std::optional<RowTimes>> drawn(count);
        parallelFor(count, threads(), stop_, [&](std::size_t index, unsigned) {
            drawn[index].emplace(table.drawn(seedOf(inputs_.base.seed, index)));
        });
        std::vector<RowTimes> result;
        for (auto& one : drawn) {
            if (one) {
                result.push_back(std::move(*one));
            }
        }
        return result;
    }

    [[nodiscard]] const std::vector<std::int64_t>& users() const { return users_; }

    [[nodiscard]] unsigned threads() const {
        return options_.threads == 0 ? defaultThreads() : options_.threads;
    }

    /// All draws of one kind, in parallel.
    Result<std::vector<CurveRows>> draws(Tokens chunk, std::size_t count, bool otherTurns,
                                         bool otherSessions) const {
        std::vector<std::optional<Result<CurveRows>>> results(count);
        parallelFor(count, threads(), stop_, [&](std::size_t index, unsigned) {
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
CrossoverInterval intervalOf(const std::vector<std::optional<double>>& draws, bool fasterAtFirst) {
    std::vector<double> crossings;
    for (const std::optional<double>& draw : draws) {
        if (draw) {
            crossings.push_back(*draw);
        }
    }
    CrossoverInterval interval;
    if (crossings.empty()) {
        return interval;
    }
    std::sort(crossings.begin(), crossings.end());
    interval.shareWithCrossing = static_cast<double>(crossings.size()) / static_cast<double>(draws.size());
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
    const Curves curves(inputs, options, thinned(mean.users), mean.kBits, **tables, stop);
    const bool fast = goesFast(inputs.base);
    constexpr std::int64_t exactDraws = 8; // each takes as long as a sweep step by step
    const auto draws = static_cast<std::size_t>(
        std::max<std::int64_t>(2, fast ? options.draws : std::min(options.draws, exactDraws)));

    if (options.progress != nullptr) {
        options.progress->planned += 3 * draws * curves.users().size() * mean.chunks.size();
    }

    std::vector<std::vector<RowTimes>> drawn; // by k, the same for every chunk
    for (const int k : mean.kBits) {
        drawn.push_back(curves.tables(k, draws));
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
            if (drawn[k].size() < draws) {
                break; // stopped
            }
            const RowTimes times(table);
            using Found = std::vector<std::optional<double>>;
            Found turns(draws), sessions(draws), kernels(draws), all(draws);
            parallelFor(draws, curves.threads(), stop, [&](std::size_t d, unsigned) {
                turns[d] = curves.crossing((*byTurns)[d], times);
                sessions[d] = curves.crossing((*bySessions)[d], times);
                kernels[d] = curves.crossing((*byTurns)[0], drawn[k][d]);
                all[d] = curves.crossing((*byBoth)[d], drawn[k][d]);
            });
            Crossover& one = found[k * mean.chunks.size() + c];
            const bool fasterAtFirst = mean.at(k, c, 0).timeVsFp16.value < 1;
            one.replicas = intervalOf(turns, fasterAtFirst);
            one.sessions = intervalOf(sessions, fasterAtFirst);
            one.kernels = intervalOf(kernels, fasterAtFirst);
            one.all = intervalOf(all, fasterAtFirst);
            const std::int64_t users =
                one.crossings.empty() ? one.toUsers : std::llround(one.crossings.front().users);
            const std::vector<std::int64_t>& simulated = curves.users();
            const auto at = std::lower_bound(simulated.begin(), simulated.end(), users);
            const auto index = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
                at - simulated.begin(), static_cast<std::ptrdiff_t>(simulated.size()) - 1));
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
