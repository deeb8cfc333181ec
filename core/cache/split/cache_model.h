// Size of a model's KV cache: bytes by tokens, for the ways attention keeps its context.
#pragma once

#include "core/cost/shapes/shapes.h"

#include <span>
#include <string_view>

namespace loadline {

/// A model by its attention alone.
struct CacheModel {
    std::string_view key;
    AttentionFacts attention; ///< headDim: mean of a query's and a value's, where they differ
    /// Latent attention (MLA): values that all heads share, a token and layer; 0: each KV head has its own.
    int latentValues = 0;
    double activeParameters = 0; ///< weights that a token meets
    std::string_view source;
    double totalParameters = 0; ///< all weights: activeParameters of them where there are no experts
    int experts = 0;            ///< of a layer, of which each token meets `expertsPerToken`; 0: none
    int expertsPerToken = 0;
    std::string_view expertsSource = {}; ///< where both were read
};

/// Returns the models, from their published configurations.
std::span<const CacheModel> cacheModels();
const CacheModel* findCacheModel(std::string_view key); ///< null where there is none

/// Returns the number of weights that a step of `batch` tokens reads: of the experts 1 - (1 - k / E)^batch,
/// as if each token chose k of E evenly and by itself.
double weightsTouched(const CacheModel& model, double batch);

/// Returns the size of all weights, in 1e9 bytes.
double weightsGB(const CacheModel& model, double bytesPerWeight = 2);

/// Returns the bytes by which a long sequence grows with each token, over all GPUs of `tensorParallel`: with
/// more GPUs than KV heads each still keeps one head, and a latent is kept by every one. 2 L_full n_kv d e
/// max(1, T / n_kv), or L (latent + rope) e T.
double kvBytesPerToken(const CacheModel& model, int tensorParallel = 1, double bytesPerValue = 2);
/// Returns the bytes of a sequence of `tokens` on one GPU, with its windows and recurrent states as they are.
double kvBytesOf(const CacheModel& model, double tokens, double bytesPerValue = 2);

} // namespace loadline
