// The models offered: sizes from their published configurations, each with its source.
#include "core/cost/shapes/expert_presets.h"
#include "core/cost/shapes/shapes.h"
#include "core/text/plain_words.h"

namespace loadline {
namespace {

ModelShapes qwen3CoderNext() {
    constexpr int linear = 36; // gated-DeltaNet layers
    constexpr int full = 12;   // gated attention layers
    constexpr int all = 48;
    return {
        .key = "qwen3-coder-next",
        .name = "Qwen3-Coder-Next",
        .source = "Qwen3-Next configuration (transformers configuration_qwen3_next.py, model card)",
        .gemms = {{.name = "gdn_in_proj_qkvz", .size = {2048, 12288}, .layers = linear},
                  {.name = "gdn_in_proj_ba", .size = {2048, 64}, .layers = linear},
                  {.name = "gdn_out_proj", .size = {4096, 2048}, .layers = linear},
                  {.name = "q_proj_gate", .size = {2048, 8192}, .layers = full},
                  {.name = "k_v_proj", .size = {2048, 512}, .perLayer = 2, .layers = full},
                  {.name = "o_proj", .size = {4096, 2048}, .layers = full},
                  {.name = "router", .size = {2048, 512}, .layers = all},
                  {.name = "experts_gateup",
                   .size = {2048, 1024},
                   .layers = all,
                   .experts = 512,
                   .expertsPerRow = 10},
                  {.name = "experts_down",
                   .size = {512, 2048},
                   .layers = all,
                   .experts = 512,
                   .expertsPerRow = 10},
                  {.name = "shared_gateup", .size = {2048, 1024}, .layers = all},
                  {.name = "shared_down", .size = {512, 2048}, .layers = all},
                  {.name = "lm_head", .size = {2048, 151936}, .quantised = false}},
        .attention = AttentionFacts{.kind = AttentionKind::HybridLinear,
                                    .layers = all,
                                    .fullLayers = full,
                                    .qHeads = 16,
                                    .kvHeads = 2,
                                    .headDim = 256,
                                    .stateBytes = 77266944},
        .embeddingWeights = std::int64_t{2048} * 151936,
        .hidden = 2048,
        .vocabulary = 151936,
        .experts = ExpertFacts{.experts = 512, .topK = 10, .width = 512, .sharedWidth = 512},
        .linear =
            LinearFacts{.kHeads = 16, .vHeads = 32, .kDim = 128, .vDim = 128, .convolution = 4, .period = 4},
        .qkNormWithinHead = true};
}

ModelShapes llama8b() {
    return {.key = "llama-3.1-8b",
            .name = "Llama-3.1-8B",
            .source = "published model configuration",
            .gemms = {{.name = "qkv", .size = {4096, 6144}, .layers = 32},
                      {.name = "o", .size = {4096, 4096}, .layers = 32},
                      {.name = "gateup", .size = {4096, 28672}, .layers = 32},
                      {.name = "down", .size = {14336, 4096}, .layers = 32},
                      {.name = "lm_head", .size = {4096, 128256}, .quantised = false}},
            .attention =
                AttentionFacts{.layers = 32, .fullLayers = 32, .qHeads = 32, .kvHeads = 8, .headDim = 128},
            .embeddingWeights = std::int64_t{4096} * 128256,
            .hidden = 4096,
            .vocabulary = 128256};
}

ModelShapes llama70b() {
    return {.key = "llama-3.1-70b",
            .name = "Llama-3.1-70B",
            .source = "published model configuration (the same as Llama-3.3-70B's)",
            .gemms = {{.name = "qkv", .size = {8192, 10240}, .layers = 80},
                      {.name = "o", .size = {8192, 8192}, .layers = 80},
                      {.name = "gateup", .size = {8192, 57344}, .layers = 80},
                      {.name = "down", .size = {28672, 8192}, .layers = 80},
                      {.name = "lm_head", .size = {8192, 128256}, .quantised = false}},
            .attention =
                AttentionFacts{.layers = 80, .fullLayers = 80, .qHeads = 64, .kvHeads = 8, .headDim = 128},
            .embeddingWeights = std::int64_t{8192} * 128256,
            .hidden = 8192,
            .vocabulary = 128256};
}

ModelShapes qwen32b() {
    return {.key = "qwen3-32b",
            .name = "Qwen3-32B",
            .source = "published model configuration",
            .gemms = {{.name = "qkv", .size = {5120, 10240}, .layers = 64},
                      {.name = "o", .size = {8192, 5120}, .layers = 64},
                      {.name = "gateup", .size = {5120, 51200}, .layers = 64},
                      {.name = "down", .size = {25600, 5120}, .layers = 64},
                      {.name = "lm_head", .size = {5120, 151936}, .quantised = false}},
            .attention =
                AttentionFacts{.layers = 64, .fullLayers = 64, .qHeads = 64, .kvHeads = 8, .headDim = 128},
            .embeddingWeights = std::int64_t{5120} * 151936,
            .hidden = 5120,
            .vocabulary = 151936,
            .qkNormWithinHead = true};
}

ModelShapes gptOss(std::string key, std::string name, int layers, int experts, std::string source) {
    return {.key = std::move(key),
            .name = std::move(name),
            .source = std::move(source),
            .gemms = {{.name = "qkv", .size = {2880, 5120}, .layers = layers},
                      {.name = "o", .size = {4096, 2880}, .layers = layers},
                      {.name = "router", .size = {2880, experts}, .layers = layers},
                      {.name = "experts_gateup",
                       .size = {2880, 5760},
                       .layers = layers,
                       .experts = experts,
                       .expertsPerRow = 4},
                      {.name = "experts_down",
                       .size = {2880, 2880},
                       .layers = layers,
                       .experts = experts,
                       .expertsPerRow = 4},
                      {.name = "lm_head", .size = {2880, 201088}, .quantised = false}},
            .attention = AttentionFacts{.kind = AttentionKind::SlidingWindow,
                                        .layers = layers,
                                        .fullLayers = layers / 2,
                                        .window = 128,
                                        .qHeads = 64,
                                        .kvHeads = 8,
                                        .headDim = 64},
            .embeddingWeights = std::int64_t{2880} * 201088,
            .hidden = 2880,
            .vocabulary = 201088,
            .experts = ExpertFacts{.experts = experts, .topK = 4, .width = 2880}};
}

/// The text model: 5 layers with a window for each without.
ModelShapes gemma12b() {
    return {.key = "gemma-3-12b",
            .name = "Gemma-3-12B",
            .source = "published model configuration (maxtext's gemma3-12b), text model alone",
            .gemms = {{.name = "qkv", .size = {3840, 8192}, .layers = 48},
                      {.name = "o", .size = {4096, 3840}, .layers = 48},
                      {.name = "gateup", .size = {3840, 30720}, .layers = 48},
                      {.name = "down", .size = {15360, 3840}, .layers = 48},
                      {.name = "lm_head", .size = {3840, 262144}, .quantised = false}},
            .attention = AttentionFacts{.kind = AttentionKind::SlidingWindow,
                                        .layers = 48,
                                        .fullLayers = 8,
                                        .window = 1024,
                                        .qHeads = 16,
                                        .kvHeads = 8,
                                        .headDim = 256},
            .hidden = 3840,
            .vocabulary = 262144};
}

ModelShapes smolLm135m() {
    return {.key = "smollm2-135m",
            .name = "SmolLM2-135M",
            .source = "published model configuration",
            .gemms = {{.name = "qkv", .size = {576, 960}, .layers = 30},
                      {.name = "o", .size = {576, 576}, .layers = 30},
                      {.name = "gateup", .size = {576, 3072}, .layers = 30},
                      {.name = "down", .size = {1536, 576}, .layers = 30},
                      {.name = "lm_head", .size = {576, 49152}, .quantised = false}},
            .attention =
                AttentionFacts{.layers = 30, .fullLayers = 30, .qHeads = 9, .kvHeads = 3, .headDim = 64},
            .hidden = 576,
            .vocabulary = 49152};
}

ModelShapes renamed(ModelShapes shapes, std::string key, std::string name) {
    shapes.key = std::move(key);
    shapes.name = std::move(name);
    return shapes;
}

} // namespace

ModelShapes studyShapes(const StudyShapeOptions& options) {
    ModelShapes study{
        .key = "study",
        .name = "Study shapes",
        .source = "one layer as the published study counts it (bitsandbytes k-bit branch at df55daf8, which "
                  "calls it Qwen3-Coder-Next; that model has other sizes)",
        .gemms = {{.name = "gateup", .size = {2048, 5120}},
                  {.name = "down", .size = {5120, 2048}},
                  {.name = "Q", .size = {2048, 4096}},
                  {.name = "O", .size = {4096, 2048}},
                  {.name = "KV", .size = {2048, 512}, .perLayer = options.kvTwice ? 2 : 1}},
        .attention = std::nullopt};
    if (options.experts) {
        study.gemms.push_back(
            {.name = "moe_gu", .size = {2048, 512}, .experts = 512, .expertsPerRow = options.expertsPerRow});
        study.gemms.push_back(
            {.name = "moe_dn", .size = {512, 2048}, .experts = 512, .expertsPerRow = options.expertsPerRow});
    }
    return study;
}

ModelShapes studyShapes() {
    return studyShapes(StudyShapeOptions());
}

const std::vector<ModelShapes>& shapePresets() {
    static const std::vector<ModelShapes> presets = {
        studyShapes(),
        renamed(studyShapes({.kvTwice = false}), "study-kv-once", "Study shapes, K and V counted once"),
        renamed(studyShapes({.experts = true}), "study-moe", "Study shapes with experts"),
        qwen3CoderNext(),
        llama8b(),
        llama70b(),
        qwen32b(),
        gptOss("gpt-oss-20b", "gpt-oss-20b", 24, 32, "published model configuration (MXFP4 experts there)"),
        gptOss("gpt-oss-120b", "gpt-oss-120b", 36, 128,
               "transformers gpt-oss configuration (MXFP4 experts there)"),
        gemma12b(),
        smolLm135m(),
        qwen3Large(),
        deepSeekV3(),
        miniMaxM25(),
        kimiK25(),
    };
    return presets;
}

const ModelShapes* findShapePreset(std::string_view key) {
    for (const ModelShapes& preset : shapePresets()) {
        if (preset.key == key) {
            return &preset;
        }
    }
    return nullptr;
}

const ModelShapes* shapesOfModel(std::string_view model) {
    const std::string name = lowered(nameOfFile(model));
    const ModelShapes* longest = nullptr;
    for (const ModelShapes& preset : shapePresets()) {
        const bool fits = name == preset.key || name.starts_with(preset.key + "-");
        if (preset.attention && fits && (longest == nullptr || preset.key.size() > longest->key.size())) {
            longest = &preset;
        }
    }
    return longest;
}

} // namespace loadline
