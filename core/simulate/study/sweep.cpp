// Many settings at once: users x chunk sizes x k, on common random numbers so that curves do not jitter.
#include "core/simulate/study/sweep.h"

#include "core/base/parallel_for.h"
#include "core/simulate/fit/turn_lengths.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/run/settle.h"
#include "core/simulate/study/settled_setting.h"
#include "core/simulate/study/sweep_misfits.h"
#include "core/simulate/study/sweep_sums.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>

namespace loadline {
namespace {

/// Places in the list. The most bits leave the fewest blocks: steps that these do not bind hold for all.
std::vector<std::size_t> fewestBlocksFirst(const std::vector<Storage>& weights) {
    std::vector<std::size_t> places(weights.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::greater(),
                             [&](std::size_t place) { return specOf(weights[place]).bitsEach; });
    return places;
}

/// In which order settings are run, as their places in the list.
std::vector<std::size_t> orderOf(const std::vector<SweptSetting>& settings,
                                 const std::vector<double>& nearFirst) {
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

/// Runs one setting; its turns are the same for all of them.
void runSetting(SweptSetting& setting, SimulationInputs inputs, const SweepInputs& sweep,
                const std::vector<Storage>& weights, const std::vector<SweptPair>& pairs,
                const CostTables& tables, const std::vector<std::vector<DrawnTurn>>& turns,
                RowsEngine& engine, const std::stop_token& stop) {
    inputs = inputsAt(setting, std::move(inputs));
    inputs.length = lengthFor(sweep, setting.users);
    if (isSettling(inputs) && !inputs.plan) {
        runUntilSettled(setting, {inputs, sweep, weights, pairs, tables, turns}, engine, stop);
        return;
    }
    const bool fast = goesFast(inputs);
    const KernelDraws* const draws = sweep.kernelDraws.get();
    SweepSums none;
    none.keepsRows = draws != nullptr;
    std::vector<SweepSums> sums(weights.size(), none);
    std::map<Tokens, SweepSums> against; // by the longest request of the turns compared
    const std::vector<std::size_t> order = fewestBlocksFirst(weights);
    for (const SweptPair& pair : pairs) {
        if (pair.isCompared()) {
            against[pair.longestRequest()] = none;
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
            for (std::size_t i = 0; i < weights.size(); ++i) {
                sums[i].add(run, tables.at(withWeights(inputs.cost.format, weights[i])));
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
            if (!runOne(withWeights(inputs.cost.format, weights[i]),
                        compared ? pairs[i].longestRequest() : inputs.policy.maxModelLen, r, sums[i])) {
                return;
            }
        }
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        setting.peakKvBlocks.push_back(sums[i].peakKvBlocks);
        SweepPoint point;
        point.users = setting.users;
        point.ratePerS = setting.ratePerS;
        point.chunkTokens = setting.chunk;
        point.weights = weights[i];
        sums[i].put(point);
        const bool compared = !pairs.empty() && pairs[i].isCompared();
        const SweepSums& other = compared ? against.at(pairs[i].longestRequest()) : none;
        setting.againstPeakKvBlocks.push_back(other.peakKvBlocks);
        if (compared) {
            point.against = sums[i].against(other, setting.ratePerS > 0);
        }
        if (draws != nullptr) {
            putKernelErrors(point, *draws, withWeights(inputs.cost.format, weights[i]), sums[i],
                            inputs.against, point.against ? &other : nullptr);
        }
        setting.points.push_back(std::move(point));
    }
}

/// Returns the memory and longest request of each k and the format compared with; empty if formats are not
/// compared.
std::vector<SweptPair> pairsOf(const SimulationInputs& inputs, const std::vector<Storage>& weights) {
    std::vector<SweptPair> pairs;
    if (!comparesFormats(inputs)) {
        return pairs;
    }
    for (const Format& format : formatsOf(inputs.cost.format, weights)) {
        SimulationInputs own = inputs;
        own.cost.format = format;
        pairs.push_back(sweptPairOf(own));
    }
    return pairs;
}

} // namespace

SettleGoal goalOf(const SweepInputs& sweep) {
    return sweep.base.goal.value_or(curveGoal());
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

MemoryFit SweepResult::memoryWithKv(Storage asked) const {
    const auto found = std::ranges::find(memory, asked, &MemoryFit::weights);
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

std::vector<ModelledShares> modelledSharesOf(const SweepResult& result) {
    std::vector<ModelledShares> shares;
    for (const SweepPoint& point : result.points) {
        shares.push_back(point.modelled);
    }
    return shares;
}

RunLength lengthFor(const SweepInputs& sweep, std::int64_t users) {
    RunLength length = sweep.base.length;
    if (length.turns) {
        length.turns = std::max(*length.turns, sweep.turnsPerUser * users);
    }
    return length;
}

namespace {

/// The lists that a sweep runs over, with base's own values where they are empty.
SweepResult listsOf(const SweepInputs& inputs) {
    SweepResult result;
    result.users = inputs.users.empty() ? std::vector{inputs.base.arrivals.users} : inputs.users;
    if (!inputs.ratesPerS.empty()) {
        result.ratesPerS = inputs.ratesPerS;
        result.users.assign(inputs.ratesPerS.size(), inputs.base.arrivals.users);
    }
    result.chunks = inputs.chunks.empty() ? std::vector{chunkOf(inputs.base.policy)} : inputs.chunks;
    result.weights = inputs.weights.empty() ? std::vector{inputs.base.cost.format.weights} : inputs.weights;
    return result;
}

std::vector<Format> sweptFormats(const SweepInputs& inputs, const std::vector<Storage>& weights) {
    std::vector<Format> formats = formatsOf(inputs.base.cost.format, weights);
    if (comparesFormats(inputs.base)) {
        formats.push_back(inputs.base.against);
    }
    return formats;
}

std::shared_ptr<const KernelDraws> drawsOf(const SweepInputs& inputs,
                                           const std::shared_ptr<const CostTables>& tables,
                                           const std::vector<Storage>& weights, const std::stop_token& stop) {
    const bool compares = comparesFormats(inputs.base);
    return std::make_shared<const KernelDraws>(tables, formatsOf(inputs.base.cost.format, weights),
                                               compares ? std::optional(inputs.base.against) : std::nullopt,
                                               inputs.base.seed, inputs.threads, stop);
}

} // namespace

Result<std::shared_ptr<const KernelDraws>> kernelDrawsOf(const SweepInputs& inputs,
                                                         const std::stop_token& stop) {
    if (!inputs.kernelErrors || inputs.kernelDraws) {
        return inputs.kernelDraws;
    }
    const SweepResult lists = listsOf(inputs);
    std::int64_t rows = 0;
    for (const Tokens chunk : lists.chunks) {
        SimulationInputs one = inputs.base;
        if (!inputs.chunks.empty()) {
            one.policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
        }
        rows = std::max(rows, rowsReached(one.policy, *std::ranges::max_element(lists.users), chunk));
    }
    const auto tables = CostTables::make(inputs.base, sweptFormats(inputs, lists.weights), rows);
    if (!tables) {
        return tables.error();
    }
    return drawsOf(inputs, *tables, lists.weights, stop);
}

Result<SweepResult> sweep(const SweepInputs& inputs, const std::stop_token& stop) {
    SweepResult result = listsOf(inputs);
    SimulationInputs fewest = inputs.base;
    fewest.arrivals.users = *std::ranges::min_element(result.users);
    for (const Storage weights : result.weights) {
        result.memory.push_back(memoryFitOf(fewest, weights, 0));
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
    const auto tables = CostTables::make(inputs.base, sweptFormats(inputs, result.weights), rows);
    if (!tables) {
        return tables.error();
    }
    SweepInputs drawn = inputs;
    if (inputs.kernelErrors && !inputs.kernelDraws) {
        drawn.kernelDraws = drawsOf(inputs, *tables, result.weights, stop);
    }

    result.pairs = pairsOf(fewest, result.weights);

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

    std::vector<SweptSetting> settings;
    for (const Tokens chunk : result.chunks) {
        for (std::size_t i = 0; i < result.users.size(); ++i) {
            const double rate = result.ratesPerS.empty() ? 0 : result.ratesPerS[i];
            SweptSetting& setting = settings.emplace_back();
            setting.users = result.users[i];
            setting.chunk = chunk;
            setting.ratePerS = rate;
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
    if (Status found = findUnboundMisfits(settings, base, inputs, result.weights, stop); !found) {
        return found.error();
    }
    std::mutex arriving;
    parallelFor(settings.size(), workers, stop, [&](std::size_t index, unsigned worker) {
        SweptSetting& setting = settings[order[index]];
        runSetting(setting, base, drawn, result.weights, result.pairs, **tables, turns, engines[worker],
                   stop);
        putMisfits(setting, base, result.weights);
        if (inputs.arrived && !setting.error && !stop.stop_requested()) {
            const std::scoped_lock lock(arriving);
            inputs.arrived(setting.points);
        }
        if (inputs.progress != nullptr) {
            ++inputs.progress->done;
        }
    });
    for (const SweptSetting& setting : settings) {
        if (setting.error) {
            return *setting.error;
        }
        result.steps += setting.steps;
        result.turns += setting.turns;
    }
    if (stop.stop_requested()) {
        return result;
    }
    for (std::size_t k = 0; k < result.weights.size(); ++k) {
        std::int64_t peakKvBlocks = 0;
        for (SweptSetting& setting : settings) {
            peakKvBlocks = std::max(peakKvBlocks, setting.peakKvBlocks[k]);
            result.points.push_back(std::move(setting.points[k]));
        }
        result.kvPeakBytes.push_back(kvBytesOfBlocks(inputs.base, peakKvBlocks));
    }
    return result;
}

} // namespace loadline
