// The ceiling against the reference's, names of models, and which rates a log tells.
#include "core/serverlog/light/speed_of_light.h"

#include "core/serverlog/log_concurrency.h"
#include "tests/core/cost/bundled_profile.h"
#include "tests/core/serverlog/study_log.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

ServedOn gemmaOnM3() {
    return {.model = findCacheModel("gemma-3-12b"), .bitsPerWeight = 4.5, .device = "M3-Max-40c"};
}

TEST(SpeedOfLight, EqualsTheReference) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/checks.json");
    const auto expected = nlohmann::json::parse(text).at("seed2");
    const SpeedOfLight light(gemmaOnM3());
    EXPECT_DOUBLE_EQ(light.weightsGB(), expected.at("weights_GB").get<double>());
    for (const auto& row : expected.at("rows")) {
        const double context = row.at("ctx").get<double>();
        EXPECT_NEAR(light.kvGB(context), row.at("kv_GB").get<double>(), 6e-4) << context;
        EXPECT_NEAR(light.ceiling(context), row.at("bound_400GBs").get<double>(), 0.051) << context;
    }
}

TEST(SpeedOfLight, PublishedPointsHaveTheReferencesEfficiency) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/checks.json");
    const auto expected = nlohmann::json::parse(text).at("decode_checks");
    ASSERT_EQ(expected.size(), decodePoints().size());
    for (const auto& row : expected) {
        const auto same = [&row](const DecodePoint& point) {
            return point.tokensPerS == row.at("tps").get<double>();
        };
        const auto point = std::ranges::find_if(decodePoints(), same);
        ASSERT_NE(point, decodePoints().end()) << row;
        EXPECT_NEAR(point->efficiency(), row.at("efficiency").get<double>(), 6e-4) << row;
    }
}

TEST(SpeedOfLight, TheBandIsOfLikeHardwareAndQuantisation) {
    const SpeedOfLight light(gemmaOnM3());
    ASSERT_EQ(light.band().points.size(), 5U);
    for (const DecodePoint* point : light.band().points) {
        EXPECT_EQ(point->maker, "Apple");
        EXPECT_FALSE(point->experts);
        EXPECT_LE(point->bitsPerWeight, 5.5);
    }
    EXPECT_NEAR(light.band().low, 0.557, 6e-4);
    EXPECT_NEAR(light.band().high, 0.721, 6e-4);
    ServedOn far = gemmaOnM3();
    far.device = "B200-HGX";
    EXPECT_TRUE(SpeedOfLight(far).band().points.empty());
}

TEST(SpeedOfLight, AStepOfMoreSequencesReadsTheWeightsOnce) {
    const SpeedOfLight light(gemmaOnM3());
    EXPECT_NEAR(light.ceiling(0, 2), light.ceiling(0, 1), 1e-9);
    EXPECT_LT(light.ceiling(40'000, 2), light.ceiling(40'000, 1));
    EXPECT_DOUBLE_EQ(light.ceiling(1000, 1, 2.5), 2.5 * light.ceiling(1000));
    ServedOn experts{.model = findCacheModel("gpt-oss-20b"), .bitsPerWeight = 4.25, .bandwidthGBs = 400};
    const SpeedOfLight moe(experts);
    EXPECT_GT(moe.ceiling(0, 1), moe.ceiling(0, 4)) << "more experts are read";
}

TEST(ModelNamed, ByNamesThatServersPrint) {
    struct Case {
        const char* name;
        const char* key;
        double bits;
    };
    for (const Case& c :
         {Case{"mlx-community/gemma-3-12b-it-4bit", "gemma-3-12b", 4.5},
          Case{"/models/gemma-3-12b-it-Q4_K_M.gguf", "gemma-3-12b", 4.89},
          Case{"Qwen/Qwen3-30B-A3B-Instruct-FP8", "qwen3-30b-a3b", 8}, Case{"gpt-oss:20b", "gpt-oss-20b", 0},
          Case{"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b", 0}, Case{"Qwen3-8B-AWQ", "qwen3-8b", 4.25},
          Case{"HuggingFaceTB/SmolLM2-135M-Instruct", "smollm2-135m", 0},
          Case{"unsloth/Qwen3-Coder-480B-A35B-Q8_0", "qwen3-coder-480b-a35b", 8.5},
          // releases of one shape, and models that another one taught
          Case{"deepseek-ai/DeepSeek-V3-0324", "deepseek-v3", 0},
          Case{"nvidia/DeepSeek-V3.1-NVFP4", "deepseek-v3", 4.5},
          Case{"deepseek-ai/DeepSeek-R1", "deepseek-v3", 0},
          Case{"deepseek-ai/DeepSeek-R1-0528", "deepseek-v3", 0},
          Case{"deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "qwen3-8b", 0},
          Case{"deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama-3.3-70b", 0},
          Case{"Qwen/Qwen3-235B-A22B-Thinking-2507-FP8", "qwen3-235b-a22b", 8}}) {
        const NamedModel named = modelNamed(c.name);
        ASSERT_NE(named.model, nullptr) << c.name;
        EXPECT_EQ(named.model->key, c.key) << c.name;
        EXPECT_EQ(named.bitsPerWeight, c.bits) << c.name;
    }
    EXPECT_EQ(modelNamed("qwen3-80b").model, nullptr) << "not the one of 8 B";
    EXPECT_EQ(modelNamed("").model, nullptr);
    for (const char* other : {"deepseek-ai/DeepSeek-V3.2", "deepseek-r1:latest", "moonshotai/Kimi-K2.5",
                              "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B"}) {
        EXPECT_EQ(modelNamed(other).model, nullptr) << other;
    }
}

TEST(ObservedRates, OfARequestThatIsTimedAsAWhole) {
    const std::vector<ObservedRate> rates = observedRatesOf(studyLog());
    ASSERT_EQ(rates.size(), 1U);
    EXPECT_NEAR(rates[0].tokensPerS, 25.5202492211838, 1e-9);
    EXPECT_TRUE(rates[0].atLeast);
    EXPECT_EQ(rates[0].streams, 1);
    EXPECT_FALSE(rates[0].streamsTold) << "two ends are not told";
    EXPECT_EQ(rates[0].contextLow, 9983);
    EXPECT_EQ(rates[0].contextHigh, 49'152 + 8192);
    EXPECT_EQ(rates[0].where, (LogLine{0, 6}));
}

TEST(ObservedRates, OfIntervalsAreOfOneStream) {
    ServerLog log;
    log.knownLines = 3;
    LogInterval interval;
    interval.timeS = 0;
    interval.promptTokensPerS = 0;
    interval.outputTokensPerS = 624;
    interval.running = 32;
    interval.kvUse = 0.5;
    LogInterval mixed = interval;
    mixed.timeS = 10;
    mixed.promptTokensPerS = 1000;
    LogInterval idle = interval;
    idle.timeS = 20;
    idle.running = 0;
    log.intervals = {interval, mixed, idle};
    log.facts = {{"kv_tokens", "64000", {0, 1}}};
    const std::vector<ObservedRate> rates = observedRatesOf(log);
    ASSERT_EQ(rates.size(), 2U) << "25 tokens/s of 0 running is of nobody";
    EXPECT_DOUBLE_EQ(rates[0].tokensPerS, 19.5);
    EXPECT_EQ(rates[0].streams, 32);
    EXPECT_DOUBLE_EQ(rates[0].contextHigh, 1000);
    EXPECT_FALSE(rates[0].atLeast);
    EXPECT_TRUE(rates[1].atLeast) << "prompts took a part of the time";
    EXPECT_TRUE(rates[1].streamsTold);
}

TEST(ObservedRates, OfStepsWithTheBatchTheyHad) {
    ServerLog log;
    log.steps = {{{0, 1}, 0, 2, notTold, notTold}, {{0, 2}, 0, notTold, 0.08, 2}};
    const std::vector<ObservedRate> rates = observedRatesOf(log);
    ASSERT_EQ(rates.size(), 1U);
    EXPECT_DOUBLE_EQ(rates[0].tokensPerS, 12.5);
    EXPECT_EQ(rates[0].streams, 2);
}

TEST(ServedOnLog, TakesWhatTheLogTellsAndSaysWhatIsAssumed) {
    ServerLog log;
    log.facts = {{"model", "mlx-community/gemma-3-12b-it-4bit", {0, 1}}};
    const ServedOnLog named = servedOnLog({}, log);
    EXPECT_EQ(named.served.model->key, "gemma-3-12b");
    EXPECT_EQ(named.served.bitsPerWeight, 4.5);
    EXPECT_EQ(named.assumption, "");
    const ServedOnLog chosen = servedOnLog({.model = findCacheModel("qwen3-8b"), .bitsPerWeight = 8}, log);
    EXPECT_EQ(chosen.served.model->key, "qwen3-8b");
    EXPECT_EQ(chosen.served.bitsPerWeight, 8);
    log.facts.clear();
    EXPECT_EQ(servedOnLog({}, log).served.model, nullptr);
    EXPECT_NE(servedOnLog({.model = findCacheModel("qwen3-8b")}, log).assumption, "");
}

TEST(MostAtOnce, IsTheHighestLevelThatHoldsBetween) {
    std::vector<LogLevel> levels;
    for (int i = 0; i < 37; ++i) {
        levels.push_back({static_cast<double>(i), static_cast<double>((i * 7) % 11)});
    }
    const MostAtOnce most(levels);
    for (int from = 0; from < 37; ++from) {
        for (int to = from + 1; to <= 37; ++to) {
            double slow = 0;
            for (int i = from; i < to; ++i) {
                slow = std::max(slow, levels[static_cast<std::size_t>(i)].value);
            }
            EXPECT_EQ(most.between(from, to), slow) << from << ' ' << to;
            EXPECT_EQ(most.between(from + 0.5, to), slow) << "the level holds until the next";
        }
    }
    EXPECT_EQ(MostAtOnce({}).between(0, 1), 0);
    EXPECT_EQ(most.between(-2, -1), 0);
}

TEST(LogConcurrency, AnEndBeforeABeginningOfTheSameInstantIsNotShared) {
    ServerLog log;
    log.lengthS = 10;
    for (int i = 0; i < 3; ++i) {
        LogRequest request = studyRequest(1, i, "POST /v1/messages");
        request.endS = i + 1;
        log.requests.push_back(request);
    }
    EXPECT_EQ(MostAtOnce(concurrencyOf(log).atLeast).between(0, 10), 1);
    log.requests[0].endS = notTold;
    EXPECT_EQ(MostAtOnce(concurrencyOf(log).atLeast).between(0, 10), 1);
    EXPECT_EQ(MostAtOnce(concurrencyOf(log).atMost).between(0, 10), 2);
}

} // namespace
} // namespace loadline
