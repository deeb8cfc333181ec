// Loading against computing: the reference's digits, and what follows from them.
#include "core/cache/tier/load_or_recompute.h"

#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <string>

namespace loadline {
namespace {

const CacheTier nvme{"NVMe", 1000, 7, 0, ""};

KvLayout layoutOf(std::string_view model) {
    return {.model = findCacheModel(model)};
}

/// Within half a unit of the last digit that the reference prints, and of rounding.
void expectDigits(double ours, double reference, int digits, const std::string& what) {
    EXPECT_NEAR(ours, reference, 0.5000001 * std::pow(10, -digits)) << what;
}

TEST(LoadOrRecompute, EqualsTheReference) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/crossover.json");
    const std::map<std::string, std::pair<double, double>> machines = {
        {"8xH100 bf16", {8, 989}}, {"8xH100 fp8", {8, 1979}}, {"8xH200 fp8", {8, 1979}},
        {"1xH100", {1, 989}},      {"M3 Max", {1, 14.2}},
    };
    const auto rows = nlohmann::json::parse(text).at("load_vs_recompute");
    EXPECT_GT(rows.size(), 20U);
    for (const auto& row : rows) {
        const auto [gpus, peak] = machines.at(row.at("hw").get<std::string>());
        const KvLayout layout = layoutOf(row.at("model").get<std::string>());
        const PrefillCompute compute{.gpus = gpus, .peakTflops = peak, .mfu = row.at("mfu").get<double>()};
        const double n = row.at("prefix").get<double>();
        const std::string what = row.dump();
        // The reference counts no attention in layers with a window: its times are those of the others.
        CacheModel fullLayers = *layout.model;
        fullLayers.attention.layers = fullLayers.attention.fullLayers;
        const double seconds = computeS(KvLayout{.model = &fullLayers}, compute, n, 0);
        expectDigits(seconds, row.at("recompute_s").get<double>(), 4, what);
        EXPECT_GE(computeS(layout, compute, n, 0), seconds) << what;
        expectDigits(layout.bytesOf(n) / 1e9, row.at("kv_GB").get<double>(), 3, what);
        expectDigits(loadS(layout, nvme, n), row.at("load_nvme_7GBps_s").get<double>(), 4, what);
        const double ofReference =
            breakEvenGBs(layout, compute, n) * computeS(layout, compute, n, 0) / seconds;
        expectDigits(ofReference, row.at("break_even_GBps").get<double>(), 2, what);
    }
}

TEST(LoadOrRecompute, BreakEvenLengthsOfOneDrive) {
    const PrefillCompute h100{};
    const auto llama = breakEvenTokens(layoutOf("llama-3.3-70b"), h100, nvme);
    ASSERT_TRUE(llama);
    EXPECT_NEAR(*llama, 33'500, 500);
    EXPECT_GE(breakEvenGBs(layoutOf("llama-3.3-70b"), h100, *llama - 1), 7);
    EXPECT_LT(breakEvenGBs(layoutOf("llama-3.3-70b"), h100, *llama), 7);
    const auto coder = breakEvenTokens(layoutOf("qwen3-coder-480b-a35b"),
                                       {.gpus = 8, .peakTflops = 1979, .mfu = 0.35}, nvme);
    ASSERT_TRUE(coder);
    EXPECT_NEAR(*coder, 86'000, 1000);
    EXPECT_EQ(breakEvenTokens(layoutOf("deepseek-v3"), {.gpus = 8, .peakTflops = 1979, .mfu = 0.35}, nvme),
              1);
}

TEST(LoadOrRecompute, LatencyLengthensIt) {
    const PrefillCompute h100{};
    const KvLayout llama = layoutOf("llama-3.3-70b");
    const CacheTier host{"host", 1, 440, 10, ""};
    EXPECT_EQ(breakEvenTokens(llama, h100, {"host", 1, 440, 0, ""}), 1);
    EXPECT_EQ(breakEvenTokens(llama, h100, {"host", 1, 440, 1e4, ""}), 286); // 10 ms
    EXPECT_EQ(breakEvenTokens(llama, h100, {"tape", 1, 1e-3, 1e9, ""}).has_value(), true);
    EXPECT_EQ(breakEvenTokens(llama, {.gpus = 1e6, .peakTflops = 1e6, .mfu = 1}, {"tape", 1, 1e-3, 0, ""}),
              std::nullopt);
    EXPECT_GT(loadS(llama, host, 1), 10e-6);
    EXPECT_EQ(loadS(llama, host, 0), 0);
}

TEST(LoadOrRecompute, TimeToFirstToken) {
    const KvLayout llama = layoutOf("llama-3.3-70b");
    const PrefillCompute compute{.fixedS = 0.04};
    const PromptTime time = promptTimeOf(llama, compute, nvme, 40'000, 32'768);
    EXPECT_NEAR(time.loadS, 1.5339, 5e-5);
    EXPECT_DOUBLE_EQ(time.computeS,
                     computeS(llama, compute, 40'000, 0) - computeS(llama, compute, 32'768, 0));
    EXPECT_DOUBLE_EQ(time.ttftS, 0.04 + time.loadS + time.computeS);
    EXPECT_DOUBLE_EQ(time.recomputeS, 0.04 + computeS(llama, compute, 40'000, 0));
    const PromptTime cold = promptTimeOf(llama, compute, nvme, 40'000, 0);
    EXPECT_EQ(cold.ttftS, cold.recomputeS);
}

TEST(KvLayout, CopiesOfTensorParallelism) {
    KvLayout qwen = layoutOf("qwen3-235b-a22b");
    qwen.tensorParallel = 8;
    EXPECT_DOUBLE_EQ(qwen.bytesOf(32'768), 2 * 192'512.0 * 32'768); // Mooncake's table: 12.62 GB
    KvLayout next = layoutOf("qwen3-next-80b-a3b");
    next.tensorParallel = 4;
    EXPECT_DOUBLE_EQ(next.bytesOf(1000), 2 * 24'576.0 * 1000 + 77'266'944) << "states are not copied";
    next.bytesPerValue = 1;
    EXPECT_DOUBLE_EQ(next.bytesPerToken(), 24'576);
}

TEST(WeightsTouched, GrowWithTheBatch) {
    const CacheModel& moe = *findCacheModel("qwen3-coder-480b-a35b");
    EXPECT_NEAR(weightsTouched(moe, 1), 35e9, 1);
    EXPECT_NEAR(weightsTouched(moe, 2), 35e9 + (480e9 - 35e9) * 0.05, 1);
    EXPECT_NEAR(weightsTouched(moe, 1e6), 480e9, 1);
    EXPECT_EQ(weightsTouched(*findCacheModel("llama-3.3-70b"), 64), 70.6e9);
    for (const CacheModel& model : cacheModels()) {
        EXPECT_GE(model.totalParameters, model.activeParameters) << model.key;
        EXPECT_EQ(model.experts > 0, model.expertsPerToken > 0) << model.key;
        EXPECT_EQ(model.experts > 0, !model.expertsSource.empty()) << model.key;
    }
}

TEST(WeightsTouched, TotalsAreTheReferences) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/models.json");
    const auto models = nlohmann::json::parse(text).at("models");
    std::size_t compared = 0;
    for (const CacheModel& model : cacheModels()) {
        if (!models.contains(std::string(model.key))) {
            continue;
        }
        ++compared;
        const auto& row = models.at(std::string(model.key));
        EXPECT_DOUBLE_EQ(model.totalParameters, row.at("total_b").get<double>() * 1e9) << model.key;
        EXPECT_DOUBLE_EQ(model.activeParameters, row.at("active_b").get<double>() * 1e9) << model.key;
    }
    EXPECT_EQ(compared, models.size());
}

} // namespace
} // namespace loadline
