// What holds in every run, on random scenarios of every engine.
#include "core/schedule/policy/vllm_v1.h"
#include "make_scenario.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace loadline {
namespace {

class RandomScenario {
public:
    explicit RandomScenario(unsigned seed) : random_(seed) {}

    Scenario make() {
        Scenario result;
        if (upTo(4) == 0) {
            result.config = mlx();
        } else {
            result.config = vllm();
        }
        const std::int64_t count = 1 + upTo(25);
        for (std::int64_t id = 0; id < count; ++id) {
            result.requests.push_back(id > 0 && upTo(3) == 0
                                          ? test::follower(id, upTo(id), upTo(3), 1 + upTo(60), 1 + upTo(30))
                                          : test::request(id, upTo(30), 1 + upTo(60), 1 + upTo(30)));
            ScheduleRequest& last = result.requests.back();
            last.priority = upTo(3);
            if (upTo(2) == 0) { // a prefix that others have, too
                const Tokens shared = std::min<Tokens>(last.promptTokens, 24);
                last.prompt = {{5, shared}};
                if (last.promptTokens > shared) {
                    last.prompt.push_back({1'000'000 * (id + 1), last.promptTokens - shared});
                }
            }
        }
        return result;
    }

private:
    std::int64_t upTo(std::int64_t n) {
        return static_cast<std::int64_t>(random_() % static_cast<unsigned>(n));
    }

    VllmConfig vllm() {
        VllmConfig config;
        config.maxNumBatchedTokens = 1 + upTo(64);
        config.maxNumSeqs = 1 + upTo(12);
        config.longPrefillTokenThreshold = upTo(2) * upTo(20);
        config.enablePrefixCaching = upTo(2) == 0;
        config.blockSize = 1 + upTo(16);
        config.numGpuBlocks = 1 + (90 + config.blockSize - 1) / config.blockSize + upTo(30);
        if (upTo(3) == 0) {
            config.beside = {.state = static_cast<double>(upTo(4)), .perWindowToken = 0.3, .window = 20};
            config.numGpuBlocks += config.beside.of(90);
        }
        config.policy = upTo(2) == 0 ? VllmPolicy::Fcfs : VllmPolicy::Priority;
        config.asyncScheduling = upTo(3) == 0;
        config.schedulerReserveFullIsl = upTo(2) == 0;
        config.watermark = upTo(2) == 0 ? 0 : 0.1;
        config.version = static_cast<VllmVersion>(upTo(3));
        return config;
    }

    MlxConfig mlx() {
        return {.completionBatchSize = 1 + upTo(8),
                .prefillBatchSize = 1 + upTo(4),
                .prefillStepSize = 1 + upTo(40)};
    }

    std::mt19937 random_;
};

void checkBudget(const VllmConfig& config, const Step& step) {
    EXPECT_LE(step.total, config.maxNumBatchedTokens);
    EXPECT_LE(step.runningCount, config.maxNumSeqs);
    if (!config.asyncScheduling) {
        EXPECT_LE(step.runningCount, config.maxNumBatchedTokens);
    }
    if (!step.preempted.empty()) {
        EXPECT_TRUE(step.admitted.empty());
        EXPECT_TRUE(step.resumed.empty());
    }
    for (const std::int64_t free : {step.freeScheduled, step.free}) {
        EXPECT_GE(free, 0);
        EXPECT_LE(free, config.numGpuBlocks - 1);
    }
}

void checkSteps(const Scenario& scenario, const ScheduleTrace& trace) {
    std::vector<Tokens> outputs(scenario.requests.size());
    std::vector<Tokens> computed(scenario.requests.size());
    for (const Step& step : trace.steps) {
        Tokens total = 0;
        std::set<RequestIndex> once;
        for (const RequestTokens& scheduled : step.scheduled) {
            EXPECT_GT(scheduled.tokens, 0);
            EXPECT_TRUE(once.insert(scheduled.request).second);
            total += scheduled.tokens;
            computed[scheduled.request] += scheduled.tokens;
        }
        for (const RequestTokens& hit : step.hits) {
            computed[hit.request] += hit.tokens;
        }
        for (const RequestIndex request : step.preempted) {
            const bool again = once.contains(request) && !std::holds_alternative<VllmConfig>(scenario.config);
            computed[request] = again ? computed[request] : 0;
        }
        for (const RequestIndex request : step.emitted) {
            ++outputs[request];
        }
        if (const auto* vllm = std::get_if<VllmConfig>(&scenario.config)) {
            EXPECT_EQ(step.total, total);
            checkBudget(*vllm, step);
        }
    }
    for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
        const ScheduleRequest& request = scenario.requests[i];
        EXPECT_GE(trace.requests[i].finishStep, 0) << "request " << i;
        if (std::holds_alternative<VllmConfig>(scenario.config)) {
            EXPECT_EQ(outputs[i], request.outputTokens);
            if (!std::get<VllmConfig>(scenario.config).asyncScheduling) {
                EXPECT_EQ(computed[i], request.promptTokens + request.outputTokens - 1);
            }
        }
    }
    if (const auto* vllm = std::get_if<VllmConfig>(&scenario.config)) {
        EXPECT_EQ(trace.steps.back().free, vllm->numGpuBlocks - 1);
    }
}

TEST(RandomScheduleTest, TokensAndBlocksAreConservedAndEveryRequestFinishes) {
    for (unsigned seed = 0; seed < 600; ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario = RandomScenario(seed).make();
        const Result<ScheduleTrace> trace = runScenario(scenario);
        ASSERT_TRUE(trace) << trace.error().sentence();
        checkSteps(scenario, *trace);
        const Result<ScheduleTrace> again = runScenario(scenario);
        ASSERT_TRUE(again);
        ASSERT_TRUE(*trace == *again) << "not deterministic";
        if (HasFailure()) {
            return;
        }
    }
}

TEST(RandomScheduleTest, TheCacheOnlyTakesWorkAway) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Scenario scenario = RandomScenario(seed).make();
        auto* config = std::get_if<VllmConfig>(&scenario.config);
        if (config == nullptr) {
            continue;
        }
        const auto tokensOf = [&](bool caching) {
            config->enablePrefixCaching = caching;
            config->numGpuBlocks = 10'000; // nobody is preempted
            Tokens total = 0;
            for (const Step& step : test::stepsOf(scenario)) {
                total += step.total;
                for (const RequestTokens& hit : step.hits) {
                    total += hit.tokens;
                }
            }
            return total;
        };
        EXPECT_EQ(tokensOf(true), tokensOf(false)) << "seed " << seed;
    }
}

TEST(RandomScheduleTest, AStoppedRunKeepsItsSteps) {
    std::stop_source stop;
    stop.request_stop();
    const Result<ScheduleTrace> trace = runScenario(RandomScenario(1).make(), {}, stop.get_token());
    ASSERT_TRUE(trace);
    EXPECT_TRUE(trace->steps.empty());
}

} // namespace
} // namespace loadline
