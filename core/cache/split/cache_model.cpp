// The table of models, and their bytes.
#include "core/cache/split/cache_model.h"

#include "core/cost/estimate/attention.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr std::string_view configuration = "published configuration";
constexpr std::string_view card = "model card";
constexpr std::string_view config = "config.json, as ai-dynamo/aiconfigurator keeps it";
constexpr std::string_view transformersGlm = "defaults of transformers' Glm4MoeConfig";
constexpr std::string_view transformersMiniMax = "defaults of transformers' MiniMaxM2Config";
constexpr std::string_view slime = "slime's glm4.5-355B-A32B.sh; its config.json was not read";

AttentionFacts grouped(int layers, int qHeads, int kvHeads, int headDim) {
    return {.layers = layers, .fullLayers = layers, .qHeads = qHeads, .kvHeads = kvHeads, .headDim = headDim};
}

AttentionFacts windowed(int layers, int fullLayers, std::int64_t window, int qHeads, int kvHeads,
                        int headDim) {
    return {.kind = AttentionKind::SlidingWindow,
            .layers = layers,
            .fullLayers = fullLayers,
            .window = window,
            .qHeads = qHeads,
            .kvHeads = kvHeads,
            .headDim = headDim};
}

AttentionFacts hybrid(int layers, int fullLayers, int qHeads, int kvHeads, int headDim, double stateBytes) {
    return {.kind = AttentionKind::HybridLinear,
            .layers = layers,
            .fullLayers = fullLayers,
            .qHeads = qHeads,
            .kvHeads = kvHeads,
            .headDim = headDim,
            .stateBytes = stateBytes};
}

double latentBytesPerToken(const CacheModel& model, double bytesPerValue) {
    return static_cast<double>(model.attention.layers) * model.latentValues * bytesPerValue;
}

} // namespace

std::span<const CacheModel> cacheModels() {
    constexpr int latent = 512 + 64; // with the part that carries positions
    constexpr int latentHead = (192 + 128) / 2;
    static const std::array models = {
        CacheModel{"deepseek-v3", grouped(61, 128, 1, latentHead), latent, 37e9, configuration, 671e9, 256, 8,
                   config},
        CacheModel{"gemma-3-12b", windowed(48, 8, 1024, 16, 8, 256), 0, 11.77e9, configuration, 12.2e9},
        CacheModel{"gemma-3-4b", windowed(34, 5, 1024, 8, 4, 256), 0, 3.88e9, configuration, 3.88e9},
        CacheModel{"gemma-3-27b", windowed(62, 10, 1024, 32, 16, 128), 0, 27e9, card, 27.4e9},
        CacheModel{"glm-4.5", grouped(92, 96, 8, 128), 0, 32e9, card, 355e9, 160, 8, slime},
        CacheModel{"glm-4.5-air", grouped(46, 96, 8, 128), 0, 12e9, configuration, 106e9, 128, 8,
                   transformersGlm},
        CacheModel{"gpt-oss-120b", windowed(36, 18, 128, 64, 8, 64), 0, 5.1e9, configuration, 116.8e9, 128, 4,
                   config},
        CacheModel{"gpt-oss-20b", windowed(24, 12, 128, 64, 8, 64), 0, 3.6e9, configuration, 20.9e9, 32, 4,
                   config},
        CacheModel{"kimi-k2", grouped(61, 64, 1, latentHead), latent, 32e9, card, 1000e9, 384, 8, config},
        CacheModel{"llama-3.1-8b", grouped(32, 32, 8, 128), 0, 8.03e9, configuration, 8.03e9},
        CacheModel{"llama-3.2-1b", grouped(16, 32, 8, 64), 0, 1.236e9, configuration, 1.236e9},
        CacheModel{"llama-3.2-3b", grouped(28, 24, 8, 128), 0, 3.213e9, configuration, 3.213e9},
        CacheModel{"llama-3.3-70b", grouped(80, 64, 8, 128), 0, 70.6e9, configuration, 70.6e9},
        CacheModel{"minimax-m2", grouped(62, 48, 8, 128), 0, 10e9, configuration, 230e9, 256, 8,
                   transformersMiniMax},
        CacheModel{"mistral-7b", grouped(32, 32, 8, 128), 0, 7.248e9, configuration, 7.248e9},
        CacheModel{"mistral-small-24b", grouped(40, 32, 8, 128), 0, 23.6e9, card, 23.6e9},
        CacheModel{"qwen2.5-1.5b", grouped(28, 12, 2, 128), 0, 1.544e9, configuration, 1.544e9},
        CacheModel{"qwen2.5-3b", grouped(36, 16, 2, 128), 0, 3.086e9, configuration, 3.086e9},
        CacheModel{"qwen2.5-7b", grouped(28, 28, 4, 128), 0, 7.616e9, configuration, 7.616e9},
        CacheModel{"qwen2.5-14b", grouped(48, 40, 8, 128), 0, 14.77e9, configuration, 14.77e9},
        CacheModel{"qwen2.5-32b", grouped(64, 40, 8, 128), 0, 32.76e9, configuration, 32.76e9},
        CacheModel{"qwen2.5-72b", grouped(80, 64, 8, 128), 0, 72.71e9, configuration, 72.71e9},
        CacheModel{"qwen3-0.6b", grouped(28, 16, 8, 128), 0, 0.596e9, configuration, 0.596e9},
        CacheModel{"qwen3-1.7b", grouped(28, 16, 8, 128), 0, 1.721e9, configuration, 1.721e9},
        CacheModel{"qwen3-4b", grouped(36, 32, 8, 128), 0, 4.022e9, configuration, 4.022e9},
        CacheModel{"qwen3-14b", grouped(40, 40, 8, 128), 0, 14.77e9, configuration, 14.77e9},
        CacheModel{"qwen3-235b-a22b", grouped(94, 64, 4, 128), 0, 22e9, configuration, 235e9, 128, 8, config},
        CacheModel{"qwen3-30b-a3b", grouped(48, 32, 4, 128), 0, 3.3e9, configuration, 30.5e9, 128, 8, config},
        CacheModel{"qwen3-32b", grouped(64, 64, 8, 128), 0, 32.8e9, configuration, 32.8e9},
        CacheModel{"qwen3-8b", grouped(36, 32, 8, 128), 0, 8.19e9, configuration, 8.19e9},
        CacheModel{"qwen3-coder-480b-a35b", grouped(62, 96, 8, 128), 0, 35e9, configuration, 480e9, 160, 8,
                   config},
        CacheModel{"qwen3-next-80b-a3b", hybrid(48, 12, 16, 2, 256, 77'266'944), 0, 3e9, configuration, 80e9,
                   512, 10, config},
        CacheModel{"smollm2-135m", grouped(30, 9, 3, 64), 0, 134.5e6, configuration, 134.5e6},
    };
    return models;
}

const CacheModel* findCacheModel(std::string_view key) {
    const auto models = cacheModels();
    const auto found = std::ranges::find(models, key, &CacheModel::key);
    return found == models.end() ? nullptr : &*found;
}

double weightsTouched(const CacheModel& model, double batch) {
    if (model.experts <= 0) {
        return model.activeParameters;
    }
    const double share = static_cast<double>(model.expertsPerToken) / model.experts;
    const double inExperts = (model.totalParameters - model.activeParameters) / (1 - share);
    return model.totalParameters - inExperts * std::pow(1 - share, batch);
}

double weightsGB(const CacheModel& model, double bytesPerWeight) {
    return model.totalParameters * bytesPerWeight / 1e9;
}

double kvBytesPerToken(const CacheModel& model, int tensorParallel, double bytesPerValue) {
    if (model.latentValues > 0) {
        return latentBytesPerToken(model, bytesPerValue) * tensorParallel;
    }
    const double copies =
        std::max(1.0, static_cast<double>(tensorParallel) / std::max(model.attention.kvHeads, 1));
    return kvBytesPerToken(model.attention, bytesPerValue) * copies;
}

double kvBytesOf(const CacheModel& model, double tokens, double bytesPerValue) {
    return model.latentValues > 0 ? latentBytesPerToken(model, bytesPerValue) * tokens
                                  : kvBytes(model.attention, tokens, bytesPerValue);
}

} // namespace loadline
