// The crossover's intervals: the same curves drawn again with other turns, other sessions, other kernel
// times.
#include "core/simulate/study/crossover.h"

#include "core/base/parallel_for.h"
#include "core/base/random.h"
#include "core/simulate/answer/remarks.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/study/crossover_intervals.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace loadline {
namespace {

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

/// A draw is one run of each number of users, as long as the study's runs; what is left to settle in so few
/// steps is part of the chance of single runs.
constexpr RunPlan drawPlan{studyIterations / 4, studyIterations};

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
                inputs.schedules
                    ? inputs.schedules->resampledOf(inputs.workload, *draw.sessionsSeed)
                    : std::make_shared<const Workload>(resampled(*inputs.workload, *draw.sessionsSeed));
        }
        inputs.arrivals.users = users_.back();
        inputs.length = lengthFor(inputs_, users_.back());
        const bool fast = goesFast(inputs);
        if (isSettling(inputs) && fast) { // begun warm, without a clock
            inputs.length.iterations = studyIterations;
            inputs.warmStart = true;
        } else if (isSettling(inputs)) {
            inputs.plan = drawPlan;
        }
        const RunLength ofDraw = inputs.length;
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
            inputs.length = inputs_.base.length.isGiven() ? lengthFor(inputs_, users) : ofDraw;
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

    /// `count` draws in parallel; `use(index, curve)` of each that was not stopped.
    template <typename DrawOf, typename Use>
    Status each(Tokens chunk, std::size_t count, const DrawOf& drawOf, const Use& use) const {
        std::vector<std::optional<Error>> errors(count);
        parallelFor(count, threads(), stop_, [&](std::size_t index, unsigned) {
            const auto curve = rows(chunk, drawOf(index));
            if (!curve) {
                errors[index] = curve.error();
            } else if (curve->size() == users_.size()) {
                use(index, *curve);
            }
        });
        for (const auto& error : errors) {
            if (error) {
                return *error;
            }
        }
        return Done{};
    }

private:
    const SweepInputs& inputs_;
    const CrossoverOptions& options_;
    std::vector<std::int64_t> users_;
    std::vector<int> kBits_;
    const CostTables& tables_;
    const std::stop_token& stop_;
};

/// The inputs of one curve of a sweep.
SimulationInputs inputsOfCurve(const SweepInputs& inputs, const SweepResult& mean, std::size_t k,
                               std::size_t chunk) {
    SimulationInputs one = inputs.base;
    one.cost.kBits = mean.kBits[k];
    one.length = lengthFor(inputs, mean.users.back());
    if (!inputs.chunks.empty()) {
        one.policy.chunkTokens = mean.chunks[chunk] > 0 ? std::optional(mean.chunks[chunk]) : std::nullopt;
    }
    return one;
}

/// Of one curve of a sweep; what cannot be told is not said.
std::optional<RuleJump> jumpOf(const SweepInputs& inputs, const SweepResult& mean, std::size_t k,
                               std::size_t chunk, const std::stop_token& stop) {
    const SimulationInputs one = inputsOfCurve(inputs, mean, k, chunk);
    const auto jump = ruleJumpOf(one, mean.curve(k, chunk), stop);
    return jump ? *jump : std::nullopt;
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
    const std::vector<std::int64_t>& users = curves.users();
    const bool fast = goesFast(inputs.base);
    constexpr std::int64_t exactDraws = 8; // each takes as long as a sweep step by step
    const auto draws = static_cast<std::size_t>(
        std::max<std::int64_t>(2, fast ? options.draws : std::min(options.draws, exactDraws)));
    // Runs put together where their own chance is not what is asked for.
    const std::size_t sessionRuns = fast ? 2 : 1;
    const std::size_t kernelRuns = std::min<std::size_t>(draws, 4);

    if (options.progress != nullptr) {
        options.progress->planned += (2 + sessionRuns) * draws * users.size() * mean.chunks.size();
    }

    std::vector<std::vector<RowTimes>> drawn; // by k, the same for every chunk
    std::vector<RowTimes> usual;              // by k
    for (const int k : mean.kBits) {
        drawn.push_back(curves.tables(k, draws));
        usual.emplace_back((*tables)->at(k).table());
    }
    const std::uint64_t seed = inputs.base.seed;
    for (std::size_t c = 0; c < mean.chunks.size() && !stop.stop_requested(); ++c) {
        const Tokens chunk = mean.chunks[c];
        std::vector<DrawnCurves> byK(mean.kBits.size(), DrawnCurves(draws, sessionRuns, kernelRuns));
        CurveRows firstRun;
        const auto useTurns = [&](std::size_t d, const CurveRows& curve) {
            for (std::size_t k = 0; k < byK.size(); ++k) {
                CurveSums one;
                one.add(curve, usual[k]);
                byK[k].turns[d] = one.ratios();
                if (d >= kernelRuns) {
                    continue;
                }
                byK[k].usual[d] = std::move(one);
                for (const RowTimes& times : drawn[k]) {
                    byK[k].kernels[d].emplace_back().add(curve, times);
                }
            }
            if (d == 0) {
                firstRun = curve;
            }
        };
        const auto useSessions = [&](std::size_t index, const CurveRows& curve) {
            for (std::size_t k = 0; k < byK.size(); ++k) {
                byK[k].sessions[index].add(curve, usual[k]);
            }
        };
        const auto useBoth = [&](std::size_t d, const CurveRows& curve) {
            for (std::size_t k = 0; k < byK.size(); ++k) {
                CurveSums one;
                one.add(curve, drawn[k][d]);
                byK[k].all[d] = one.ratios();
            }
        };
        const auto turnsDraw = [&](std::size_t d) { return Draw{seed + d, std::nullopt}; };
        const auto sessionsDraw = [&](std::size_t index) {
            return Draw{seed + index % sessionRuns, seedOf(seed, index / sessionRuns + 1)};
        };
        const auto bothDraw = [&](std::size_t d) { return Draw{seed + d, seedOf(seed, d + 1)}; };
        if (Status done = curves.each(chunk, draws, turnsDraw, useTurns); !done) {
            return done.error();
        }
        if (Status done = curves.each(chunk, draws * sessionRuns, sessionsDraw, useSessions); !done) {
            return done.error();
        }
        if (Status done = curves.each(chunk, draws, bothDraw, useBoth); !done) {
            return done.error();
        }
        if (stop.stop_requested()) {
            break;
        }
        for (std::size_t k = 0; k < mean.kBits.size(); ++k) {
            Ratios ratios; // of the mean curve
            for (std::size_t i = 0; i < mean.users.size(); ++i) {
                if (std::binary_search(users.begin(), users.end(), mean.users[i])) {
                    ratios.push_back(mean.at(k, c, i).timeVsFp16.value);
                }
            }
            Crossover& one = found[k * mean.chunks.size() + c];
            setIntervals(one, byK[k], users, ratios);
            const std::int64_t at =
                one.crossings.empty() ? one.toUsers : std::llround(one.crossings.front().users);
            const auto next = std::lower_bound(users.begin(), users.end(), at);
            const auto index = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
                next - users.begin(), static_cast<std::ptrdiff_t>(users.size()) - 1));
            one.modelledShare =
                modelledSharesOf((*tables)->at(mean.kBits[k]).timeOf(firstRun[index].counts)).kBit;
            one.ruleJump = jumpOf(inputs, mean, k, c, stop);
            if (const auto left =
                    ruleLeftOutOf(inputsOfCurve(inputs, mean, k, c), {one.bestUsers, one.worstUsers}, stop)) {
                one.leftOut = *left;
            }
            one.sentence = draggedPrefix(inputs.base) + sentenceOf(one);
        }
    }
    return found;
}

} // namespace loadline
