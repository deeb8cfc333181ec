// Steps of models with latent (MLA) and linear attention: by hand over small tables, and out of the atlas
// that comes with the program.
#include "core/cost/engine/constants.h"
#include "core/cost/estimate/attention.h"
#include "core/cost/step/step_model.h"
#include "tests/core/cost/atlas/made_up_atlas.h"
#include "tests/core/cost/step/shipped_surfaces.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace loadline {
namespace {

constexpr double smallUs = constant::smallKernelUs.value;
constexpr double madeUpBytesPerUs = 0.8 * 1e9; // of 1e6 GB/s

/// A GPU of these tables, CSV by key.
std::shared_ptr<const AtlasSurfaces> madeUpGpu(const std::map<std::string, std::string>& csvs) {
    std::map<std::string, std::string> files;
    for (const auto& [key, csv] : csvs) {
        const AtlasKind kind = findAtlasKind(key)->kind;
        files[atlasFileName("made-up", kind)] = test::packedBytes(test::tableOf(csv, kind));
    }
    const AtlasShelf shelf{[files](const std::string& file) -> Result<std::string> {
        const auto found = files.find(file);
        return found != files.end() ? Result<std::string>(found->second)
                                    : Error{"cannot read the kernel table", file, ""};
    }};
    Hardware hardware;
    hardware.bandwidthGbS = 1e6; // no time is held to bytes
    return std::make_shared<const AtlasSurfaces>(std::make_shared<const Atlas>("made-up", shelf), hardware);
}

/// Two layers with 4 heads of DeepSeek-V3's MLA and nothing else.
ModelShapes latentOnly() {
    const MlaFacts sizes{
        .heads = 4, .queryRank = 1536, .kvRank = 512, .nopeDim = 128, .ropeDim = 64, .valueDim = 128};
    return {
        .key = "latent",
        .name = "Latent",
        .source = "made up",
        .gemms = {{.name = "qkv_latent", .size = {7168, 2112}, .layers = 2},
                  {.name = "q_from_latent", .size = {1536, 768}, .layers = 2},
                  {.name = "kv_from_latent", .size = {512, 1024}, .layers = 2},
                  {.name = "o", .size = {512, 7168}, .layers = 2}},
        .attention =
            AttentionFacts{
                .layers = 2, .fullLayers = 2, .qHeads = 4, .kvHeads = 1, .headDim = 160, .latentValues = 576},
        .hidden = 7168,
        .mla = sizes};
}

const std::shared_ptr<const AtlasSurfaces>& latentGpu() {
    static const std::string module = "deepseek-ai/DeepSeek-V3,bfloat16,bfloat16,";
    static const auto gpu = madeUpGpu(
        {{"gemm", "n,k,m,bf16_us\n2112,7168,1,10\n2112,7168,4,10\n2112,7168,16,12\n"
                  "768,1536,1,4\n768,1536,4,4\n768,1536,16,5\n1024,512,1,3\n1024,512,4,3\n1024,512,16,4\n"
                  "7168,512,1,6\n7168,512,4,6\n7168,512,16,7\n"},
         {"mla_decode", "model,gemm_type,kv,heads,tp,batch,kv_tokens,time_us\n" + module + "1,1,1,2,50\n" +
                            module + "1,1,1,1000,55\n" + module + "4,1,4,1000,60\n" + module +
                            "4,1,4,2000,80\n"},
         {"mla_prefill", "model,gemm_type,kv,heads,tp,batch,cached_tokens,new_tokens,time_us\n" + module +
                             "4,1,1,0,16,70\n" + module + "4,1,1,0,32,160\n"}});
    return gpu;
}

std::unique_ptr<StepModel> modelOn(const std::shared_ptr<const AtlasSurfaces>& gpu, const StepSetup& setup) {
    auto made = StepModel::make(gpu, setup);
    EXPECT_TRUE(made) << made.error().what;
    return made ? std::move(*made) : nullptr;
}

TEST(LatentSteps, DecodesTakeTheModulesTime) {
    const auto model = modelOn(latentGpu(), {.model = latentOnly()});
    ASSERT_NE(model, nullptr);
    StepWork work = decodeOf(4, 1000, 4);
    StepBreakdown parts = model->parts(work);
    // 1 head, 2 tokens: 50 us, of which 10 + 4 + 6 are projections and 8 small kernels: 12 us are left over.
    const double leftOver = 50 - 20 - 8 * smallUs;
    EXPECT_NEAR(parts.of(ServedPart::AttentionGemms), 2 * 20.0, 1e-9);
    EXPECT_NEAR(parts.of(ServedPart::Decode), 2 * (60 - 20 - leftOver), 1e-9);
    // 2 norms and an activation; 16 bytes of each hidden value.
    EXPECT_NEAR(parts.of(ServedPart::SmallKernels), 2 * (3 * smallUs + 4 * 16 * 7168 / madeUpBytesPerUs),
                1e-9);
    EXPECT_NEAR(parts.total(), model->us(work), 1e-9);
    // Padding costs projections alone.
    work.paddedRows = 16;
    parts = model->parts(work);
    EXPECT_NEAR(parts.of(ServedPart::AttentionGemms), 2 * 24.0, 1e-9);
    EXPECT_NEAR(parts.of(ServedPart::Decode), 2 * (60 - 20 - leftOver), 1e-9);
    // Halfway to the next measured context.
    EXPECT_NEAR(model->parts(decodeOf(4, 1500, 4)).of(ServedPart::Decode), 2 * (70 - 20 - leftOver), 1e-9);
}

TEST(LatentSteps, PromptsMakeKeysOfWhatIsCached) {
    const auto model = modelOn(latentGpu(), {.model = latentOnly()});
    ASSERT_NE(model, nullptr);
    const double leftOver = 50 - 20 - 8 * smallUs;
    const double alone = 70 - 24 - leftOver;
    EXPECT_NEAR(model->parts(prefillOf(16, 0)).of(ServedPart::Prefill), 2 * alone, 1e-9);
    // 4 us for the keys and values of 16 tokens; t / n grows from 70 / 16 to 160 / 32 in 16 tokens, for half
    // a pair each; 16 rows take a tile of 64.
    const double usPerPair = 2 * (160.0 / 32 - 70.0 / 16) / 16;
    EXPECT_NEAR(model->parts(prefillOf(16, 16)).of(ServedPart::Prefill),
                2 * (alone + 4 + usPerPair * 64 * 16), 1e-9);
    EXPECT_GT(model->parts(prefillOf(16, 16)).of(SurfaceReach::Modelled), 0);
}

TEST(LatentSteps, AModuleOfOtherSizesIsNotTaken) {
    ModelShapes other = latentOnly();
    other.mla->kvRank = 256;
    const auto made = StepModel::make(latentGpu(), {.model = other});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().what.find("MLA with 4 heads"), std::string::npos) << made.error().what;
}

/// Four layers, the last with attention to all tokens.
ModelShapes mostlyLinear() {
    return {.key = "linear",
            .name = "Linear",
            .source = "made up",
            .gemms = {{.name = "gdn_in_proj_qkvz", .size = {512, 768}, .layers = 3},
                      {.name = "o_proj", .size = {128, 512}}},
            .attention = AttentionFacts{.kind = AttentionKind::HybridLinear,
                                        .layers = 4,
                                        .fullLayers = 1,
                                        .qHeads = 2,
                                        .kvHeads = 1,
                                        .headDim = 64,
                                        .stateBytes = 1e6},
            .hidden = 512,
            .linear = LinearFacts{
                .kHeads = 1, .vHeads = 2, .kDim = 128, .vDim = 128, .convolution = 4, .period = 4}};
}

const std::shared_ptr<const AtlasSurfaces>& linearGpu() {
    static const auto gpu = madeUpGpu(
        {{"gemm", "n,k,m,bf16_us\n768,512,1,3\n768,512,8,4\n512,128,1,2\n512,128,8,2.5\n"},
         {"decode_attention", "kv,heads,kv_heads,head_dim,window,batch,kv_tokens,time_us\n"
                              "bfloat16,2,1,64,0,8,1000,20\nbfloat16,2,1,64,0,8,2000,30\n"},
         {"prefill_attention",
          "kv,heads,kv_heads,head_dim,window,cached_tokens,batch,new_tokens,attn_dtype,time_us\n"
          "bfloat16,2,1,64,0,0,1,8,bfloat16,5\nbfloat16,2,1,64,0,0,1,16,bfloat16,6\n"},
         {"gdn", "phase,kernel,model,k_heads,v_heads,k_dim,v_dim,conv,batch,new_tokens,time_us\n"
                 "context,conv,m,1,2,128,128,4,1,8,3\ncontext,rule,m,1,2,128,128,4,1,8,11\n"
                 "generation,update,m,1,2,128,128,4,4,1,2\ngeneration,step,m,1,2,128,128,4,4,1,5\n"
                 "generation,update,m,1,2,128,128,4,12,1,4\ngeneration,step,m,1,2,128,128,4,12,1,9\n"}});
    return gpu;
}

TEST(LinearSteps, AddLayersOfBothKinds) {
    const auto model = modelOn(linearGpu(), {.model = mostlyLinear()});
    ASSERT_NE(model, nullptr);
    const StepBreakdown parts = model->parts(decodeOf(8, 1000, 8));
    // 3 layers of (7 + 13) / 2 us between 4 and 12 sequences, 1 of 20 us.
    EXPECT_NEAR(parts.of(ServedPart::Decode), 3 * 10.0 + 20, 1e-9);
    EXPECT_NEAR(parts.of(ServedPart::AttentionGemms), 3 * 4 + 2.5, 1e-9);
    // Everywhere 2 norms and an activation; rotary embedding, KV write and a gate, or inputs and a norm.
    const double rowBytes = 16 * 512;
    const double linearBytes = 4 * (2 * 128 + 256) + 6 * 256;
    const double fullBytes = 4 * 3 * 64;
    EXPECT_NEAR(parts.of(ServedPart::SmallKernels),
                (3 * 5 + 6) * smallUs + 8 * (4 * rowBytes + 3 * linearBytes + fullBytes) / madeUpBytesPerUs,
                1e-9);
    // Linear attention does not see how much is in the cache.
    EXPECT_NEAR(model->parts(decodeOf(8, 2000, 8)).of(ServedPart::Decode), 3 * 10.0 + 30, 1e-9);
    EXPECT_NEAR(model->parts(prefillOf(8, 0)).of(ServedPart::Prefill), 3 * 14.0 + 5, 1e-9);
    EXPECT_NEAR(model->us(decodeOf(8, 1000, 8)), parts.total(), 1e-9);
}

TEST(LinearSteps, SaysWhatIsMissing) {
    ModelShapes unknown = mostlyLinear();
    unknown.linear.reset();
    const auto made = StepModel::make(linearGpu(), {.model = unknown});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().what.find("linear attention"), std::string::npos) << made.error().what;
    EXPECT_FALSE(StepModel::make(latentGpu(), {.model = mostlyLinear()})); // no gdn table
}

TEST(LinearSteps, CoderNextIsFasterOnMoreGpus) {
    for (const auto& [gpu, hardware] : {std::pair("h100-sxm", "H100-SXM"), std::pair("h200-sxm", "H200-SXM"),
                                        std::pair("b200-sxm", "B200-HGX")}) {
        const auto surfaces = shippedSurfaces(gpu, hardware);
        for (const char* const format : {"bf16", "fp8_block"}) {
            double before = 1e12;
            for (const int gpus : {1, 2, 4, 8}) {
                const auto model = modelOn(surfaces, {.model = *findShapePreset("qwen3-coder-next"),
                                                      .tensorParallel = gpus,
                                                      .moeTensorParallel = gpus,
                                                      .weightFormat = format,
                                                      .expertFormat = format});
                ASSERT_NE(model, nullptr) << gpu << ' ' << gpus;
                // At 64 rows lone cells of fp8_block hold more than twice their neighbours' launches.
                const double us = model->us(decodeOf(32, 4000, 32));
                EXPECT_LT(us, before) << gpu << ' ' << gpus;
                EXPECT_GT(us, 1000) << gpu << ' ' << gpus;
                EXPECT_GT(model->us(prefillOf(2048, 30'000)), model->us(prefillOf(2048, 0)));
                before = us;
            }
        }
    }
}

TEST(LatentSteps, DeepSeekV3OnEightGpus) {
    StepSetup setup{.model = *findShapePreset("deepseek-v3"),
                    .tensorParallel = 8,
                    .moeTensorParallel = 8,
                    .weightFormat = "fp8_block",
                    .expertFormat = "fp8_block"};
    setup.engine.version = {.major = 0, .minor = 19};
    const auto model = modelOn(shippedH200(), setup);
    ASSERT_NE(model, nullptr);
    const StepBreakdown parts = model->parts(decodeOf(32, 4000, 32));
    EXPECT_GT(parts.total(), 10'000); // 37e9 weights of a row over 8 GPUs take 1 ms to read
    EXPECT_LT(parts.total(), 60'000);
    const BatchCurves* const module =
        (*shippedH200()->latentDecode())
            ->find(
                {.model = "deepseek-ai/DeepSeek-V3", .gemmType = "fp8_block", .kv = "bfloat16", .heads = 16});
    ASSERT_NE(module, nullptr);
    const double attention = parts.of(ServedPart::AttentionGemms) + parts.of(ServedPart::Decode);
    EXPECT_LE(attention, 61 * module->at(32, 4000).us * (1 + 1e-9)); // nothing is counted twice
    EXPECT_GT(attention, 0.4 * 61 * module->at(32, 4000).us);
    const auto onH100 = modelOn(shippedSurfaces("h100-sxm", "H100-SXM"), setup);
    ASSERT_NE(onH100, nullptr);
    const double us = onH100->us(decodeOf(32, 4000, 32));
    EXPECT_GT(us, parts.total());
    EXPECT_LT(us, 1.4 * parts.total()); // as their bandwidths are 3.35 to 4.8
    EXPECT_LT(model->us(decodeOf(32, 4000, 32)), model->us(decodeOf(32, 100'000, 32)));
    // A token's latent of 576 values in 61 layers, on every GPU.
    EXPECT_EQ(kvBytesPerToken(*model->shard().attention), 61.0 * 576 * 2);
}

TEST(LatentSteps, TheA100sAttentionAloneIsNotTaken) {
    const auto made = StepModel::make(
        shippedSurfaces("a100-sxm", "A100-SXM-80"),
        {.model = *findShapePreset("deepseek-v3"), .tensorParallel = 8, .moeTensorParallel = 8});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().what.find("attention alone"), std::string::npos) << made.error().what;
}

} // namespace
} // namespace loadline
