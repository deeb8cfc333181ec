// Shards of models: by hand, in sum, and refused.
#include "core/cost/shapes/shard.h"

#include "core/cost/estimate/attention.h"
#include "core/cost/shapes/shapes_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace loadline {
namespace {

const ModelShapes& presetOf(const char* key) {
    return *findShapePreset(key);
}

ModelShapes shardOfPreset(const char* key, Parallel parallel) {
    const Result<ModelShapes> shard = shardOf(presetOf(key), parallel);
    EXPECT_TRUE(shard) << (shard ? "" : shard.error().sentence());
    return shard ? *shard : ModelShapes();
}

const LayerGemm& gemmOf(const ModelShapes& model, std::string_view name) {
    const auto found = std::ranges::find(model.gemms, name, &LayerGemm::name);
    EXPECT_NE(found, model.gemms.end()) << name;
    return *found;
}

/// Query heads, KV heads and bytes of a token in a bf16 cache, of one GPU.
struct HeadsOfShard {
    const char* key;
    int tensor, qHeads, kvHeads;
    double kvBytes;
};

constexpr HeadsOfShard headsByHand[] = {
    {"llama-3.1-8b", 1, 32, 8, 131072},    {"llama-3.1-8b", 2, 16, 4, 65536},
    {"llama-3.1-8b", 4, 8, 2, 32768},      {"llama-3.1-8b", 8, 4, 1, 16384},
    {"llama-3.1-8b", 16, 2, 1, 16384},     {"llama-3.1-70b", 1, 64, 8, 327680},
    {"llama-3.1-70b", 2, 32, 4, 163840},   {"llama-3.1-70b", 4, 16, 2, 81920},
    {"llama-3.1-70b", 8, 8, 1, 40960},     {"llama-3.1-70b", 64, 1, 1, 40960},
    {"qwen3-32b", 1, 64, 8, 262144},       {"qwen3-32b", 2, 32, 4, 131072},
    {"qwen3-32b", 4, 16, 2, 65536},        {"qwen3-32b", 8, 8, 1, 32768},
    {"qwen3-coder-next", 1, 16, 2, 24576}, {"qwen3-coder-next", 2, 8, 1, 12288},
    {"qwen3-coder-next", 4, 4, 1, 12288},  {"qwen3-coder-next", 8, 2, 1, 12288},
    {"gpt-oss-20b", 1, 64, 8, 24576},      {"gpt-oss-20b", 8, 8, 1, 3072},
    {"gpt-oss-120b", 1, 64, 8, 36864},     {"gpt-oss-120b", 2, 32, 4, 18432},
    {"gpt-oss-120b", 4, 16, 2, 9216},      {"gpt-oss-120b", 8, 8, 1, 4608},
    {"gemma-3-12b", 1, 16, 8, 65536},      {"gemma-3-12b", 2, 8, 4, 32768},
    {"gemma-3-12b", 16, 1, 1, 8192},       {"smollm2-135m", 1, 9, 3, 23040},
    {"smollm2-135m", 3, 3, 1, 7680},       {"qwen3-235b-a22b", 1, 64, 4, 192512},
    {"qwen3-235b-a22b", 2, 32, 2, 96256},  {"qwen3-235b-a22b", 4, 16, 1, 48128},
    {"qwen3-235b-a22b", 8, 8, 1, 48128},   {"minimax-m2.5", 1, 48, 8, 253952},
    {"minimax-m2.5", 2, 24, 4, 126976},    {"minimax-m2.5", 4, 12, 2, 63488},
    {"minimax-m2.5", 8, 6, 1, 31744},      {"minimax-m2.5", 16, 3, 1, 31744},
    {"deepseek-v3", 1, 128, 1, 70272},     {"deepseek-v3", 4, 32, 1, 70272},
    {"deepseek-v3", 8, 16, 1, 70272},      {"kimi-k2.5", 1, 64, 1, 70272},
    {"kimi-k2.5", 4, 16, 1, 70272},        {"kimi-k2.5", 8, 8, 1, 70272},
};

TEST(Shard, HasItsShareOfTheHeads) {
    for (const auto& [key, tensor, qHeads, kvHeads, kvBytes] : headsByHand) {
        const ModelShapes shard = shardOfPreset(key, {.tensor = tensor});
        ASSERT_TRUE(shard.attention);
        EXPECT_EQ(shard.attention->qHeads, qHeads) << key << ' ' << tensor;
        EXPECT_EQ(shard.attention->kvHeads, kvHeads) << key << ' ' << tensor;
        EXPECT_EQ(kvBytesPerToken(*shard.attention), kvBytes) << key << ' ' << tensor;
        EXPECT_EQ(shard.attention->headDim, presetOf(key).attention->headDim);
        EXPECT_FALSE(problemOf(shard)) << key << ' ' << tensor << ": " << *problemOf(shard);
    }
}

struct GemmOfShard {
    const char* key = "";
    Parallel parallel;
    const char* gemm = "";
    GemmSize size;
    int experts = 0;
};

const GemmOfShard gemmsByHand[] = {
    {"llama-3.1-70b", {.tensor = 4}, "qkv", {8192, 2560}},
    {"llama-3.1-70b", {.tensor = 4}, "o", {2048, 8192}},
    {"llama-3.1-70b", {.tensor = 4}, "gateup", {8192, 14336}},
    {"llama-3.1-70b", {.tensor = 4}, "down", {7168, 8192}},
    {"llama-3.1-70b", {.tensor = 4}, "lm_head", {8192, 32064}},
    {"llama-3.1-70b", {.tensor = 16}, "qkv", {8192, 768}}, // 4 query heads, K and V of one
    {"qwen3-32b", {.tensor = 8}, "qkv", {5120, 1280}},
    {"gpt-oss-120b", {.tensor = 8}, "qkv", {2880, 640}},
    {"gpt-oss-120b", {.tensor = 8}, "experts_gateup", {2880, 720}, 128},
    {"gpt-oss-120b", {.tensor = 8}, "experts_down", {360, 2880}, 128},
    {"minimax-m2.5", {.tensor = 4}, "qkv", {3072, 2048}},
    {"minimax-m2.5", {.tensor = 16}, "qkv", {3072, 640}},
    {"minimax-m2.5", {.tensor = 4}, "o", {1536, 3072}},
    {"minimax-m2.5", {.tensor = 4}, "router", {3072, 256}},
    {"minimax-m2.5", {.tensor = 4}, "experts_gateup", {3072, 768}, 256},
    {"minimax-m2.5", {.tensor = 4}, "experts_down", {384, 3072}, 256},
    {"minimax-m2.5", {.tensor = 4, .expert = 4}, "qkv", {3072, 2048}},
    {"minimax-m2.5", {.tensor = 4, .expert = 4}, "router", {3072, 256}},
    {"minimax-m2.5", {.tensor = 4, .expert = 4}, "experts_gateup", {3072, 3072}, 64},
    {"minimax-m2.5", {.tensor = 4, .expert = 4}, "experts_down", {1536, 3072}, 64},
    {"minimax-m2.5", {.tensor = 1, .expert = 2}, "qkv", {3072, 8192}}, // two replicas share the experts
    {"minimax-m2.5", {.tensor = 1, .expert = 2}, "experts_down", {1536, 3072}, 128},
    {"qwen3-coder-next", {.tensor = 4}, "gdn_in_proj_qkvz", {2048, 3072}},
    {"qwen3-coder-next", {.tensor = 4}, "gdn_in_proj_ba", {2048, 16}},
    {"qwen3-coder-next", {.tensor = 4}, "gdn_out_proj", {1024, 2048}},
    {"qwen3-coder-next", {.tensor = 4}, "q_proj_gate", {2048, 2048}},
    {"qwen3-coder-next", {.tensor = 2}, "k_v_proj", {2048, 256}},
    {"qwen3-coder-next", {.tensor = 4}, "k_v_proj", {2048, 256}}, // a copy
    {"qwen3-coder-next", {.tensor = 4}, "o_proj", {1024, 2048}},
    {"qwen3-coder-next", {.tensor = 4}, "shared_gateup", {2048, 256}},
    {"qwen3-coder-next", {.tensor = 4}, "shared_down", {128, 2048}},
    {"qwen3-coder-next", {.tensor = 4, .expert = 4}, "shared_down", {128, 2048}},
    {"deepseek-v3", {.tensor = 8}, "qkv_latent", {7168, 2112}},
    {"deepseek-v3", {.tensor = 8}, "q_from_latent", {1536, 3072}},
    {"deepseek-v3", {.tensor = 8}, "kv_from_latent", {512, 4096}},
    {"deepseek-v3", {.tensor = 8}, "o", {2048, 7168}},
    {"deepseek-v3", {.tensor = 8}, "gateup", {7168, 4608}},
    {"deepseek-v3", {.tensor = 8}, "down", {2304, 7168}},
    {"deepseek-v3", {.tensor = 8, .expert = 8}, "experts_gateup", {7168, 4096}, 32},
    {"deepseek-v3", {.tensor = 1, .expert = 32}, "experts_gateup", {7168, 4096}, 8},
    {"kimi-k2.5", {.tensor = 4}, "experts_gateup", {7168, 1024}, 384},
    {"kimi-k2.5", {.tensor = 4, .expert = 4}, "experts_down", {2048, 7168}, 96},
};

TEST(Shard, HasItsShareOfTheWeights) {
    for (const auto& [key, parallel, name, size, experts] : gemmsByHand) {
        SCOPED_TRACE(testing::Message()
                     << key << ' ' << parallel.tensor << ' ' << parallel.expert << ' ' << name);
        const ModelShapes shard = shardOfPreset(key, parallel);
        const LayerGemm& gemm = gemmOf(shard, name);
        const LayerGemm& whole = gemmOf(presetOf(key), name);
        EXPECT_EQ(gemm.size, size) << textOf(gemm.size);
        EXPECT_EQ(gemm.experts, experts);
        EXPECT_EQ(gemm.experts + gemm.expertsElsewhere, whole.experts);
        EXPECT_EQ(gemm.expertsPerRow, whole.expertsPerRow);
        EXPECT_EQ(gemm.calls(), whole.calls());
    }
}

TEST(Shard, FactsAreThoseOfOneGpu) {
    const ModelShapes latent = shardOfPreset("deepseek-v3", {.tensor = 8});
    EXPECT_EQ(latent.mla->heads, 16);
    EXPECT_EQ(latent.mla->kvRank, 512);
    EXPECT_EQ(latent.attention->latentValues, 576);
    EXPECT_EQ(latent.experts->width, 256);
    EXPECT_EQ(latent.experts->sharedWidth, 256);
    EXPECT_EQ(latent.experts->experts, 256);
    EXPECT_EQ(latent.vocabulary, 16160);
    EXPECT_EQ(latent.hidden, 7168);
    EXPECT_EQ(latent.embeddingWeights, std::int64_t{7168} * 16160);
    const ModelShapes spread = shardOfPreset("deepseek-v3", {.tensor = 8, .expert = 8});
    EXPECT_EQ(spread.experts->width, 2048);
    EXPECT_EQ(spread.experts->sharedWidth, 256);
    EXPECT_EQ(spread.experts->experts, 32);
    const ModelShapes linear = shardOfPreset("qwen3-coder-next", {.tensor = 4});
    EXPECT_EQ(linear.linear->kHeads, 4);
    EXPECT_EQ(linear.linear->vHeads, 8);
    EXPECT_EQ(linear.linear->kDim, 128);
    EXPECT_EQ(linear.attention->stateBytes, 77266944.0 / 4);
}

TEST(Shard, OfOneGpuIsTheModel) {
    for (const ModelShapes& preset : shapePresets()) {
        const Result<ModelShapes> shard = shardOf(preset, {});
        ASSERT_TRUE(shard) << preset.key;
        EXPECT_EQ(*shard, preset) << preset.key;
    }
    const ModelShapes odd{.key = "odd",
                          .name = "",
                          .source = "",
                          .gemms = {{.name = "mine", .size = {7, 11}}},
                          .attention = std::nullopt,
                          .vocabulary = 50257};
    EXPECT_EQ(*shardOf(odd, {}), odd);
}

/// Weights of the shards of all GPUs that are more than one GPU's copy of the whole.
double copiesOf(const LayerGemm& gemm, const ModelShapes& model, int tensor) {
    switch (weightCutOf(gemm).value()) {
    case WeightCut::Whole:
        return (tensor - 1) * gemm.size.elements();
    case WeightCut::KvHeads: {
        const AttentionFacts& facts = *model.attention;
        const std::int64_t kv = std::min<std::int64_t>(gemm.size.n, 2 * facts.kvHeads * facts.headDim);
        const std::int64_t ofHead = kv / facts.kvHeads;
        return static_cast<double>(gemm.size.k * ofHead * std::max(tensor - facts.kvHeads, 0));
    }
    default:
        return 0;
    }
}

TEST(Shard, AllTogetherAreTheModelCopiesAside) {
    for (const ModelShapes& model : shapePresets()) {
        for (const int tensor : tensorSizesOf(model)) {
            const ModelShapes shard = *shardOf(model, {.tensor = tensor});
            ASSERT_EQ(shard.gemms.size(), model.gemms.size());
            for (std::size_t i = 0; i < model.gemms.size(); ++i) {
                const LayerGemm& whole = model.gemms[i];
                const double copies = tensor > 1 ? copiesOf(whole, model, tensor) : 0;
                EXPECT_EQ(tensor * shard.gemms[i].size.elements(), whole.size.elements() + copies)
                    << model.key << ' ' << tensor << ' ' << whole.name;
            }
            EXPECT_EQ(tensor * shard.embeddingWeights, model.embeddingWeights) << model.key << ' ' << tensor;
            EXPECT_FALSE(problemOf(shard)) << model.key << ' ' << tensor;
        }
    }
}

TEST(Shard, WithExpertParallelismEveryExpertIsHeldOnce) {
    for (const char* key : {"qwen3-coder-next", "gpt-oss-120b", "qwen3-235b-a22b", "minimax-m2.5",
                            "deepseek-v3", "kimi-k2.5"}) {
        const ModelShapes& model = presetOf(key);
        for (const Parallel parallel : {Parallel{1, 2}, {2, 2}, {4, 4}, {8, 8}, {2, 8}, {1, 16}}) {
            const ModelShapes spread = shardOfPreset(key, parallel);
            const ModelShapes cut = shardOfPreset(key, {.tensor = parallel.tensor});
            for (std::size_t i = 0; i < model.gemms.size(); ++i) {
                const LayerGemm& gemm = spread.gemms[i];
                if (gemm.grouped()) {
                    EXPECT_EQ(gemm.size, model.gemms[i].size);
                    EXPECT_EQ(gemm.experts * parallel.expert, model.gemms[i].experts);
                } else {
                    EXPECT_EQ(gemm, cut.gemms[i]);
                }
            }
        }
    }
}

TEST(Shard, RowsMeetTheExpertsHereAsOftenAsInTheWholeModel) {
    const LayerGemm& whole = gemmOf(presetOf("minimax-m2.5"), "experts_down");
    const ModelShapes shard = shardOfPreset("minimax-m2.5", {.tensor = 4, .expert = 4});
    const LayerGemm& here = gemmOf(shard, "experts_down");
    for (double rows = 1; rows < 1e5; rows *= 3) {
        const ExpertLoad all = expertLoad(whole, rows);
        const ExpertLoad mine = expertLoad(here, rows);
        EXPECT_NEAR(4 * mine.activeExperts, all.activeExperts, 1e-9 * all.activeExperts);
        EXPECT_NEAR(mine.rowsPerExpert, all.rowsPerExpert, 1e-9 * all.rowsPerExpert);
    }
    const double dense = weightsPerRow(shardOfPreset("minimax-m2.5", {.tensor = 4})) -
                         weightsPerRow(presetOf("minimax-m2.5")) / 4;
    EXPECT_NEAR(weightsPerRow(shard) - weightsPerRow(presetOf("minimax-m2.5")) / 4, dense, 1)
        << "a quarter of the experts' work in either way";
}

TEST(Shard, OfAShardIsTheSmallerShard) {
    for (const char* key : {"llama-3.1-70b", "qwen3-32b", "gpt-oss-120b", "gemma-3-12b", "qwen3-235b-a22b",
                            "minimax-m2.5", "deepseek-v3", "kimi-k2.5"}) {
        const ModelShapes half = shardOfPreset(key, {.tensor = 2});
        const Result<ModelShapes> quarter = shardOf(half, {.tensor = 2});
        ASSERT_TRUE(quarter) << quarter.error().sentence();
        EXPECT_EQ(*quarter, shardOfPreset(key, {.tensor = 4})) << key;
    }
}

TEST(Shard, SizesThatTheHeadsAllow) {
    using Sizes = std::vector<int>;
    const auto sizesOf = [](const char* key) { return tensorSizesOf(presetOf(key)); };
    EXPECT_EQ(sizesOf("llama-3.1-8b"), (Sizes{1, 2, 4, 8, 16, 32}));
    EXPECT_EQ(sizesOf("llama-3.1-70b"), (Sizes{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(sizesOf("qwen3-32b"), (Sizes{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(sizesOf("qwen3-coder-next"), (Sizes{1, 2, 4, 8, 16}));
    EXPECT_EQ(sizesOf("gpt-oss-120b"), (Sizes{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(sizesOf("gemma-3-12b"), (Sizes{1, 2, 4, 8, 16}));
    EXPECT_EQ(sizesOf("smollm2-135m"), (Sizes{1, 3}));
    EXPECT_EQ(sizesOf("qwen3-235b-a22b"), (Sizes{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(sizesOf("minimax-m2.5"), (Sizes{1, 2, 4, 8, 16, 24, 48}));
    EXPECT_EQ(sizesOf("deepseek-v3"), (Sizes{1, 2, 4, 8, 16, 32, 64, 128}));
    EXPECT_EQ(sizesOf("kimi-k2.5"), (Sizes{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(sizesOf("study"), (Sizes{1}));
}

struct RefusedShard {
    const char* key = "";
    Parallel parallel;
    const char* what = "";
    const char* remedy = "";
};

constexpr RefusedShard refusedShards[] = {
    {"llama-3.1-70b",
     {.tensor = 3},
     "Llama-3.1-70B has 64 query heads, which 3 GPUs cannot share evenly",
     "a tensor parallel size of 1, 2, 4, 8, 16, 32 or 64"},
    {"minimax-m2.5",
     {.tensor = 6},
     "MiniMax-M2.5 has 8 KV heads, which 6 GPUs cannot share evenly",
     "a tensor parallel size of 1, 2, 4, 8, 16, 24 or 48"},
    {"minimax-m2.5",
     {.tensor = 12},
     "MiniMax-M2.5 has 8 KV heads, of which 12 GPUs cannot hold equally many copies",
     "a tensor parallel size of 1, 2, 4, 8, 16, 24 or 48"},
    {"smollm2-135m",
     {.tensor = 9},
     "SmolLM2-135M has 1536 columns of gateup, which 9 GPUs cannot share evenly",
     "a tensor parallel size of 1 or 3"},
    {"deepseek-v3",
     {.tensor = 256},
     "DeepSeek-V3 has 128 query heads, which 256 GPUs cannot share evenly",
     "a tensor parallel size of 1, 2, 4, 8, 16, 32, 64 or 128"},
    {"study",
     {.tensor = 2},
     "the attention heads of Study shapes are not known, so GPUs cannot share them",
     "a tensor parallel size of 1"},
    {"llama-3.1-8b", {.tensor = 0}, "the tensor parallel size is 0", "1 to 1024"},
    {"llama-3.1-8b", {.tensor = 4, .expert = -1}, "the expert parallel size is -1", "1 to 1024"},
    {"llama-3.1-8b", {.tensor = 1025}, "the tensor parallel size is 1025", "1 to 1024"},
    {"llama-3.1-8b",
     {.tensor = 4, .expert = 4},
     "Llama-3.1-8B has no experts that GPUs could share",
     "an expert parallel size of 1"},
    {"gpt-oss-20b",
     {.tensor = 8, .expert = 4},
     "an expert parallel size of 4 is no multiple of the tensor parallel size 8",
     "an expert parallel size of 1, 8, 16 or 32"},
    {"gpt-oss-20b",
     {.tensor = 2, .expert = 6},
     "gpt-oss-20b has 32 experts, which 6 GPUs cannot share evenly",
     "an expert parallel size of 1, 2, 4, 8, 16 or 32"},
};

TEST(Shard, OfASizeThatTheModelDoesNotAllowIsRefused) {
    for (const auto& [key, parallel, what, remedy] : refusedShards) {
        const Result<ModelShapes> shard = shardOf(presetOf(key), parallel);
        ASSERT_FALSE(shard) << what;
        EXPECT_EQ(shard.error().what, what);
        EXPECT_EQ(shard.error().remedy, remedy);
    }
}

TEST(Shard, VocabulariesArePaddedBeforeTheyAreDivided) {
    EXPECT_EQ(paddedVocabulary(50257), 50304);
    EXPECT_EQ(paddedVocabulary(128256), 128256);
    EXPECT_EQ(paddedVocabulary(0), 0);
    ModelShapes model = presetOf("llama-3.1-8b");
    model.gemms.back().size.n = model.vocabulary = 50257;
    model.embeddingWeights = model.hidden * model.vocabulary;
    const ModelShapes shard = *shardOf(model, {.tensor = 8});
    EXPECT_EQ(shard.gemms.back().size.n, 6288);
    EXPECT_EQ(shard.vocabulary, 6288);
    EXPECT_EQ(shard.embeddingWeights, 4096 * 6288);
    model.hidden = 0; // of an embedding whose sides are not known
    EXPECT_EQ(shardOf(model, {.tensor = 8})->embeddingWeights, std::int64_t{4096} * 50257 / 8);
}

TEST(Shard, GemmsOfOtherNamesSayTheirPart) {
    const auto read = [](const std::string& more) {
        return *shapesFromJson(R"({"schema": "loadline.shapes/1", "name": "m",
            "gemms": [{"name": "fc1", "shape": "64x256")" +
                                   more + R"(}],
            "attention": {"layers": 1, "q_heads": 8, "kv_heads": 4, "head_dim": 8}, "gated_activation": false})",
                               "m.json");
    };
    const Result<ModelShapes> unknown = shardOf(read(""), {.tensor = 2});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().what, "of the GEMM fc1 of m it is not known which part of a layer it is");
    EXPECT_EQ(unknown.error().remedy, "its \"part\" and \"cut\" in the file of shapes, or one GPU");
    const ModelShapes columns = *shardOf(read(R"(, "part": "gate_up", "cut": "columns")"), {.tensor = 2});
    EXPECT_EQ(columns.gemms[0].size, (GemmSize{64, 128}));
    const ModelShapes rows = *shardOf(read(R"(, "part": "down", "cut": "rows")"), {.tensor = 2});
    EXPECT_EQ(rows.gemms[0].size, (GemmSize{32, 256}));
    const ModelShapes whole = *shardOf(read(R"(, "part": "router", "cut": "whole")"), {.tensor = 2});
    EXPECT_EQ(whole.gemms[0].size, (GemmSize{64, 256}));
    const ModelShapes heads = *shardOf(read(R"(, "part": "qkv", "cut": "kv_heads")"), {.tensor = 8});
    EXPECT_EQ(heads.gemms[0].size, (GemmSize{64, 24 + 16})); // 192 of queries, 64 of 4 KV heads
}

} // namespace
} // namespace loadline
