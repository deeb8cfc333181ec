// The weights that a decode step reads, by the parts of a model that releases keep in different formats.
#pragma once

#include "core/cache/split/cache_model.h"

#include <optional>
#include <span>
#include <string_view>

namespace loadline {

/// Weights that a step reads, counted.
struct WeightsRead {
    double experts = 0; ///< of the routed experts, those that the step's tokens choose
    double rest = 0;    ///< attention, dense and shared layers, norms
    double head = 0;    ///< the output embedding, where its size is known; else in `rest`
};

/// Returns weightsTouched(), without input embeddings that are not the head's too: a token reads one row of
/// them. If a model's embeddings are not known, nothing is taken off its published count of active weights.
WeightsRead weightsRead(const CacheModel& model, double batch);

/// The matrices of a model whose attention, vocabulary and hidden size are known, as the simulator takes
/// them: inner sizes follow from its count of weights. Nothing for latent attention and recurrent layers.
std::optional<ModelShapes> shapesOf(const CacheModel& model);

/// How a release keeps its weights where it keeps parts differently: bits of each, scales included.
struct ReleasedBits {
    std::string_view model;    ///< CacheModel::key
    std::string_view nameTold; ///< a word that the name must hold too (small letters); "": none
    double experts = 0;
    double rest = 0;
    double head = 0;
    std::string_view format; ///< "MXFP4 experts, the rest bf16"
    std::string_view source;
};

std::span<const ReleasedBits> releasedBits();
/// Returns the release of a model by the name in a log; null if its weights are of 16 bits, or not known.
const ReleasedBits* releasedBitsOf(const CacheModel& model, std::string_view name);

} // namespace loadline
