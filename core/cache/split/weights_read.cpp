// Input embeddings and formats of releases.
#include "core/cache/split/weights_read.h"

#include "core/text/plain_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace loadline {
namespace {

/// Input embeddings, from each model's config.json.
struct Embeddings {
    std::string_view model;
    std::int64_t vocabulary = 0;
    std::int64_t hidden = 0;
    bool isHead = false;  ///< one matrix is both
    bool inActive = true; ///< the published count of active weights holds the input's

    [[nodiscard]] double weights() const {
        return static_cast<double>(vocabulary) * static_cast<double>(hidden);
    }
};

/// Whether published counts hold the embeddings was computed from the shapes; DeepSeek-V3's README_WEIGHTS
/// and the gpt-oss model card state it.
constexpr std::array embeddings = {
    Embeddings{"deepseek-v3", 129'280, 7168},
    Embeddings{"gemma-3-12b", 262'208, 3840, true},
    Embeddings{"gemma-3-4b", 262'208, 2560, true},
    Embeddings{"gemma-3-27b", 262'208, 5376, true},
    Embeddings{"gpt-oss-120b", 201'088, 2880, false, false},
    Embeddings{"gpt-oss-20b", 201'088, 2880, false, false},
    Embeddings{"llama-3.1-8b", 128'256, 4096},
    Embeddings{"llama-3.2-1b", 128'256, 2048, true},
    Embeddings{"llama-3.2-3b", 128'256, 3072, true},
    Embeddings{"llama-3.3-70b", 128'256, 8192},
    Embeddings{"mistral-7b", 32'768, 4096},
    Embeddings{"mistral-small-24b", 131'072, 5120},
    Embeddings{"qwen2.5-1.5b", 151'936, 1536, true},
    Embeddings{"qwen2.5-3b", 151'936, 2048, true},
    Embeddings{"qwen2.5-7b", 152'064, 3584},
    Embeddings{"qwen2.5-14b", 152'064, 5120},
    Embeddings{"qwen2.5-32b", 152'064, 5120},
    Embeddings{"qwen2.5-72b", 152'064, 8192},
    Embeddings{"qwen3-0.6b", 151'936, 1024, true},
    Embeddings{"qwen3-1.7b", 151'936, 2048, true},
    Embeddings{"qwen3-4b", 151'936, 2560, true},
    Embeddings{"qwen3-14b", 151'936, 5120},
    Embeddings{"qwen3-235b-a22b", 151'936, 4096},
    Embeddings{"qwen3-30b-a3b", 151'936, 2048},
    Embeddings{"qwen3-32b", 151'936, 5120},
    Embeddings{"qwen3-8b", 151'936, 4096},
    Embeddings{"qwen3-coder-480b-a35b", 151'936, 6144},
    Embeddings{"smollm2-135m", 49'152, 576, true},
};

} // namespace

WeightsRead weightsRead(const CacheModel& model, double batch) {
    const auto found = std::ranges::find(embeddings, model.key, &Embeddings::model);
    const bool known =
        found != embeddings.end() && findCacheModel(model.key) == &model; // not another's shapes
    const double unread = known && !found->isHead ? found->weights() : 0;
    const double active = model.activeParameters - (known && found->inActive ? unread : 0);
    WeightsRead read;
    read.head = known ? found->weights() : 0;
    if (model.experts > 0) {
        const double share = static_cast<double>(model.expertsPerToken) / model.experts;
        const double inExperts = (model.totalParameters - unread - active) / (1 - share);
        read.experts = inExperts * (1 - std::pow(1 - share, batch));
        read.rest = active - inExperts * share - read.head;
    } else {
        read.rest = active - read.head;
    }
    return read;
}

std::optional<ModelShapes> shapesOf(const CacheModel& model) {
    const auto found = std::ranges::find(embeddings, model.key, &Embeddings::model);
    const AttentionFacts& attention = model.attention;
    if (found == embeddings.end() || model.latentValues > 0 || attention.stateBytes > 0) {
        return std::nullopt;
    }
    const std::int64_t hidden = found->hidden;
    const std::int64_t queries = std::int64_t{attention.qHeads} * attention.headDim;
    const std::int64_t keys = std::int64_t{attention.kvHeads} * attention.headDim;
    const int layers = attention.layers;
    ModelShapes shapes{.key = std::string(model.key),
                       .name = std::string(model.key),
                       .source = "attention and count of weights of its " + std::string(model.source),
                       .gemms = {{.name = "qkv", .size = {hidden, queries + 2 * keys}, .layers = layers},
                                 {.name = "o", .size = {queries, hidden}, .layers = layers}},
                       .attention = attention,
                       .embeddingWeights = found->isHead ? 0 : found->vocabulary * hidden};
    // Gate, up and down of a layer have three matrices of hidden x inner size; widths are multiples of 32.
    const auto addInner = [&](double weightsOfLayer, const char* up, const char* down, int experts,
                              int each) {
        constexpr double multiple = 32;
        const auto inner = static_cast<std::int64_t>(
            std::round(weightsOfLayer / (3 * static_cast<double>(hidden)) / multiple) * multiple);
        if (inner > 0) {
            shapes.gemms.push_back({.name = up,
                                    .size = {hidden, 2 * inner},
                                    .layers = layers,
                                    .experts = experts,
                                    .expertsPerRow = each});
            shapes.gemms.push_back({.name = down,
                                    .size = {inner, hidden},
                                    .layers = layers,
                                    .experts = experts,
                                    .expertsPerRow = each});
        }
    };
    constexpr double allTokens = 1e9; // a batch that meets every expert
    const double attentionWeights = static_cast<double>(hidden * (2 * queries + 2 * keys));
    addInner(weightsRead(model, 1).rest / layers - attentionWeights, "gateup", "down", 0, 0);
    if (model.experts > 0) {
        addInner(weightsRead(model, allTokens).experts / layers / model.experts, "experts_gateup",
                 "experts_down", model.experts, model.expertsPerToken);
    }
    shapes.gemms.push_back({.name = "lm_head", .size = {hidden, found->vocabulary}, .quantised = false});
    return problemOf(shapes) ? std::nullopt : std::optional(shapes);
}

std::span<const ReleasedBits> releasedBits() {
    constexpr double mxfp4 = 4.25; // a scale of 8 bits for each 32
    constexpr double int4 = 4.5;   // a scale of 16 bits for each 32
    constexpr double fp8 = 8;      // and a scale for each 128 x 128
    static constexpr std::array releases = {
        ReleasedBits{"gpt-oss-20b", "", mxfp4, 16, 16, "MXFP4 experts, the rest bf16", "gpt-oss model card"},
        ReleasedBits{"gpt-oss-120b", "", mxfp4, 16, 16, "MXFP4 experts, the rest bf16", "gpt-oss model card"},
        ReleasedBits{"deepseek-v3", "", fp8, fp8, 16, "fp8, the head bf16", "DeepSeek-V3 README_WEIGHTS.md"},
        ReleasedBits{"kimi-k2", "thinking", int4, 16, 16, "int4 experts, the rest bf16",
                     "Kimi-K2-Thinking model card"},
        ReleasedBits{"kimi-k2", "", fp8, fp8, 16, "fp8, the head bf16", "Kimi-K2-Instruct model card"},
    };
    return releases;
}

const ReleasedBits* releasedBitsOf(const CacheModel& model, std::string_view name) {
    const std::string small = lowered(name);
    const auto releases = releasedBits();
    const auto found = std::ranges::find_if(releases, [&](const ReleasedBits& release) {
        return release.model == model.key && small.find(release.nameTold) != std::string::npos;
    });
    return found == releases.end() ? nullptr : &*found;
}

} // namespace loadline
