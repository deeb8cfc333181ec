// The crossover's intervals: the same curves drawn again with other turns, other sessions, other kernel
// times.
#include "core/simulate/study/crossover.h"

#include "core/base/parallel_for.h"
#include "core/base/random.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/crossover_intervals.h"
#include "core/simulate/study/remarks.h"
#include "core/simulate/study/sweep_misfits.h"

#include <algorithm>
#include <cmath>
#include <map>
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

/// A draw is one run of each number of users. It tells how far other sessions move the curve, which is much.
constexpr RunPlan drawPlan{1 << 10, 1 << 12, 1, 0};

/// The random seeds of one draw.
struct Draw {
    std::uint64_t turnsSeed = 0;
    std::optional<std::uint64_t> sessionsSeed; ///< none: the workload as it is
};

class Curves {
public:
    Curves(const SweepInputs& inputs, const CrossoverOptions& options, std::vector<std::int64_t> users,
           const SweepResult& mean, const CostTables& tables, const std::stop_token& stop)
        : inputs_(inputs), options_(options), users_(std::move(users)), weights_(mean.weights),
          pairs_(mean.pairs), tables_(tables), stop_(stop) {}

    /// A curve for each k; one for all of them where the steps do not depend on the format.
    using RowsByK = std::vector<CurveRows>;

    /// One run for each number of users, and for each format where these are compared, all on the turns of
    /// the draw.
    Result<RowsByK> rows(Tokens chunk, const Draw& draw) const {
        SimulationInputs inputs = inputs_.base;
        inputs.cost.format = withWeights(inputs.cost.format, weights_.front());
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
        const GemmRates& rates = tables_.at(inputs.cost.format);
        RowsEngine engine;
        RowsByK curves(pairs_.empty() ? 1 : weights_.size());
        CurveRows& curve = curves.front();
        for (const std::int64_t users : users_) {
            if (stop_.stop_requested()) {
                return curves;
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
            if (!pairs_.empty()) {
                if (Status added = addPairs(curves, inputs, draw, engine); !added) {
                    return added.error();
                }
                continue;
            }
            const auto run = runReplica(inputs, rates, turns, draw.turnsSeed, engine, stop_);
            if (!run) {
                return run.error();
            }
            curve.push_back(rowsOf(*run));
        }
        return curves;
    }

    /// Tables of one k as the error bars may have them, in parallel.
    [[nodiscard]] std::vector<RowTimes> tables(Storage weights, std::size_t count) const {
        return drawnTimes(tables_.at(withWeights(inputs_.base.cost.format, weights)).table(), otherTable(),
                          count, inputs_.base.seed, threads(), stop_);
    }

    [[nodiscard]] RowTimes usualTimes(Storage weights) const {
        return RowTimes(tables_.at(withWeights(inputs_.base.cost.format, weights)).table(), otherTable());
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
            const auto curves = rows(chunk, drawOf(index));
            if (!curves) {
                errors[index] = curves.error();
            } else if (curves->front().size() == users_.size()) {
                use(index, *curves);
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
    /// The table of the format that is compared with; null where formats are not compared.
    [[nodiscard]] const CostTable* otherTable() const {
        return pairs_.empty() ? nullptr : &tables_.at(inputs_.base.against).table();
    }

    /// One number of users more, at every k. Those that are not compared have no rows.
    Status addPairs(RowsByK& curves, const SimulationInputs& inputs, const Draw& draw,
                    RowsEngine& engine) const {
        std::map<Tokens, SimulationResult> others; // by the longest request of the turns compared
        const auto runOf = [&](const Format& format, Tokens longest) {
            SimulationInputs one = inputs;
            one.cost.format = format;
            one.policy.maxModelLen = std::min(one.policy.maxModelLen, longest);
            return runReplica(one, tables_.at(format), {}, draw.turnsSeed, engine, stop_);
        };
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            if (!pairs_[k].isCompared()) {
                curves[k].emplace_back();
                continue;
            }
            const Tokens longest = pairs_[k].longestRequest();
            if (others.count(longest) == 0) {
                auto other = runOf(pairs_[k].againstFormat, longest);
                if (!other) {
                    return other.error();
                }
                others.emplace(longest, std::move(*other));
            }
            const auto own = runOf(pairs_[k].format, longest);
            if (!own) {
                return own.error();
            }
            curves[k].push_back(pairedRowsOf(*own, others.at(longest)));
        }
        return Done{};
    }

    const SweepInputs& inputs_;
    const CrossoverOptions& options_;
    std::vector<std::int64_t> users_;
    std::vector<Storage> weights_;
    const std::vector<SweptPair>& pairs_;
    const CostTables& tables_;
    const std::stop_token& stop_;
};

/// The inputs of one curve of a sweep.
SimulationInputs inputsOfCurve(const SweepInputs& inputs, const SweepResult& mean, std::size_t k,
                               std::size_t chunk) {
    SimulationInputs one = inputs.base;
    one.cost.format = withWeights(one.cost.format, mean.weights[k]);
    one.length = lengthFor(inputs, mean.users.back());
    if (!inputs.chunks.empty()) {
        one.policy.chunkTokens = mean.chunks[chunk] > 0 ? std::optional(mean.chunks[chunk]) : std::nullopt;
    }
    return one;
}

/// Returns the rule's jump on one curve of a sweep; nothing if there is none or it cannot be computed.
std::optional<RuleJump> jumpOf(const SweepInputs& inputs, const SweepResult& mean, std::size_t k,
                               std::size_t chunk, const std::stop_token& stop) {
    const SimulationInputs one = inputsOfCurve(inputs, mean, k, chunk);
    const auto jump = ruleJumpOf(one, mean.curve(k, chunk), stop);
    return jump ? *jump : std::nullopt;
}

} // namespace

std::int64_t firstUsersBehind(double crossing) {
    constexpr double exact = 1e-9; // a curve that is 1 at a number of users has crossed there
    return static_cast<std::int64_t>(std::ceil(crossing - exact));
}

std::int64_t firstUsersBehind(const Crossing& crossing) {
    return crossing.isWide() ? crossing.toUsers : firstUsersBehind(crossing.users);
}

std::vector<Crossing> crossingsOf(std::span<const std::int64_t> users, std::span<const double> ratios) {
    std::vector<Crossing> crossings;
    for (std::size_t i = 1; i < users.size() && i < ratios.size(); ++i) {
        const double below = ratios[i - 1] - 1;
        const double above = ratios[i] - 1;
        if ((below < 0) == (above < 0)) {
            continue;
        }
        const double share = below / (below - above);
        const double from = std::log(static_cast<double>(users[i - 1]));
        const double to = std::log(static_cast<double>(users[i]));
        crossings.push_back({std::exp(from + share * (to - from)), below < 0, users[i - 1], users[i]});
    }
    return crossings;
}

Result<std::vector<Crossover>> crossoversOf(const SweepInputs& inputs, const CrossoverOptions& options,
                                            const std::stop_token& stop) {
    const auto mean = sweep(inputs, stop);
    if (!mean) {
        return mean.error();
    }
    return crossoversOf(inputs, *mean, options, stop);
}

Result<std::vector<Crossover>> crossoversOf(const SweepInputs& inputs, const SweepResult& swept,
                                            const CrossoverOptions& options, const std::stop_token& stop) {
    const SweepResult mean = withoutMisfits(swept);
    std::vector<Crossover> found = crossoversOf(mean, inputs.base.scope);
    if (found.empty() ||
        std::ranges::none_of(found, [](const Crossover& one) { return one.misfit.empty(); })) {
        return found; // the sweep was stopped, or there is nothing to compare
    }
    std::int64_t rows = 0;
    for (const Tokens chunk : mean.chunks) {
        rows = std::max(rows, rowsReached(inputs.base.policy, mean.users.back(), chunk));
    }
    std::vector<Format> formats = formatsOf(inputs.base.cost.format, mean.weights);
    if (comparesFormats(inputs.base)) {
        formats.push_back(inputs.base.against);
    }
    const auto tables = CostTables::make(inputs.base, formats, rows);
    if (!tables) {
        return tables.error();
    }
    const Curves curves(inputs, options, thinned(mean.users), mean, **tables, stop);
    const std::vector<std::int64_t>& users = curves.users();
    const bool fast = goesFast(inputs.base);
    constexpr std::int64_t exactDraws = 8; // each takes as long as a sweep step by step
    const auto draws = static_cast<std::size_t>(
        std::max<std::int64_t>(2, fast ? options.draws : std::min(options.draws, exactDraws)));
    // Runs put together where their own chance is not what is asked for.
    const std::size_t sessionRuns = fast ? 2 : 1;
    // Parts of settled runs tell the chance of turns; what is left takes a run of the usual turns and
    // sessions.
    const bool byParts = isSettling(inputs.base) && !fast;
    const std::size_t kernelRuns = byParts ? 1 : std::min<std::size_t>(draws, 4);

    if (options.progress != nullptr) {
        const std::size_t runs = byParts ? kernelRuns + sessionRuns * draws : (2 + sessionRuns) * draws;
        options.progress->planned += runs * users.size() * mean.chunks.size();
    }

    std::vector<std::vector<RowTimes>> drawn; // by k, the same for every chunk
    std::vector<RowTimes> usual;              // by k
    for (const Storage weights : mean.weights) {
        drawn.push_back(curves.tables(weights, draws));
        usual.push_back(curves.usualTimes(weights));
    }
    const std::uint64_t seed = inputs.base.seed;
    for (std::size_t c = 0; c < mean.chunks.size() && !stop.stop_requested(); ++c) {
        const Tokens chunk = mean.chunks[c];
        std::vector<DrawnCurves> byK(mean.weights.size(), DrawnCurves(draws, sessionRuns, kernelRuns));
        Curves::RowsByK firstRun;
        const auto at = [](const Curves::RowsByK& byFormat, std::size_t k) -> const CurveRows& {
            return byFormat[std::min(k, byFormat.size() - 1)];
        };
        const auto useTurns = [&](std::size_t d, const Curves::RowsByK& run) {
            for (std::size_t k = 0; k < byK.size(); ++k) {
                const CurveRows& curve = at(run, k);
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
                firstRun = run;
            }
        };
        const auto useSessions = [&](std::size_t index, const Curves::RowsByK& run) {
            for (std::size_t k = 0; k < byK.size(); ++k) {
                byK[k].sessions[index].add(at(run, k), usual[k]);
            }
        };
        const auto useBoth = [&](std::size_t d, const Curves::RowsByK& run) {
            for (std::size_t k = 0; k < byK.size(); ++k) {
                CurveSums one;
                one.add(at(run, k), drawn[k][d]);
                byK[k].all[d] = one.ratios();
            }
        };
        const auto turnsDraw = [&](std::size_t d) { return Draw{seed + d, std::nullopt}; };
        const auto sessionsDraw = [&](std::size_t index) {
            return Draw{seed + index % sessionRuns, seedOf(seed, index / sessionRuns + 1)};
        };
        const auto bothDraw = [&](std::size_t d) { return Draw{seed + d, seedOf(seed, d + 1)}; };
        if (Status done = curves.each(chunk, byParts ? kernelRuns : draws, turnsDraw, useTurns); !done) {
            return done.error();
        }
        if (Status done = curves.each(chunk, draws * sessionRuns, sessionsDraw, useSessions); !done) {
            return done.error();
        }
        if (Status done = curves.each(chunk, byParts ? 0 : draws, bothDraw, useBoth); !done) {
            return done.error();
        }
        if (stop.stop_requested()) {
            break;
        }
        for (std::size_t k = 0; k < mean.weights.size(); ++k) {
            Ratios ratios; // of the mean curve
            std::vector<SweepPoint> points;
            for (std::size_t i = 0; i < mean.users.size(); ++i) {
                if (std::binary_search(users.begin(), users.end(), mean.users[i])) {
                    points.push_back(mean.at(k, c, i));
                    ratios.push_back(points.back().pace().value);
                }
            }
            if (byParts) {
                byK[k].turns = drawnParts(points, draws, seed);
            }
            Crossover& one = found[k * mean.chunks.size() + c];
            if (!one.misfit.empty()) {
                continue;
            }
            setIntervals(one, byK[k], users, ratios);
            const std::int64_t there =
                one.crossings.empty() ? one.toUsers : std::llround(one.crossings.front().users);
            const auto next = std::lower_bound(users.begin(), users.end(), there);
            const auto index = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
                next - users.begin(), static_cast<std::ptrdiff_t>(users.size()) - 1));
            one.modelledShare =
                modelledSharesOf((*tables)->at(formats[k]).timeOf(at(firstRun, k)[index].counts)).kBit;
            one.ruleJump = jumpOf(inputs, mean, k, c, stop);
            if (const auto left =
                    ruleLeftOutOf(inputsOfCurve(inputs, mean, k, c), {one.bestUsers, one.worstUsers}, stop)) {
                one.leftOut = *left;
            }
            one.sentence = draggedPrefix(inputs.base) + crossoverSentence(one);
        }
    }
    return found;
}

} // namespace loadline
