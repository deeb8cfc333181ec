// Simulated steps per second on one core. Aims: a closed loop of 64 users with chunks of 512 at 100 million a
// second, of 1 user at 6 billion; vLLM's exact scheduler with a clock at 2 million with blocks and 0.5
// million with the prefix cache; a sweep of users 1 to 256 x 8 chunk sizes x 1,000 turns in 40 ms. Rivals:
// the same runs by plain loops that take every step, and the scheduler alone, without clock and kernel times.
#include "core/schedule/policy/vllm_v1.h"
#include "core/simulate/run/exact.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/study/sweep.h"
#include "tests/core/simulate/made_inputs.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace loadline {
namespace {

constexpr std::int64_t iterations = 1'000'000;
constexpr std::int64_t exactSteps = 200'000;

RowsSetup setupOf(std::int64_t users, Policy policy) {
    RowsSetup setup;
    setup.policy = policy;
    setup.users = users;
    setup.length = {iterations, std::nullopt};
    return setup;
}

std::vector<DrawnTurn> turnsOf(const RowsSetup& setup) {
    return drawTurns(referenceWorkload(), turnsNeeded(setup), 1);
}

/// Steps by M, as a plain loop counts them.
struct PlainRows {
    std::vector<std::int64_t> steps;
    std::int64_t iterations = 0;
    std::int64_t turns = 0;

    void count(std::int64_t m) {
        ++steps[static_cast<std::size_t>(m)];
        ++iterations;
    }
};

/// Single prefill, every step on its own: who decodes has a counter that goes down.
PlainRows countersLoop(const RowsSetup& setup, const std::vector<DrawnTurn>& turns) {
    PlainRows rows;
    rows.steps.resize(static_cast<std::size_t>(setup.users + setup.chunkTokens) + 1);
    std::vector<std::int32_t> left; // tokens of those who decode
    std::int64_t waiting = setup.users;
    Tokens prompt = 0;
    std::int32_t output = 0;
    std::size_t next = 0;
    const std::int64_t most = setup.length.iterations.value_or(std::int64_t{1} << 60);
    const std::int64_t turnsWanted = setup.length.turns.value_or(std::int64_t{1} << 60);
    while (rows.iterations < most && rows.turns < turnsWanted) {
        if (prompt == 0 && waiting > 0) {
            const DrawnTurn& turn = turns[next];
            next = next + 1 == turns.size() ? 0 : next + 1;
            prompt = turn.input;
            output = turn.output;
            --waiting;
        }
        const Tokens chunk = std::min(prompt, setup.chunkTokens);
        rows.count(static_cast<std::int64_t>(left.size()) + chunk);
        std::int64_t ended = 0;
        for (std::int32_t& tokens : left) {
            --tokens;
            ended += static_cast<std::int64_t>(tokens == 0);
        }
        if (ended > 0) {
            left.erase(std::remove(left.begin(), left.end(), 0), left.end());
            rows.turns += ended;
            waiting += ended;
        }
        prompt -= chunk;
        if (chunk > 0 && prompt == 0) {
            left.push_back(output);
        }
    }
    return rows;
}

/// The same with a wheel of ends, so that a step costs the same whatever the number of users.
PlainRows wheelLoop(const RowsSetup& setup, const std::vector<DrawnTurn>& turns) {
    std::int32_t longest = 1;
    for (const DrawnTurn& turn : turns) {
        longest = std::max(longest, turn.output);
    }
    std::vector<std::uint16_t> ends(std::bit_ceil(static_cast<std::size_t>(longest) + 1));
    const std::size_t mask = ends.size() - 1;
    PlainRows rows;
    rows.steps.resize(static_cast<std::size_t>(setup.users + setup.chunkTokens) + 1);
    std::int64_t waiting = setup.users;
    std::int64_t decoders = 0;
    Tokens prompt = 0;
    std::int32_t output = 0;
    std::size_t next = 0;
    const std::int64_t most = setup.length.iterations.value_or(std::int64_t{1} << 60);
    const std::int64_t turnsWanted = setup.length.turns.value_or(std::int64_t{1} << 60);
    while (rows.iterations < most && rows.turns < turnsWanted) {
        if (prompt == 0 && waiting > 0) {
            const DrawnTurn& turn = turns[next];
            next = next + 1 == turns.size() ? 0 : next + 1;
            prompt = turn.input;
            output = turn.output;
            --waiting;
        }
        const Tokens chunk = std::min(prompt, setup.chunkTokens);
        const auto now = static_cast<std::size_t>(rows.iterations);
        rows.count(decoders + chunk);
        std::uint16_t& ended = ends[now & mask];
        decoders -= ended;
        rows.turns += ended;
        waiting += ended;
        ended = 0;
        prompt -= chunk;
        if (chunk > 0 && prompt == 0) {
            ++ends[(now + static_cast<std::size_t>(output)) & mask];
            ++decoders;
        }
    }
    return rows;
}

/// A rival that counts otherwise is none.
void agree(const PlainRows& plain, const RowsSetup& setup, const std::vector<DrawnTurn>& turns) {
    RowsEngine engine;
    const RowsRun& run = engine.run(setup, turns);
    for (const RowsCount& count : run.counts) {
        if (plain.steps[static_cast<std::size_t>(count.rows)] != count.steps || plain.turns != run.turns) {
            std::abort();
        }
    }
}

void closedLoop(benchmark::State& state) {
    const auto policy = state.range(1) == 0 ? Policy::SinglePrefill : Policy::VllmV1;
    RowsSetup setup = setupOf(state.range(0), policy);
    setup.length.iterations = state.range(0) == 1 ? 100 * iterations : iterations;
    const auto turns = turnsOf(setup);
    RowsEngine engine;
    for (auto _ : state) {
        benchmark::DoNotOptimize(engine.run(setup, turns).turns);
    }
    state.SetItemsProcessed(state.iterations() * *setup.length.iterations);
}

void closedLoopWithLatencies(benchmark::State& state) {
    const auto policy = state.range(1) == 0 ? Policy::SinglePrefill : Policy::VllmV1;
    const RowsSetup setup = setupOf(state.range(0), policy);
    const auto turns = turnsOf(setup);
    const TimesByRows us{std::vector<double>(16'385, 50.0), {}};
    RowsEngine engine;
    RowsTimes times;
    for (auto _ : state) {
        benchmark::DoNotOptimize(engine.run(setup, turns, us, times).turns);
    }
    state.SetItemsProcessed(state.iterations() * iterations);
}

template <PlainRows (*loop)(const RowsSetup&, const std::vector<DrawnTurn>&)>
void plainLoop(benchmark::State& state) {
    const RowsSetup setup = setupOf(state.range(0), Policy::SinglePrefill);
    const auto turns = turnsOf(setup);
    agree(loop(setup, turns), setup, turns);
    for (auto _ : state) {
        benchmark::DoNotOptimize(loop(setup, turns).turns);
    }
    state.SetItemsProcessed(state.iterations() * iterations);
}

/// Conversations of 10 turns that grow by some hundred tokens each.
Workload conversations() {
    std::mt19937 random(1);
    std::vector<WorkloadSession> sessions(200);
    for (WorkloadSession& session : sessions) {
        Tokens context = 0;
        for (int i = 0; i < 10; ++i) {
            WorkloadTurn turn;
            turn.context = context;
            turn.input = 1 + static_cast<Tokens>(random() % 400);
            turn.output = 1 + static_cast<Tokens>(random() % 400);
            context += turn.input + turn.output;
            session.turns.push_back(turn);
        }
    }
    return workloadOfTurns(std::move(sessions), "made", "Made up", "a benchmark").value();
}

SimulationInputs exactInputs(bool caching) {
    SimulationInputs inputs = madeInputs();
    inputs.policy.policy = Policy::VllmV1;
    inputs.policy.budgetTokens = 2048;
    inputs.policy.kvBlocks = 20'001;
    inputs.policy.prefixCache = caching;
    inputs.arrivals.users = 64;
    inputs.arrivals.order = caching ? TurnOrder::Replayed : TurnOrder::Sampled;
    inputs.length = {exactSteps, std::nullopt};
    inputs.workload = std::make_shared<const Workload>(conversations());
    return inputs;
}

void exact(benchmark::State& state) {
    const SimulationInputs inputs = exactInputs(state.range(0) != 0);
    const auto tables = CostTables::make(inputs, {4}, 2048).value();
    std::uint64_t steps = 0;
    for (auto _ : state) {
        const auto run = runExact(inputs, tables->at(4), 1);
        if (!run) {
            state.SkipWithError(run.error().sentence().c_str());
            return;
        }
        steps += run->rows.iterations();
        state.counters["cached_tokens"] = static_cast<double>(run->cachedTokens);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(steps));
}

/// The same turns through the scheduler and nothing else.
void schedulerAlone(benchmark::State& state) {
    const auto turns = drawTurns(conversations(), 1 << 16, 1);
    VllmConfig config;
    config.maxNumBatchedTokens = 2048;
    config.maxNumSeqs = 256;
    config.enablePrefixCaching = false;
    config.numGpuBlocks = 20'001;
    for (auto _ : state) {
        VllmV1 scheduler(config);
        std::size_t next = 0;
        const auto add = [&](RequestIndex user, std::int64_t t) {
            const DrawnTurn& turn = turns[next++ % turns.size()];
            scheduler.add(user, {.id = user, .promptTokens = turn.input, .outputTokens = turn.output}, t);
        };
        for (RequestIndex user = 0; user < 64; ++user) {
            add(user, 0);
        }
        for (std::int64_t t = 0; t < exactSteps; ++t) {
            for (const RequestIndex user : scheduler.step(t).finished) {
                add(user, t);
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * exactSteps);
}

const std::vector<Tokens> chunks = {64, 128, 256, 512, 1024, 2048, 4096, 8192};

SweepInputs sweepInputs() {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.length = {std::nullopt, 1000};
    for (std::int64_t users = 1; users <= 256; ++users) {
        inputs.users.push_back(users);
    }
    inputs.chunks = chunks;
    inputs.threads = 1;
    return inputs;
}

void sweepUsersAndChunks(benchmark::State& state) {
    SweepInputs inputs = sweepInputs();
    if (state.range(0) != 0) {
        inputs.base.policy.policy = Policy::VllmV1;
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(sweep(inputs).value().points.size());
    }
    state.SetItemsProcessed(state.iterations() * 256 * 8);
}

void sweepByPlainLoops(benchmark::State& state) {
    const SweepInputs inputs = sweepInputs();
    RowsSetup setup = rowsSetupOf(inputs.base);
    setup.users = 256;
    const auto turns = drawTurns(*inputs.base.workload, turnsNeeded(setup), 1);
    std::int64_t steps = 0;
    for (auto _ : state) {
        for (const Tokens chunk : chunks) {
            for (std::int64_t users = 1; users <= 256; ++users) {
                setup.users = users;
                setup.chunkTokens = chunk;
                steps += wheelLoop(setup, turns).iterations;
            }
        }
    }
    benchmark::DoNotOptimize(steps);
    state.SetItemsProcessed(state.iterations() * 256 * 8);
}

BENCHMARK(closedLoop)->ArgNames({"users", "vllm"})->Args({64, 0})->Args({1, 0})->Args({64, 1})->Args({1, 1});
BENCHMARK(closedLoopWithLatencies)->ArgNames({"users", "vllm"})->Args({64, 0})->Args({64, 1});
BENCHMARK(plainLoop<wheelLoop>)->Name("plainLoopWithWheel")->ArgName("users")->Arg(64)->Arg(1);
BENCHMARK(plainLoop<countersLoop>)->Name("plainLoopOfCounters")->ArgName("users")->Arg(64)->Arg(1);
BENCHMARK(exact)->ArgName("cache")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(schedulerAlone)->Unit(benchmark::kMillisecond);
BENCHMARK(sweepUsersAndChunks)->ArgName("vllm")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(sweepByPlainLoops)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace loadline
