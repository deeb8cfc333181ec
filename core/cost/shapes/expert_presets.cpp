// Sizes of large models with experts, from their configurations.
#include "core/cost/shapes/expert_presets.h"

namespace loadline {
namespace {

constexpr const char* expertConfigs =
    "config.json, as ai-dynamo/aiconfigurator 095f58a5 keeps it (model_configs)";

/// The GEMMs of experts: gate and up side by side, then down.
void addExpertGemms(std::vector<LayerGemm>& gemms, std::int64_t hidden, const ExpertFacts& facts,
                    int layers) {
    gemms.push_back(
        {.name = "router", .size = {hidden, facts.experts}, .layers = layers, .quantised = false});
    gemms.push_back({.name = "experts_gateup",
                     .size = {hidden, 2 * facts.width},
                     .layers = layers,
                     .experts = facts.experts,
                     .expertsPerRow = facts.topK});
    gemms.push_back({.name = "experts_down",
                     .size = {facts.width, hidden},
                     .layers = layers,
                     .experts = facts.experts,
                     .expertsPerRow = facts.topK});
    if (facts.sharedWidth > 0) {
        gemms.push_back({.name = "shared_gateup", .size = {hidden, 2 * facts.sharedWidth}, .layers = layers});
        gemms.push_back({.name = "shared_down", .size = {facts.sharedWidth, hidden}, .layers = layers});
    }
}

ModelShapes withHeadGemm(ModelShapes model) {
    model.gemms.push_back({.name = "lm_head", .size = {model.hidden, model.vocabulary}, .quantised = false});
    model.embeddingWeights = model.hidden * model.vocabulary;
    return model;
}

/// A model whose layers are all grouped attention and experts.
ModelShapes groupedWithExperts(ModelShapes model, const AttentionFacts& facts, const ExpertFacts& experts) {
    const std::int64_t queries = std::int64_t{facts.qHeads} * facts.headDim;
    const std::int64_t keys = std::int64_t{facts.kvHeads} * facts.headDim;
    model.gemms = {{.name = "qkv", .size = {model.hidden, queries + 2 * keys}, .layers = facts.layers},
                   {.name = "o", .size = {queries, model.hidden}, .layers = facts.layers}};
    addExpertGemms(model.gemms, model.hidden, experts, facts.layers);
    model.attention = facts;
    model.experts = experts;
    return withHeadGemm(std::move(model));
}

/// A model of DeepSeek-V3's form. vLLM's deepseek_v2.py fuses both projections into latents to one GEMM.
ModelShapes latentWithExperts(ModelShapes model, int layers, const MlaFacts& mla, std::int64_t denseWidth,
                              const ExpertFacts& experts) {
    const int latent = mla.kvRank + mla.ropeDim;
    const int keySize = mla.nopeDim + mla.ropeDim;
    const auto columnsOf = [&mla](int perHead) { return std::int64_t{mla.heads} * perHead; };
    model.gemms = {
        {.name = "qkv_latent", .size = {model.hidden, mla.queryRank + latent}, .layers = layers},
        {.name = "q_from_latent", .size = {mla.queryRank, columnsOf(keySize)}, .layers = layers},
        {.name = "kv_from_latent",
         .size = {mla.kvRank, columnsOf(mla.nopeDim + mla.valueDim)},
         .layers = layers},
        {.name = "o", .size = {columnsOf(mla.valueDim), model.hidden}, .layers = layers},
        {.name = "gateup", .size = {model.hidden, 2 * denseWidth}, .layers = experts.firstDenseLayers},
        {.name = "down", .size = {denseWidth, model.hidden}, .layers = experts.firstDenseLayers}};
    addExpertGemms(model.gemms, model.hidden, experts, layers - experts.firstDenseLayers);
    model.attention = AttentionFacts{.layers = layers,
                                     .fullLayers = layers,
                                     .qHeads = mla.heads,
                                     .kvHeads = 1,
                                     .headDim = (keySize + mla.valueDim) / 2,
                                     .latentValues = latent};
    model.experts = experts;
    model.mla = mla;
    return withHeadGemm(std::move(model));
}

} // namespace

ModelShapes qwen3Large() {
    return groupedWithExperts({.key = "qwen3-235b-a22b",
                               .name = "Qwen3-235B-A22B",
                               .source = expertConfigs,
                               .gemms = {},
                               .attention = std::nullopt,
                               .hidden = 4096,
                               .vocabulary = 151936,
                               .qkNormWithinHead = true},
                              {.layers = 94, .fullLayers = 94, .qHeads = 64, .kvHeads = 4, .headDim = 128},
                              {.experts = 128, .topK = 8, .width = 1536});
}

ModelShapes miniMaxM25() {
    return groupedWithExperts({.key = "minimax-m2.5",
                               .name = "MiniMax-M2.5",
                               .source = expertConfigs,
                               .gemms = {},
                               .attention = std::nullopt,
                               .hidden = 3072,
                               .vocabulary = 200064,
                               .qkNormAcrossRanks = true},
                              {.layers = 62, .fullLayers = 62, .qHeads = 48, .kvHeads = 8, .headDim = 128},
                              {.experts = 256, .topK = 8, .width = 1536, .fp32Router = true});
}

ModelShapes deepSeekV3() {
    return latentWithExperts(
        {.key = "deepseek-v3",
         .name = "DeepSeek-V3",
         .source = expertConfigs,
         .gemms = {},
         .attention = std::nullopt,
         .hidden = 7168,
         .vocabulary = 129280},
        61, {.heads = 128, .queryRank = 1536, .kvRank = 512, .nopeDim = 128, .ropeDim = 64, .valueDim = 128},
        18432, {.experts = 256, .topK = 8, .width = 2048, .sharedWidth = 2048, .firstDenseLayers = 3});
}

ModelShapes kimiK25() {
    return latentWithExperts(
        {.key = "kimi-k2.5",
         .name = "Kimi-K2.5",
         .source = std::string(expertConfigs) + ", text model",
         .gemms = {},
         .attention = std::nullopt,
         .hidden = 7168,
         .vocabulary = 163840},
        61, {.heads = 64, .queryRank = 1536, .kvRank = 512, .nopeDim = 128, .ropeDim = 64, .valueDim = 128},
        18432, {.experts = 384, .topK = 8, .width = 2048, .sharedWidth = 2048, .firstDenseLayers = 1});
}

} // namespace loadline
