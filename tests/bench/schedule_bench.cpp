// Steps of vLLM V1's scheduler per second on one core: 64 users in a closed loop. Aims: 2 million steps a
// second with blocks, 0.5 million with the prefix cache. Rival: the same steps as bare bookkeeping of 64
// counters.
#include "core/schedule/policy/vllm_v1.h"

#include <benchmark/benchmark.h>

#include <numeric>
#include <random>

using namespace loadline;

namespace {

constexpr int users = 64;

VllmConfig config(bool caching) {
    VllmConfig result;
    result.maxNumBatchedTokens = 2048;
    result.enablePrefixCaching = caching;
    result.numGpuBlocks = 20'001;
    return result;
}

ScheduleRequest nextTurn(std::mt19937& random, int user, std::int64_t turn, Tokens context) {
    const auto prompt = context + 1 + static_cast<Tokens>(random() % 400);
    return {.id = turn,
            .prompt = {{.first = static_cast<std::int64_t>(user) << 32, .count = prompt}},
            .promptTokens = prompt,
            .outputTokens = 1 + static_cast<Tokens>(random() % 400),
            .firstOutputToken = (static_cast<std::int64_t>(user) << 32) + prompt};
}

/// Each user's next turn comes as soon as the last has ended; with the cache it repeats the last one's
/// tokens.
void closedLoop(benchmark::State& state) {
    const bool caching = state.range(0) != 0;
    std::mt19937 random(1);
    VllmV1 scheduler(config(caching));
    std::vector<Tokens> context(users, 0);
    std::int64_t turn = 0;
    std::int64_t t = 0;
    Tokens computed = 0;
    const auto add = [&](int user) {
        const ScheduleRequest request = nextTurn(random, user, turn++, caching ? context[user] : 0);
        context[user] = request.promptTokens + request.outputTokens;
        if (context[user] > 4000) {
            context[user] = 0; // a new session
        }
        scheduler.add(user, request, t);
    };
    for (int user = 0; user < users; ++user) {
        add(user);
    }
    for (auto _ : state) {
        const Step& step = scheduler.step(t++);
        computed += step.total;
        for (const RequestIndex user : step.finished) {
            add(user);
        }
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["tokens_per_step"] = static_cast<double>(computed) / static_cast<double>(t);
}

/// Nothing but decodes: outputs that never end within the measurement.
void decodeOnly(benchmark::State& state) {
    const auto blockSize = state.range(0);
    VllmConfig decode = config(false);
    decode.blockSize = blockSize;
    decode.numGpuBlocks = std::int64_t{1} << 40;
    decode.maxModelLen = std::int64_t{1} << 40;
    VllmV1 scheduler(decode);
    for (int user = 0; user < users; ++user) {
        scheduler.add(user, {.id = user, .promptTokens = 1 + user, .outputTokens = 1 << 30}, 0);
    }
    std::int64_t t = 0;
    Tokens computed = 0;
    for (auto _ : state) {
        computed += scheduler.step(t++).total;
    }
    benchmark::DoNotOptimize(computed);
    state.SetItemsProcessed(state.iterations());
}

void bareCounters(benchmark::State& state) {
    std::vector<std::int64_t> computed(users);
    std::vector<RequestTokens> scheduled;
    for (auto _ : state) {
        scheduled.clear();
        for (int user = 0; user < users; ++user) {
            ++computed[user];
            scheduled.push_back({user, 1});
        }
        benchmark::DoNotOptimize(scheduled.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(closedLoop)->ArgName("cache")->Arg(0)->Arg(1);
BENCHMARK(decodeOnly)->ArgName("block")->Arg(16)->Arg(64);
BENCHMARK(bareCounters);

} // namespace
