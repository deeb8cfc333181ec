// One replica of one setting, by whichever way applies: what simulate, sweep and crossover are built from.
#include "core/simulate/run/replica.h"

#include "core/base/statistics.h"
#include "core/cost/estimate/attention.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/exact.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/measured.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace loadline {
namespace {

constexpr std::int32_t mostFastOutput = 1 << 22; // the ring of completions is as long

Quantiles meanOf(std::span<const SimulationResult> replicas, Quantiles SimulationResult::*member) {
    Quantiles mean;
    for (const SimulationResult& replica : replicas) {
        const Quantiles& one = replica.*member;
        const auto weight = static_cast<double>(one.n);
        mean.n += one.n;
        mean.mean += weight * one.mean;
        mean.p50 += weight * one.p50;
        mean.p90 += weight * one.p90;
        mean.p99 += weight * one.p99;
    }
    if (mean.n > 0) {
        const auto n = static_cast<double>(mean.n);
        mean.mean /= n;
        mean.p50 /= n;
        mean.p90 /= n;
        mean.p99 /= n;
    }
    return mean;
}

/// Returns the quantiles of all turns together if latencies are kept: the mean of quantiles of few turns each
/// is biased.
Quantiles pooledOf(std::span<const SimulationResult> replicas, Quantiles SimulationResult::*member,
                   std::vector<double> LatencySample::*sample) {
    if (!std::ranges::all_of(replicas,
                             [](const SimulationResult& one) { return one.latencies != nullptr; })) {
        return meanOf(replicas, member);
    }
    std::vector<double> all;
    for (const SimulationResult& one : replicas) {
        const std::vector<double>& values = (*one.latencies).*sample;
        all.insert(all.end(), values.begin(), values.end());
    }
    return quantilesOf(std::move(all));
}

/// True if the run is short enough to be recorded: a record takes memory for each step, so a run that may go
/// on for ever has none.
bool isShort(const SimulationInputs& inputs) {
    constexpr std::int64_t mostIterations = 4'000'000;
    constexpr std::int64_t mostTurns = 100'000;
    const RunLength& length = inputs.length;
    return inputs.plan.has_value() || length.iterations.value_or(mostIterations + 1) <= mostIterations ||
           length.turns.value_or(mostTurns + 1) <= mostTurns;
}

std::optional<Error> roomProblemOf(const SimulationInputs& inputs) {
    if (!leavesNoRoom(inputs)) {
        return std::nullopt;
    }
    const double weights = weightBytes(inputs.cost.model, inputs.cost.format);
    const double room = memoryShareInForce(inputs) * memoryBytesOf(*hardwareOf(inputs));
    const std::string what =
        weights < room
            ? fmt::format("weights of {} leave {} of {} of the device's memory, and a sequence's KV "
                          "cache takes {} or more",
                          formatGib(weights), formatGib(room - weights),
                          formatShare(memoryShareInForce(inputs)), formatGib(leastKvBytesOf(inputs)))
            : fmt::format("weights of {} leave no room for a KV cache in {} of the device's memory",
                          formatGib(weights), formatShare(memoryShareInForce(inputs)));
    return Error{what, inputs.cost.model.name, "a larger share, fewer bits, or another device"};
}

void add(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
    sum.resize(std::max(sum.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) {
        sum[i] += more[i];
    }
}

} // namespace

bool comparesWithNothing(const SimulationInputs& inputs) {
    const auto& gemms = inputs.cost.model.gemms;
    return inputs.scope == StepScope::GemmOnly &&
           std::none_of(gemms.begin(), gemms.end(), [&](const LayerGemm& gemm) {
               const Kernel kernel = fp16Kernel(gemm.grouped());
               return inputs.cost.timeScale[static_cast<std::size_t>(kernel)] > 0;
           });
}

bool overlapsHost(const SimulationInputs& inputs) {
    return inputs.scope == StepScope::WholeStep && specOf(inputs.policy.policy).isVllm &&
           inputs.policy.async && inputs.hostUs > 0;
}

std::optional<Error> problemOf(const SimulationInputs& inputs) {
    auto problem = problemBesidesRoomOf(inputs);
    return problem ? problem : roomProblemOf(inputs);
}

std::optional<Error> problemBesidesRoomOf(const SimulationInputs& inputs) {
    if (!inputs.workload) {
        return Error{"there is no workload", "", "choose the reference workload, a trace, or open sessions"};
    }
    if (auto problem = problemOf(*inputs.workload)) {
        return problem;
    }
    if (inputs.cost.format.experts != inputs.cost.format.weights &&
        std::ranges::none_of(inputs.cost.model.gemms, &LayerGemm::grouped)) {
        return Error{fmt::format("{} has no experts to store as {}", inputs.cost.model.name,
                                 specOf(inputs.cost.format.experts).name),
                     "", "leave --experts out, or choose a model with experts"};
    }
    if (auto problem = problemOf(inputs.engine, inputs.policy, inputs.cost.format)) {
        return problem;
    }
    const bool servesOther = inputs.scope == StepScope::WholeStep &&
                             specOf(inputs.against.weights).kernels == WeightKernels::Library;
    if (auto problem = servesOther ? problemOf(inputs.engine, inputs.policy, inputs.against) : std::nullopt) {
        return problem;
    }
    SimulationRequest choices;
    choices.policy = inputs.policy;
    choices.arrivals = inputs.arrivals;
    choices.length = inputs.length;
    choices.hostUs = inputs.hostUs;
    if (auto problem = problemOf(choices)) {
        return problem;
    }
    if (inputs.replicas < 1 || inputs.replicas > 100'000) {
        return Error{fmt::format("the number of replicas is {}", inputs.replicas), "",
                     "choose 1 to 100\u202f000"};
    }
    if (inputs.scope == StepScope::WholeStep && !inputs.cost.model.attention) {
        return Error{fmt::format("the shapes \"{}\" say nothing of attention, so there is no whole step",
                                 inputs.cost.model.name),
                     "", "count the GEMMs alone, or choose the shapes of a model"};
    }
    if (!inputs.cost.model.gemms.empty() && comparesWithNothing(inputs)) {
        return Error{"fp16 takes no time with these time scales, and nothing can be compared with it", "",
                     "a time scale above 0 for fp16"};
    }
    const WorkloadKind kind = inputs.workload->kind;
    if (inputs.arrivals.kind == ArrivalKind::Trace && kind != WorkloadKind::Trace) {
        return Error{"this workload has no arrival times of its own", inputs.workload->name,
                     "choose closed loop or a rate, or a request trace"};
    }
    if (inputs.arrivals.order == TurnOrder::Replayed && kind != WorkloadKind::Sessions) {
        return Error{"this workload has no sessions to replay", inputs.workload->name,
                     "let turns be sampled, or open sessions"};
    }
    if (inputs.arrivals.order == TurnOrder::Replayed && inputs.arrivals.kind != ArrivalKind::Closed) {
        return Error{"sessions are replayed by users, and there are none in an open loop", "",
                     "choose closed loop, or let turns be sampled"};
    }
    if (inputs.arrivals.think == ThinkTime::FromData && inputs.arrivals.kind == ArrivalKind::Closed &&
        gapsS(*inputs.workload).empty()) {
        return Error{"this workload does not tell how long users think", inputs.workload->name,
                     "choose a fixed think time, or open sessions"};
    }
    return std::nullopt;
}

std::vector<DrawnTurn> turnsFor(const Workload& workload, std::size_t count, std::uint64_t seed) {
    std::vector<DrawnTurn> turns = drawTurns(workload, count, seed);
    // what ends at the longest request, or is refused, is the exact way's business
    const bool tooLong = std::any_of(turns.begin(), turns.end(), [](const DrawnTurn& turn) {
        return turn.output > mostFastOutput || Tokens{turn.input} + turn.output > PolicySetup{}.maxModelLen;
    });
    if (tooLong) {
        turns.clear();
    }
    return turns;
}

std::vector<RowsCount> countsOf(const RowsHistogram& rows) {
    std::vector<RowsCount> counts;
    const auto at = [](const std::vector<std::uint64_t>& steps, std::size_t m) {
        return m < steps.size() ? static_cast<std::int64_t>(steps[m]) : 0;
    };
    for (std::size_t m = 0; m < std::max(rows.steps.size(), rows.head.size()); ++m) {
        const RowsCount count{static_cast<std::int32_t>(m), at(rows.steps, m), at(rows.decodeOnly, m),
                              at(rows.head, m)};
        if (count.steps > 0 || count.headSteps > 0) {
            counts.push_back(count);
        }
    }
    return counts;
}

ReplicaRows rowsOf(const SimulationResult& run) {
    return {countsOf(run.rows), run.wholeUs - run.gemm.us, run.wholeFp16Us - run.gemm.fp16Us};
}

ReplicaRows pairedRowsOf(const SimulationResult& own, const SimulationResult& other) {
    constexpr double usPerS = 1e6;
    const bool byTurns = !own.served && own.turns > 0 && other.turns > 0;
    const auto ofOwn = static_cast<double>(byTurns ? own.turns : own.tokensOut);
    const auto ofOther = static_cast<double>(byTurns ? other.turns : other.tokensOut);
    return {.counts = countsOf(own.rows),
            .restUs = own.simulatedS * usPerS - own.gemm.us,
            .restFp16Us = other.simulatedS * usPerS - other.gemm.us,
            .otherCounts = countsOf(other.rows),
            .otherScale = ofOther > 0 ? ofOwn / ofOther : 1};
}

GemmTime gemmTimeOf(const ReplicaRows& rows, const GemmRates& rates, const GemmRates* other) {
    GemmTime time = rates.timeOf(rows.counts);
    if (rows.isPaired() && other != nullptr) {
        time.fp16Us = other->timeOf(rows.otherCounts).us;
    }
    return time;
}

SimulationResult runFast(const SimulationInputs& inputs, const GemmRates& rates,
                         std::span<const DrawnTurn> turns, RowsEngine& engine, const std::stop_token& stop) {
    RowsTimes times;
    const RowsRun& run = engine.run(rowsSetupOf(inputs), turns, rates.table().usByRows(), times, stop);
    SimulationResult result;
    result.users = inputs.arrivals.users;
    result.rows = run.histogram();
    result.gemm = rates.timeOf(run.counts);
    result.wholeUs = result.gemm.us;
    result.wholeFp16Us = result.gemm.fp16Us;
    result.simulatedS = times.simulatedS;
    result.turns = static_cast<std::uint64_t>(run.turns);
    result.tokensIn = static_cast<std::uint64_t>(run.tokensIn);
    result.tokensOut = static_cast<std::uint64_t>(run.tokensOut);
    result.ttftS = thinnedQuantilesOf(std::move(times.ttftS));
    result.tpotS = thinnedQuantilesOf(std::move(times.tpotS));
    result.e2eS = thinnedQuantilesOf(std::move(times.e2eS));
    return result;
}

Result<std::vector<SimulationResult>> runParts(const SimulationInputs& inputs, const GemmRates& rates,
                                               std::span<const DrawnTurn> turns, std::uint64_t seed,
                                               RowsEngine& engine, const std::stop_token& stop) {
    const bool fast = !turns.empty() && goesFast(inputs);
    if (fast && !inputs.plan) {
        return std::vector{runFast(inputs, rates, turns, engine, stop)};
    }
    const bool isRecorded = !fast && inputs.schedules && ignoresClock(inputs) && isShort(inputs);
    if (!isRecorded && inputs.plan) {
        return measured(*beginCourse(inputs, rates, turns, seed), *inputs.plan, stop);
    }
    if (!isRecorded) {
        auto run = runExact(inputs, rates, seed, stop);
        return run ? Result(std::vector{std::move(*run)}) : run.error();
    }
    const auto record = inputs.schedules->of(inputs, seed, stop);
    if (!record) {
        return record.error();
    }
    return (*record)->priced(inputs, rates);
}

Result<SimulationResult> runReplica(const SimulationInputs& inputs, const GemmRates& rates,
                                    std::span<const DrawnTurn> turns, std::uint64_t seed, RowsEngine& engine,
                                    const std::stop_token& stop) {
    auto parts = runParts(inputs, rates, turns, seed, engine, stop);
    return parts ? Result(std::move(parts->front())) : parts.error();
}

SimulationResult pooled(std::span<const SimulationResult> replicas) {
    SimulationResult sum;
    sum.runs = std::max<std::int64_t>(1, std::ssize(replicas));
    for (const SimulationResult& one : replicas) {
        sum.users = one.users;
        add(sum.rows.steps, one.rows.steps);
        add(sum.rows.decodeOnly, one.rows.decodeOnly);
        add(sum.rows.head, one.rows.head);
        sum.gemm += one.gemm;
        sum.wholeUs += one.wholeUs;
        sum.wholeFp16Us += one.wholeFp16Us;
        sum.attentionModelledUs += one.attentionModelledUs;
        sum.simulatedS += one.simulatedS;
        sum.turns += one.turns;
        sum.served = one.served ? std::optional(sum.served.value_or(0) + *one.served) : sum.served;
        sum.refusedTurns += one.refusedTurns;
        sum.waitingTurns += one.waitingTurns;
        sum.growingQueues += one.growingQueues;
        sum.isWholeTrace = one.isWholeTrace;
        sum.tokensIn += one.tokensIn;
        sum.tokensOut += one.tokensOut;
        sum.preemptions += one.preemptions;
        sum.cachedTokens += one.cachedTokens;
        if (one.peakKvBlocks > sum.peakKvBlocks) {
            sum.peakKvBlocks = one.peakKvBlocks;
            sum.peakBesideBlocks = one.peakBesideBlocks;
        }
    }
    sum.ttftS = pooledOf(replicas, &SimulationResult::ttftS, &LatencySample::ttftS);
    sum.tpotS = pooledOf(replicas, &SimulationResult::tpotS, &LatencySample::tpotS);
    sum.e2eS = pooledOf(replicas, &SimulationResult::e2eS, &LatencySample::e2eS);
    return sum;
}

Banded bandedOf(double value, std::vector<double> sample) {
    if (sample.empty()) {
        return {};
    }
    std::sort(sample.begin(), sample.end());
    return {value, std::min(value, quantileOfSorted(sample, 0.05)),
            std::max(value, quantileOfSorted(sample, 0.95))};
}

double relativeStandardError(std::span<const double> sample) {
    if (sample.size() < 2) {
        return 0;
    }
    const auto n = static_cast<double>(sample.size());
    const double mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
    double squares = 0;
    for (const double value : sample) {
        squares += (value - mean) * (value - mean);
    }
    return mean > 0 ? std::sqrt(squares / (n - 1) / n) / mean : 0;
}

} // namespace loadline
