// Many settings at once: users x chunk sizes x k, on common random numbers so that curves do not jitter.
#include "core/simulate/study/sweep.h"

#include "core/base/parallel_for.h"
#include "core/simulate/answer/turn_lengths.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/settle.h"
#include "core/simulate/study/sweep_sums.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

namespace loadline {
namespace {

/// What one setting's replicas give, at every k.
struct Setting {
    std::int64_t users = 0;
    Tokens chunk = 0;
    double ratePerS = 0;                    ///< 0: closed loop
    std::vector<SweepPoint> points;         ///< by k
    std::vector<std::int64_t> peakKvBlocks; ///< by k
    std::uint64_t steps = 0;
    std::uint64_t turns = 0;
    std::optional<Error> error;
};

/// Places in the list. The most bits leave the fewest blocks: steps that these do not bind hold for all.
std::vector<std::size_t> fewestBlocksFirst(const std::vector<int>& kBits) {
    std::vector<std::size_t> places(kBits.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::greater(), [&](std::size_t place) { return kBits[place]; });
    return places;
}

/// In which order settings are run, as their places in the list.
std::vector<std::size_t> orderOf(const std::vector<Setting>& settings, const std::vector<double>& nearFirst) {
    const auto distance = [&](std::size_t place) {
        double least = nearFirst.empty() ? 0 : std::numeric_limits<double>::infinity();
        for (const double users : nearFirst) {
            least = std::min(least, std::abs(std::log(static_cast<double>(settings[place].users) / users)));
        }
        return least;
    };
    std::vector<std::size_t> order(settings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, distance);
    return order;
}

/// Runs one setting whose runs have no given length: at the first k, and in the format compared with, until
/// they are settled; all by the longer plan of the two.
class SettledSetting {
public:
    SettledSetting(Setting& setting, const SimulationInputs& inputs, const SweepInputs& sweep,
                   const std::vector<int>& kBits, const std::vector<SweptPair>& pairs,
                   const CostTables& tables, const std::vector<std::vector<DrawnTurn>>& turns,
                   RowsEngine& engine, const std::stop_token& stop)
        : setting_(setting), inputs_(inputs), sweep_(sweep), kBits_(kBits), pairs_(pairs), tables_(tables),
          turns_(turns), engine_(engine), stop_(stop) {}

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

    [[nodiscard]] Format formatAt(std::size_t k) const { return withBits(inputs_.cost.format, kBits_[k]); }

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
        for (std::size_t r = 0; r < turns_.size() && !stop_.stop_requested(); ++r) {
            auto run = runReplica(one, tables_.at(format), turns_[r], one.seed + r, engine_, stop_);
            if (!run) {
                return run.error();
            }
            setting_.steps += run->rows.iterations();
            setting_.turns += run->turns;
            runs.push_back(std::move(*run));
        }
        return runs;
    }

    Status settleAll() {
        std::size_t first = 0;
        while (first + 1 < kBits_.size() && servesNothing(first)) {
            ++first;
        }
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
        for (std::size_t k = 0; k < kBits_.size(); ++k) {
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

    void put(std::size_t k, const Runs& runs, const Runs* other) {
        SweepPoint place;
        place.users = setting_.users;
        place.ratePerS = setting_.ratePerS;
        place.chunkTokens = setting_.chunk;
        place.kBits = kBits_[k];
        SimulationReplicas own, beside;
        own.replicas = runs;
        beside.replicas = other != nullptr ? *other : Runs();
        SweepPoint point = withRuns(place, own, other != nullptr ? &beside : nullptr);
        setSettled(point, runs);
        if (point.against) {
            setSettled(point.against->figures, *other);
        }
        point.settled = isSettled_;
        std::int64_t peak = 0;
        for (const SimulationResult& run : runs) {
            peak = std::max(peak, run.peakKvBlocks);
        }
        setting_.peakKvBlocks.push_back(peak);
        setting_.points.push_back(std::move(point));
    }

    Setting& setting_;
    const SimulationInputs& inputs_;
    const SweepInputs& sweep_;
    const std::vector<int>& kBits_;
    const std::vector<SweptPair>& pairs_;
    const CostTables& tables_;
    const std::vector<std::vector<DrawnTurn>>& turns_;
    RowsEngine& engine_;
    const std::stop_token& stop_;
    RunPlan plan_;
    bool isSettled_ = true;
};

/// Runs one setting; its turns are the same for all of them.
void runSetting(Setting& setting, SimulationInputs inputs, const SweepInputs& sweep,
                const std::vector<int>& kBits, const std::vector<SweptPair>& pairs, const CostTables& tables,
                const std::vector<std::vector<DrawnTurn>>& turns, RowsEngine& engine,
                const std::stop_token& stop) {
    inputs.arrivals.users = setting.users;
    inputs.arrivals.ratePerS = setting.ratePerS > 0 ? setting.ratePerS : inputs.arrivals.ratePerS;
    inputs.length = lengthFor(sweep, setting.users);
    if (setting.chunk > 0) {
        inputs.policy.chunkTokens = setting.chunk;
    }
    if (isSettling(inputs) && !inputs.plan) {
        SettledSetting(setting, inputs, sweep, kBits, pairs, tables, turns, engine, stop).run();
        return;
    }
    const bool fast = goesFast(inputs);
    std::vector<SweepSums> sums(kBits.size());
    std::map<Tokens, SweepSums> against; // by the longest request of the turns compared
    const std::vector<std::size_t> order = fewestBlocksFirst(kBits);
    for (const SweptPair& pair : pairs) {
        if (pair.isCompared()) {
            against[pair.longestRequest()];
        }
    }
    const auto runOne = [&](const Format& format, Tokens longest, std::size_t r, SweepSums& sum) {
        SimulationInputs one = inputs;
        one.cost.format = format;
        one.policy.maxModelLen = std::min(one.policy.maxModelLen, longest);
        const auto result = runReplica(one, tables.at(format), turns[r], inputs.seed + r, engine, stop);
        if (!result) {
            setting.error = result.error();
            return false;
        }
        sum.add(*result);
        setting.steps += result->rows.iterations();
        setting.turns += result->turns;
        return true;
    };
    for (std::size_t r = 0; r < turns.size() && !stop.stop_requested(); ++r) {
        if (fast && !turns[r].empty() && !sweep.latencies) {
            const RowsRun& run = engine.run(rowsSetupOf(inputs), turns[r], stop);
            setting.steps += static_cast<std::uint64_t>(run.iterations);
            setting.turns += static_cast<std::uint64_t>(run.turns);
            for (std::size_t i = 0; i < kBits.size(); ++i) {
                sums[i].add(run, tables.at(withBits(inputs.cost.format, kBits[i])));
            }
            continue;
        }
        for (auto& [longest, sum] : against) { // fp16 leaves the fewest blocks
            if (!runOne(inputs.against, longest, r, sum)) {
                return;
            }
        }
        for (const std::size_t i : order) {
            const bool compared = !pairs.empty() && pairs[i].isCompared();
            if (!pairs.empty() && pairs[i].refusedShare >= 1) {
                continue; // no turn to simulate
            }
            if (!runOne(withBits(inputs.cost.format, kBits[i]),
                        compared ? pairs[i].longestRequest() : inputs.policy.maxModelLen, r, sums[i])) {
                return;
            }
        }
    }
    for (std::size_t i = 0; i < kBits.size(); ++i) {
        setting.peakKvBlocks.push_back(sums[i].peakKvBlocks);
        SweepPoint point;
        point.users = setting.users;
        point.ratePerS = setting.ratePerS;
        point.chunkTokens = setting.chunk;
        point.kBits = kBits[i];
        sums[i].put(point);
        if (!pairs.empty() && pairs[i].isCompared()) {
            point.against = sums[i].against(against.at(pairs[i].longestRequest()), setting.ratePerS > 0);
        }
        setting.points.push_back(std::move(point));
    }
}

/// What each k and the format that it is compared with hold; empty where formats are not compared.
std::vector<SweptPair> pairsOf(const SimulationInputs& inputs, const std::vector<int>& kBits) {
    std::vector<SweptPair> pairs;
    if (!comparesFormats(inputs)) {
        return pairs;
    }
    for (const Format& format : formatsOf(inputs.cost.format, kBits)) {
        SimulationInputs own = inputs;
        own.cost.format = format;
        pairs.push_back(sweptPairOf(own));
    }
    return pairs;
}

} // namespace

SweepPoint withRuns(const SweepPoint& place, const SimulationReplicas& runs,
                    const SimulationReplicas* other) {
    const auto sumsOf = [](const SimulationReplicas& replicas) {
        SweepSums sums;
        for (const SimulationResult& run : replicas.replicas) {
            sums.add(run);
        }
        return sums;
    };
    const SweepSums own = sumsOf(runs);
    SweepPoint point;
    point.users = place.users;
    point.chunkTokens = place.chunkTokens;
    point.ratePerS = place.ratePerS;
    point.kBits = place.kBits;
    own.put(point);
    if (runs.run) {
        setSettled(point, runs.replicas);
        point.throughputTokensPerS = runs.run->throughputTokensPerS;
        point.settled = runs.run->settled && (other == nullptr || !other->run || other->run->settled);
    }
    if (other != nullptr) {
        point.against = own.against(sumsOf(*other), place.ratePerS > 0);
        if (point.against && other->run) {
            setSettled(point.against->figures, other->replicas);
            point.against->figures.throughputTokensPerS = other->run->throughputTokensPerS;
        }
    }
    return point;
}

SettleGoal goalOf(const SweepInputs& sweep) {
    return sweep.base.goal.value_or(curveGoal(sweep.base.replicas));
}

SweptPair sweptPairOf(const SimulationInputs& inputs) {
    const PairedInputs paired = pairedInputsOf(inputs);
    SimulationInputs against = inputs;
    against.cost.format = inputs.against;
    SweptPair pair;
    pair.format = inputs.cost.format;
    pair.againstFormat = inputs.against;
    pair.fits = paired.ownFits;
    pair.againstFits = paired.againstFits;
    pair.against = memoryFitOf(against);
    pair.longest = longestRequestOf(inputs);
    pair.againstLongest = longestRequestOf(against);
    pair.refusedShare = refusedShareOf(inputs, pair.longest);
    pair.againstRefusedShare = refusedShareOf(inputs, pair.againstLongest);
    return pair;
}

MemoryFit SweepResult::memoryWithKv(int kBitsAsked) const {
    const auto found = std::ranges::find(memory, kBitsAsked, &MemoryFit::kBits);
    if (found == memory.end()) {
        return {};
    }
    MemoryFit fit = *found;
    const auto place = static_cast<std::size_t>(found - memory.begin());
    if (fit.share > 0 && place < kvPeakBytes.size()) {
        fit.kvBytes = kvPeakBytes[place];
    }
    return fit;
}

RunLength lengthFor(const SweepInputs& sweep, std::int64_t users) {
    RunLength length = sweep.base.length;
    if (length.turns) {
        length.turns = std::max(*length.turns, sweep.turnsPerUser * users);
    }
    return length;
}

Result<SweepResult> sweep(const SweepInputs& inputs, const std::stop_token& stop) {
    SweepResult result;
    result.users = inputs.users.empty() ? std::vector{inputs.base.arrivals.users} : inputs.users;
    if (!inputs.ratesPerS.empty()) {
        result.ratesPerS = inputs.ratesPerS;
        result.users.assign(inputs.ratesPerS.size(), inputs.base.arrivals.users);
    }
    result.chunks = inputs.chunks.empty() ? std::vector{chunkOf(inputs.base.policy)} : inputs.chunks;
    result.kBits = inputs.kBits.empty() ? std::vector{inputs.base.cost.format.kBits()} : inputs.kBits;
    SimulationInputs fewest = inputs.base;
    fewest.arrivals.users = *std::ranges::min_element(result.users);
    for (const int k : result.kBits) {
        result.memory.push_back(memoryFitOf(fewest, k, 0));
    }
    std::int64_t rows = 0;
    std::vector<Format> formats = formatsOf(inputs.base.cost.format, result.kBits);
    if (comparesFormats(inputs.base)) {
        formats.push_back(inputs.base.against);
    }
    for (const std::int64_t users : result.users) {
        for (const Tokens chunk : result.chunks) {
            SimulationInputs one = inputs.base;
            one.arrivals.users = users;
            if (!inputs.chunks.empty()) {
                one.policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
            }
            if (auto problem = problemBesidesRoomOf(one)) {
                return *problem;
            }
            rows = std::max(rows, rowsReached(one.policy, users, chunk));
        }
    }
    const auto tables = CostTables::make(inputs.base, formats, rows);
    if (!tables) {
        return tables.error();
    }

    result.pairs = pairsOf(fewest, result.kBits);

    RowsSetup most = rowsSetupOf(inputs.base);
    most.users = *std::max_element(result.users.begin(), result.users.end());
    most.length = lengthFor(inputs, most.users);
    SimulationInputs mostUsers = inputs.base;
    mostUsers.arrivals.users = most.users;
    const std::size_t longest = turnsToSettle(mostUsers, goalOf(inputs));
    std::vector<std::vector<DrawnTurn>> turns(static_cast<std::size_t>(inputs.base.replicas));
    if (goesFast(inputs.base)) {
        for (std::size_t r = 0; r < turns.size(); ++r) {
            turns[r] = turnsFor(*inputs.base.workload, isSettling(inputs.base) ? longest : turnsNeeded(most),
                                inputs.base.seed + r);
        }
    }

    std::vector<Setting> settings;
    for (const Tokens chunk : result.chunks) {
        for (std::size_t i = 0; i < result.users.size(); ++i) {
            const double rate = result.ratesPerS.empty() ? 0 : result.ratesPerS[i];
            settings.push_back({result.users[i], chunk, rate, {}, {}, 0, 0, std::nullopt});
        }
    }
    if (inputs.progress != nullptr) {
        inputs.progress->planned += settings.size();
    }
    const unsigned workers = static_cast<unsigned>(
        std::min<std::size_t>(inputs.threads == 0 ? defaultThreads() : inputs.threads, settings.size()));
    std::vector<RowsEngine> engines(workers);
    SimulationInputs base = inputs.base;
    if (!base.schedules) {
        base.schedules = std::make_shared<ScheduleMemo>();
    }
    if (!inputs.chunks.empty()) {
        base.policy.chunkTokens.reset(); // a chunk of 0 in the list means none
    }
    const std::vector<std::size_t> order = orderOf(settings, inputs.nearFirst);
    std::mutex arriving;
    parallelFor(settings.size(), workers, stop, [&](std::size_t index, unsigned worker) {
        Setting& setting = settings[order[index]];
        runSetting(setting, base, inputs, result.kBits, result.pairs, **tables, turns, engines[worker], stop);
        if (inputs.arrived && !setting.error && !stop.stop_requested()) {
            const std::scoped_lock lock(arriving);
            inputs.arrived(setting.points);
        }
        if (inputs.progress != nullptr) {
            ++inputs.progress->done;
        }
    });
    for (const Setting& setting : settings) {
        if (setting.error) {
            return *setting.error;
        }
        result.steps += setting.steps;
        result.turns += setting.turns;
    }
    if (stop.stop_requested()) {
        return result;
    }
    for (std::size_t k = 0; k < result.kBits.size(); ++k) {
        std::int64_t peakKvBlocks = 0;
        for (Setting& setting : settings) {
            peakKvBlocks = std::max(peakKvBlocks, setting.peakKvBlocks[k]);
            result.points.push_back(std::move(setting.points[k]));
        }
        result.kvPeakBytes.push_back(kvBytesOfBlocks(inputs.base, peakKvBlocks));
    }
    return result;
}

} // namespace loadline
