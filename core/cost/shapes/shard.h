// One GPU's share of a model that several GPUs serve together.
#pragma once

#include "core/base/result.h"
#include "core/cost/shapes/shapes.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// How GPUs share a model.
struct Parallel {
    int tensor = 1; ///< GPUs that cut every weight among them
    /// GPUs that hold whole experts, an equal number each; 1: experts are cut as other weights are. As vLLM
    /// spreads them over all its GPUs this is `tensor` or, with data parallelism, a multiple of it.
    int expert = 1;
    bool operator==(const Parallel&) const = default;
};

inline constexpr int mostParallel = 1024; ///< of each kind

/// Returns the shapes that one GPU holds and computes; the model itself for one GPU. Key, name and source
/// stay.
///
/// Columns, rows and heads are divided by `tensor`. Where it exceeds the KV heads each GPU has a copy of one.
/// A latent (MLA) and weights cut Whole are on every GPU, shared experts are cut by `tensor` in any case.
/// With expert parallelism GEMMs keep their experts' width, and expertsElsewhere tells how many other GPUs
/// hold. The vocabulary is padded to a multiple of 64 first (vLLM's VocabParallelEmbedding).
/// kvBytesPerToken() of the shard's attention are the bytes that a token takes on each GPU; the state of
/// linear attention is divided.
///
/// An Error tells which number cannot be shared, and the sizes that can be chosen.
Result<ModelShapes> shardOf(const ModelShapes& model, Parallel parallel);

/// Returns the sizes of tensor parallelism, without expert parallelism, that shardOf() accepts: ascending, 1
/// at least, none above the number of query heads.
std::vector<int> tensorSizesOf(const ModelShapes& model);

/// Returns the rows of a head or an embedding before they are divided: the next multiple of 64.
std::int64_t paddedVocabulary(std::int64_t tokens);

} // namespace loadline
