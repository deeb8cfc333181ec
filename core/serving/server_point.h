// A served setting on the axes by which measured servers are compared with it.
#pragma once

#include "core/cost/shapes/shapes.h"

#include <string>

namespace loadline {

/// The place of a server among others. A simulation fills it as its measured peers are filled
/// (serverPointOf): all figures are of one engine.
struct ServerPoint {
    std::string gpu;        ///< key of the atlas ("h200-sxm"), or another name of the GPU
    double totalBytes = 0;  ///< of all weights of the model as they are stored, on all GPUs together
    double activeBytes = 0; ///< of those that one token meets
    std::string weights;    ///< format of the linear layers: the atlas's word, or a Storage's key
    std::string experts;    ///< likewise, of the experts; "": the model has none
    std::string kv;         ///< of the KV cache
    int tensorParallel = 1; ///< GPUs
    double context = 0;     ///< mean tokens before a generated token
    double newTokens = 0;   ///< mean prompt tokens of a request that are computed
    double cachedShare = 0; ///< of all prompt tokens, those that a prefix cache gives: 0 to 1
    double batch = 0;       ///< mean requests that run at once
    bool isKvBound = false; ///< requests waited or were preempted for want of KV memory
    bool operator==(const ServerPoint&) const = default;
};

/// Bytes of a model's weights.
struct ModelBytes {
    double total = 0;  ///< embedding included
    double active = 0; ///< that one token meets: of experts top-k, of the embedding none
};

/// Returns the bytes of a whole model whose quantised weights take `perWeight` bytes each, those of experts
/// `perExpertWeight` (bytesPerWeightOf, bytesEach); the others and the embedding take two.
ModelBytes modelBytesOf(const ModelShapes& model, double perWeight, double perExpertWeight);

} // namespace loadline
