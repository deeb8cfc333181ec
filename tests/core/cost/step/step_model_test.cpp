// Steps of known models, out of the atlas that comes with the program.
#include "core/cost/step/step_model.h"

#include "core/cost/engine/constants.h"
#include "tests/core/cost/step/shipped_surfaces.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace loadline {
namespace {

StepSetup llama70(int gpus) {
    return {.model = *findShapePreset("llama-3.1-70b"), .tensorParallel = gpus, .weightFormat = "fp8"};
}

std::unique_ptr<StepModel> stepModel(const StepSetup& setup) {
    auto made = StepModel::make(shippedH200(), setup);
    EXPECT_TRUE(made) << made.error().what;
    return made ? std::move(*made) : nullptr;
}

TEST(StepModel, ASumOfItsTables) {
    const auto model = stepModel(llama70(1));
    const StepBreakdown parts = model->parts(decodeOf(16, 2000, 16));
    const GemmSurface& fp8 = **shippedH200()->gemms("fp8");
    const double attention = fp8.curveOf(10240, 8192).at(16).us + fp8.curveOf(8192, 8192).at(16).us;
    EXPECT_NEAR(parts.of(ServedPart::AttentionGemms), 80 * attention, 1e-6);
    const double dense = fp8.curveOf(57344, 8192).at(16).us + fp8.curveOf(8192, 28672).at(16).us;
    EXPECT_NEAR(parts.of(ServedPart::FeedForward), 80 * dense, 1e-6);
    const DecodeSurface& decode = **shippedH200()->decode();
    const DecodeCurves* const curves =
        decode.find({.kv = "bfloat16", .heads = 64, .kvHeads = 8, .headDim = 128, .window = 0});
    ASSERT_NE(curves, nullptr);
    EXPECT_NEAR(parts.of(ServedPart::Decode), 80 * curves->at(16, 2000).us, 1e-6);
    EXPECT_EQ(parts.of(ServedPart::AllReduce), 0);
    // 2 norms, rotary embedding, KV write, activation and quantising, and the bytes of 16 rows.
    const double bytes = 16 * (16.0 * 8192 + 3.0 * 57344 + 4.0 * (64 + 8) * 128);
    EXPECT_NEAR(parts.of(ServedPart::SmallKernels),
                80 * (6 * constant::smallKernelUs.value + bytes / (0.8 * 4.8e6)), 1e-6);
}

TEST(StepModel, NormsOfQAndKAreTwoKernelsALayer) {
    StepSetup setup{.model = *findShapePreset("qwen3-32b"), .tensorParallel = 4};
    ASSERT_TRUE(setup.model.qkNormWithinHead);
    const double with = stepModel(setup)->parts(decodeOf(16, 2000, 16)).of(ServedPart::SmallKernels);
    setup.model.qkNormWithinHead = false;
    const double without = stepModel(setup)->parts(decodeOf(16, 2000, 16)).of(ServedPart::SmallKernels);
    const double bytes = 16 * 4.0 * (16 + 2) * 128; // of 16 query heads and 2 KV heads, read and written
    EXPECT_NEAR(with - without, 64 * (2 * constant::smallKernelUs.value + bytes / (0.8 * 4.8e6)), 1e-6);
    for (const char* const key : {"qwen3-235b-a22b", "qwen3-coder-next"}) {
        EXPECT_TRUE(findShapePreset(key)->qkNormWithinHead) << key;
    }
    EXPECT_FALSE(llama70(1).model.qkNormWithinHead);
}

TEST(StepModel, ItsPartsAddUp) {
    const auto model = stepModel(llama70(4));
    StepWork mixed = decodeOf(12, 3000, 2060);
    mixed.chunks = {{.added = 2000, .cached = 0}, {.added = 48, .cached = 100'000}};
    mixed.rows = mixed.paddedRows = 2060;
    mixed.isCaptured = false;
    const StepBreakdown parts = model->parts(mixed);
    EXPECT_NEAR(parts.total(), model->us(mixed), 1e-6 * parts.total());
    double byReach = 0;
    for (const SurfaceReach reach : {SurfaceReach::Measured, SurfaceReach::Interpolated,
                                     SurfaceReach::Extrapolated, SurfaceReach::Modelled}) {
        byReach += parts.of(reach);
    }
    EXPECT_NEAR(byReach, parts.total(), 1e-6 * parts.total());
    EXPECT_GT(parts.of(SurfaceReach::Modelled), 0); // small kernels, and the chunk after its prefix
    EXPECT_GT(parts.of(ServedPart::Prefill), 0);
    EXPECT_GT(parts.of(ServedPart::AllReduce), 0);
}

TEST(StepModel, MoreGpusShareTheWork) {
    double before = 1e12;
    for (const int gpus : {1, 2, 4, 8}) {
        const double us = stepModel(llama70(gpus))->us(decodeOf(32, 4000, 32));
        EXPECT_LT(us, before) << gpus;
        before = us;
    }
}

TEST(StepModel, AStepGrowsWithItsContextAndRows) {
    const auto model = stepModel(llama70(4));
    EXPECT_LT(model->us(decodeOf(8, 1000, 8)), model->us(decodeOf(8, 50'000, 8)));
    EXPECT_LT(model->us(decodeOf(8, 1000, 8)), model->us(decodeOf(128, 1000, 128)));
    EXPECT_EQ(model->us(decodeOf(8, 1000, 8)), model->us(decodeOf(8, 1000, 8)));
}

TEST(StepModel, Mxfp4ExpertsOnHopperAreMarlins) {
    StepSetup setup{.model = *findShapePreset("gpt-oss-120b"),
                    .tensorParallel = 2,
                    .moeTensorParallel = 2,
                    .weightFormat = "bf16",
                    .expertFormat = "w4a16_mxfp4"};
    const ExpertSurface& experts = **shippedH200()->experts();
    const auto served = ServedExperts::make(experts, setup, shippedH200()->hardware());
    ASSERT_TRUE(served);
    EXPECT_EQ(served->backend(), ExpertBackend::Marlin);
    EXPECT_TRUE(served->padsHidden());
    EXPECT_EQ(served->at(8).reach, SurfaceReach::Modelled);
    // Half of 16 of 896 experts is the load of 4 of 128 at 8 x (4 / 128) / (16 / 896) tokens.
    const auto reference = experts.nearestExperts(
        {.dtype = "w4a16_mxfp4", .hidden = 3584, .inter = 3072, .topK = 16, .experts = 896, .tp = 2});
    ASSERT_TRUE(reference);
    const double weights = 128.0 * 3072 * 1536 / (896.0 * 3584 * 1536); // hidden padded to 256, width to 128
    EXPECT_NEAR(served->at(8).us, 25 + (reference->at(14).us - 60) * weights, 1e-9);
    setup.engine.version = newestVersion;
    setup.model = *findShapePreset("qwen3-235b-a22b");
    setup.expertFormat = "fp8_block";
    const auto others = ServedExperts::make(experts, setup, shippedH200()->hardware());
    ASSERT_TRUE(others) << others.error().what;
    EXPECT_EQ(others->backend(), ExpertBackend::Table);
    EXPECT_EQ(others->at(8).reach, SurfaceReach::Measured);
    setup.engine.version = {.major = 0, .minor = 16};
    const auto cutlass = ServedExperts::make(experts, setup, shippedH200()->hardware());
    ASSERT_TRUE(cutlass);
    EXPECT_DOUBLE_EQ(cutlass->at(8).us, 1.3 * others->at(8).us);
}

TEST(StepModel, SaysWhatItCannotServe) {
    const auto why = [](const StepSetup& setup) {
        const auto made = StepModel::make(shippedH200(), setup);
        return made ? std::string("served") : made.error().what;
    };
    EXPECT_NE(why(llama70(3)).find("3 GPUs"), std::string::npos) << why(llama70(3));
    StepSetup noFormat = llama70(1);
    noFormat.weightFormat = "nvfp4"; // Hopper has none
    EXPECT_NE(why(noFormat).find("nvfp4"), std::string::npos) << why(noFormat);
    const StepSetup mixed{.model = *findShapePreset("deepseek-v3"), .weightFormat = "fp8"}; // not by blocks
    EXPECT_NE(why(mixed).find("MLA with 128 heads a GPU, weights in fp8"), std::string::npos) << why(mixed);
    EXPECT_NE(why({.model = studyShapes()}).find("attention"), std::string::npos);
    StepSetup replicas{
        .model = *findShapePreset("qwen3-235b-a22b"), .dataParallel = 2, .moeTensorParallel = 2};
    EXPECT_NE(why(replicas).find("data-parallel"), std::string::npos) << why(replicas);
}

TEST(StepModel, KvBlocksAreWhatWeightsLeave) {
    const StepSetup setup = llama70(4);
    const auto model = stepModel(setup);
    const auto blocks = kvBlocksOf(setup, model->shard(), shippedH200()->hardware());
    ASSERT_TRUE(blocks);
    // 139.81 GiB x 0.9 less the weights, 0.13 e9 of rows, 1.94 e9 of logits, 1.12 e9 of graphs and 2.25 e9
    // outside, over 16 tokens of 80 layers x 2 x 2 heads x 128 x 2 bytes.
    const double left = 139.81 * 0.9 * 1073741824 - shardBytesOf(setup, model->shard()) - 0.134e9 - 1.944e9 -
                        1.117e9 - 2.255e9;
    EXPECT_NEAR(static_cast<double>(*blocks), left / (16.0 * 80 * 2 * 2 * 128 * 2), 10);
    StepSetup tooLarge = setup;
    tooLarge.tensorParallel = 1;
    tooLarge.weightFormat = "bf16";
    EXPECT_FALSE(kvBlocksOf(tooLarge, tooLarge.model, shippedH200()->hardware()));
}

} // namespace
} // namespace loadline
