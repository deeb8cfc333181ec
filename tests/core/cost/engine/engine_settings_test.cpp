// Versions of vLLM, their defaults, and the choice of expert kernels.
#include "core/cost/engine/engine_settings.h"

#include "core/cost/engine/expert_backend.h"
#include "core/cost/engine/small_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

EngineVersion version(std::string_view text) {
    return engineVersionFrom(text).value_or(EngineVersion{.major = -1});
}

TEST(EngineVersion, comparesAsNumbers) {
    EXPECT_EQ(version("0.10.2"), (EngineVersion{.major = 0, .minor = 10, .patch = 2}));
    EXPECT_LT(version("0.9.1"), version("0.10.2"));
    EXPECT_EQ(version("v0.19"), version("0.19.0"));
    EXPECT_EQ(version("0.12.0rc1"), version("0.12.0"));
    EXPECT_EQ(version("0.19.0+cu128"), version("0.19.0"));
    EXPECT_GT(version("nightly-5b8c30d62b754b57"), version("1.5.0"));
}

TEST(EngineVersion, otherTextsAreNone) {
    for (const char* text : {"", "0", "latest", "0.", "-1.2", "0.x", "rc1.2", "99999999.1"}) {
        EXPECT_FALSE(engineVersionFrom(text)) << text;
    }
}

TEST(EngineDefaults, changeAtVersions) {
    EXPECT_TRUE(std::ranges::is_sorted(engineDefaults(), {}, &EngineDefault::since));
    for (const EngineDefault& row : engineDefaults()) {
        EXPECT_FALSE(row.source.empty());
    }
    EXPECT_EQ(engineDefaultOf(version("0.10.2")).graphs, GraphMode::Piecewise);
    EXPECT_EQ(engineDefaultOf(version("0.11.0")).graphs, GraphMode::FullAndPiecewise);
    EXPECT_EQ(engineDefaultOf(version("0.11.0")).fineCaptureUpTo, 0);
    EXPECT_EQ(engineDefaultOf(version("0.12.0")).fineCaptureUpTo, 256);
    EXPECT_FALSE(engineDefaultOf(version("0.13.0")).asyncScheduling);
    EXPECT_TRUE(engineDefaultOf(version("0.14.0")).asyncScheduling);
    EXPECT_EQ(qkNormReducesOf(version("0.13.0")), 2);
    EXPECT_EQ(qkNormReducesOf(newestVersion), 1);
}

TEST(EngineDefaults, graphsReachTwiceTheSequences) {
    EXPECT_EQ(defaultCudagraphMax(4, 8192), 8);
    EXPECT_EQ(defaultCudagraphMax(1024, 8192), 512);
    EXPECT_EQ(defaultCudagraphMax(1024, 100), 100);
    const EngineSettings settings = engineSettingsOf(version("0.10.2"), 8192, 64);
    EXPECT_EQ(settings.cudagraphMax, 128);
    EXPECT_EQ(settings.graphs, GraphMode::Piecewise);
    EXPECT_FALSE(settings.asyncScheduling);
}

TEST(EngineSettings, wordsAreVllms) {
    EXPECT_EQ(kvTypeFrom("bfloat16"), KvType::Bf16);
    EXPECT_EQ(graphModeFrom("full_decode_only"), GraphMode::FullDecodeOnly);
    EXPECT_EQ(reduceFusionFrom("script+attn"), ReduceFusion::ScriptWithAttention);
    EXPECT_FALSE(kvTypeFrom("fp7"));
    EXPECT_FALSE(graphModeFrom(""));
}

TEST(ExpertBackend, followsFormatGenerationAndVersion) {
    EXPECT_EQ(expertBackendOf("w4a16_mxfp4", GpuGeneration::Hopper, version("0.10.2")),
              ExpertBackend::Marlin);
    EXPECT_EQ(expertBackendOf("w4a16_mxfp4", GpuGeneration::BlackwellDataCentre, newestVersion),
              ExpertBackend::Table);
    EXPECT_EQ(expertBackendOf("fp8_block", GpuGeneration::Hopper, version("0.16.0")),
              ExpertBackend::FlashInferCutlass);
    EXPECT_EQ(expertBackendOf("fp8_block", GpuGeneration::Hopper, version("0.17.0")), ExpertBackend::Table);
    EXPECT_EQ(expertBackendOf("fp8_block", GpuGeneration::Hopper, version("0.14.1")), ExpertBackend::Table);
    EXPECT_EQ(expertBackendOf("nvfp4", GpuGeneration::BlackwellDataCentre, version("0.16.0")),
              ExpertBackend::Table);
}

} // namespace
} // namespace loadline
