// Many settings at once: users x chunk sizes x k, on common random numbers so that curves do not jitter.
#include "core/simulate/study/sweep.h"

#include "core/base/parallel_for.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/settle.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
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

struct Sums {
    GemmTime gemm;
    double wholeUs = 0;
    double wholeFp16Us = 0;
    double rows = 0;
    double steps = 0;
    double decodeOnly = 0;
    double simulatedS = 0;
    double tokensOut = 0;
    std::uint64_t growingQueues = 0;
    std::int64_t peakKvBlocks = 0;
    std::vector<double> ratios, averageM, decodeOnlyShare, throughput, ttftP50, ttftP90, tpotP50, tpotP90;
};

void addRows(Sums& sums, double rows, double steps, double decodeOnly) {
    sums.rows += rows;
    sums.steps += steps;
    sums.decodeOnly += decodeOnly;
    sums.averageM.push_back(steps > 0 ? rows / steps : 0);
    sums.decodeOnlyShare.push_back(steps > 0 ? decodeOnly / steps : 0);
}

void addRun(Sums& sums, const RowsRun& run, const GemmRates& rates) {
    const GemmTime gemm = rates.timeOf(run.counts);
    sums.gemm += gemm;
    sums.wholeUs += gemm.us;
    sums.wholeFp16Us += gemm.fp16Us;
    sums.ratios.push_back(gemm.ratio());
    double rows = 0;
    for (const RowsCount& count : run.counts) {
        rows += static_cast<double>(count.rows) * static_cast<double>(count.steps);
    }
    addRows(sums, rows, static_cast<double>(run.iterations), static_cast<double>(run.decodeOnly));
}

void addResult(Sums& sums, const SimulationResult& result) {
    sums.gemm += result.gemm;
    sums.wholeUs += result.wholeUs;
    sums.wholeFp16Us += result.wholeFp16Us;
    sums.ratios.push_back(result.timeVsFp16());
    const auto steps = static_cast<double>(result.rows.iterations());
    addRows(sums, result.averageM() * steps, steps, static_cast<double>(result.rows.decodeOnlyIterations()));
    sums.simulatedS += result.simulatedS;
    sums.growingQueues += result.growingQueues;
    sums.peakKvBlocks = std::max(sums.peakKvBlocks, result.peakKvBlocks);
    sums.tokensOut += static_cast<double>(result.tokensOut);
    sums.throughput.push_back(result.throughputTokensPerS());
    sums.ttftP50.push_back(result.ttftS.p50);
    sums.ttftP90.push_back(result.ttftS.p90);
    sums.tpotP50.push_back(result.tpotS.p50);
    sums.tpotP90.push_back(result.tpotS.p90);
}

Banded bandOfMean(const std::vector<double>& sample) {
    double sum = 0;
    for (const double value : sample) {
        sum += value;
    }
    return sample.empty() ? Banded{} : bandedOf(sum / static_cast<double>(sample.size()), sample);
}

SweepPoint pointOf(const Setting& setting, int k, Sums sums) {
    SweepPoint point;
    point.users = setting.users;
    point.ratePerS = setting.ratePerS;
    point.chunkTokens = setting.chunk;
    point.kBits = k;
    point.standardError = relativeStandardError(sums.ratios);
    point.timeVsFp16 = bandedOf(sums.wholeFp16Us > 0 ? sums.wholeUs / sums.wholeFp16Us : 0, sums.ratios);
    point.queueGrows = 2 * sums.growingQueues > sums.ratios.size();
    point.replicaRatios = std::move(sums.ratios);
    point.averageM = bandedOf(sums.steps > 0 ? sums.rows / sums.steps : 0, sums.averageM);
    point.decodeOnlyFraction =
        bandedOf(sums.steps > 0 ? sums.decodeOnly / sums.steps : 0, sums.decodeOnlyShare);
    point.throughputTokensPerS =
        bandedOf(sums.simulatedS > 0 ? sums.tokensOut / sums.simulatedS : 0, sums.throughput);
    point.ttftP50S = bandOfMean(sums.ttftP50);
    point.ttftP90S = bandOfMean(sums.ttftP90);
    point.tpotP50S = bandOfMean(sums.tpotP50);
    point.tpotP90S = bandOfMean(sums.tpotP90);
    point.modelled = modelledSharesOf(sums.gemm);
    for (std::size_t i = 0; i < kernelCount; ++i) {
        point.kernelShare[i] = sums.gemm.us > 0 ? sums.gemm.kernelUs[i] / sums.gemm.us : 0;
    }
    return point;
}

/// Runs that are measured after a warm-up: latencies of all turns together.
void setSettled(SweepPoint& point, std::span<const SimulationResult> runs) {
    const auto set = [&](Banded& p50, Banded& p90, std::vector<double> LatencySample::*sample) {
        const LatencyIntervals latency = intervalsOf(runs, sample);
        double most = 0; // in place of an end that is not bounded
        for (const SimulationResult& run : runs) {
            const std::vector<double>& values = (*run.latencies).*sample;
            most = std::max(most, values.empty() ? 0 : values.back());
        }
        p50 = {latency.p50.value, latency.p50.low, std::min(latency.p50.high, most)};
        p90 = {latency.p90.value, latency.p90.low, std::min(latency.p90.high, most)};
    };
    set(point.ttftP50S, point.ttftP90S, &LatencySample::ttftS);
    set(point.tpotP50S, point.tpotP90S, &LatencySample::tpotS);
}

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

/// Of one setting whose runs have no given length: at the first k until they are settled, at the others by
/// the same plan.
void settleSetting(Setting& setting, SimulationInputs inputs, const SweepInputs& sweep,
                   const std::vector<int>& kBits, const CostTables& tables,
                   const std::vector<std::vector<DrawnTurn>>& turns, RowsEngine& engine,
                   const std::stop_token& stop) {
    inputs.cost.kBits = kBits.front();
    auto settled = settle(inputs, tables.at(kBits.front()), turns, goalOf(sweep), 1, stop);
    if (!settled) {
        setting.error = settled.error();
        return;
    }
    setting.steps += settled->report.steps;
    setting.turns += settled->report.turnsFinished;
    inputs.plan = settled->report.plan;
    const bool rowsAlone = goesFast(inputs) && !sweep.latencies;
    for (const int k : kBits) {
        std::vector<SimulationResult> runs = settled->replicas;
        for (std::size_t r = 0; r < runs.size() && k != kBits.front() && !stop.stop_requested(); ++r) {
            if (rowsAlone) { // the same steps, whatever they take
                runs[r].gemm = tables.at(k).timeOf(countsOf(runs[r].rows));
                runs[r].wholeUs = runs[r].gemm.us;
                runs[r].wholeFp16Us = runs[r].gemm.fp16Us;
                continue;
            }
            inputs.cost.kBits = k;
            auto run = runReplica(inputs, tables.at(k), turns[r], inputs.seed + r, engine, stop);
            if (!run) {
                setting.error = run.error();
                return;
            }
            runs[r] = std::move(*run);
        }
        Sums sums;
        for (const SimulationResult& run : runs) {
            addResult(sums, run);
        }
        setting.peakKvBlocks.push_back(sums.peakKvBlocks);
        setting.points.push_back(pointOf(setting, k, std::move(sums)));
        setSettled(setting.points.back(), runs);
        if (k == kBits.front()) {
            setting.points.back().throughputTokensPerS = settled->report.throughputTokensPerS;
        }
        setting.points.back().settled = settled->report.settled;
    }
}

/// Runs one setting; its turns are the same for all of them.
void runSetting(Setting& setting, SimulationInputs inputs, const SweepInputs& sweep,
                const std::vector<int>& kBits, const CostTables& tables,
                const std::vector<std::vector<DrawnTurn>>& turns, RowsEngine& engine,
                const std::stop_token& stop) {
    inputs.arrivals.users = setting.users;
    inputs.arrivals.ratePerS = setting.ratePerS > 0 ? setting.ratePerS : inputs.arrivals.ratePerS;
    inputs.length = lengthFor(sweep, setting.users);
    if (setting.chunk > 0) {
        inputs.policy.chunkTokens = setting.chunk;
    }
    if (isSettling(inputs) && !inputs.plan) {
        settleSetting(setting, std::move(inputs), sweep, kBits, tables, turns, engine, stop);
        return;
    }
    const bool fast = goesFast(inputs);
    std::vector<Sums> sums(kBits.size());
    const std::vector<std::size_t> order = fewestBlocksFirst(kBits);
    for (std::size_t r = 0; r < turns.size() && !stop.stop_requested(); ++r) {
        if (fast && !turns[r].empty() && !sweep.latencies) {
            const RowsRun& run = engine.run(rowsSetupOf(inputs), turns[r], stop);
            setting.steps += static_cast<std::uint64_t>(run.iterations);
            setting.turns += static_cast<std::uint64_t>(run.turns);
            for (std::size_t i = 0; i < kBits.size(); ++i) {
                addRun(sums[i], run, tables.at(kBits[i]));
            }
            continue;
        }
        for (const std::size_t i : order) {
            inputs.cost.kBits = kBits[i];
            const auto result =
                runReplica(inputs, tables.at(kBits[i]), turns[r], inputs.seed + r, engine, stop);
            if (!result) {
                setting.error = result.error();
                return;
            }
            addResult(sums[i], *result);
            setting.steps += result->rows.iterations();
            setting.turns += result->turns;
        }
    }
    for (std::size_t i = 0; i < kBits.size(); ++i) {
        setting.peakKvBlocks.push_back(sums[i].peakKvBlocks);
        setting.points.push_back(pointOf(setting, kBits[i], std::move(sums[i])));
    }
}

} // namespace

SweepPoint withRuns(const SweepPoint& place, const SimulationReplicas& runs) {
    Sums sums;
    for (const SimulationResult& run : runs.replicas) {
        addResult(sums, run);
    }
    Setting setting;
    setting.users = place.users;
    setting.chunk = place.chunkTokens;
    setting.ratePerS = place.ratePerS;
    SweepPoint point = pointOf(setting, place.kBits, std::move(sums));
    if (runs.run) {
        setSettled(point, runs.replicas);
        point.throughputTokensPerS = runs.run->throughputTokensPerS;
        point.settled = runs.run->settled;
    }
    return point;
}

SettleGoal goalOf(const SweepInputs& sweep) {
    return sweep.base.goal.value_or(curveGoal(sweep.base.replicas));
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
    result.kBits = inputs.kBits.empty() ? std::vector{inputs.base.cost.kBits} : inputs.kBits;
    SimulationInputs fewest = inputs.base;
    fewest.arrivals.users = *std::ranges::min_element(result.users);
    for (const int k : result.kBits) {
        result.memory.push_back(memoryFitOf(fewest, k, 0));
    }
    std::int64_t rows = 0;
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
    const auto tables = CostTables::make(inputs.base, result.kBits, rows);
    if (!tables) {
        return tables.error();
    }

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
        runSetting(setting, base, inputs, result.kBits, **tables, turns, engines[worker], stop);
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
