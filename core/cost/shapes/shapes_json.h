// A model's shapes as JSON ("loadline.shapes/1"), in and out.
#pragma once

#include "core/base/result.h"
#include "core/cost/shapes/shapes.h"

#include <string>
#include <string_view>

namespace loadline {

/// Reads
///
///     {"schema": "loadline.shapes/1", "key": "mine", "name": "My model", "source": "its config.json",
///      "gemms": [{"name": "qkv", "shape": "4096x6144", "layers": 32},
///                {"name": "experts", "shape": "2048x1024", "layers": 32, "experts": 128, "experts_per_row":
///                8},
///                {"name": "lm_head", "shape": "4096x128256", "quantised": false}],
///      "attention": {"layers": 32, "q_heads": 32, "kv_heads": 8, "head_dim": 128}}
///
/// `shape` is K x N of one expert. Left out, "per_layer" and "layers" are 1, "experts" is 0 (dense),
/// "quantised" true; of attention "kind" is "grouped" ("sliding_window", "hybrid_linear"), "full_layers" all,
/// "window", "state_bytes" and "latent_values" 0; without "attention" only GEMMs are known.
/// "embedding_weights" is 0. "name" may stand for "key".
///
/// For shards on several GPUs a GEMM may have "part" and "cut" (keys of layer_part.h; by its name if left
/// out) and "experts_elsewhere", the model "hidden", "vocabulary", "qk_norm_across_ranks",
/// "qk_norm_within_head", "gated_activation" and the objects "experts" {"number", "top_k", "width",
/// "shared_width", "first_dense_layers", "fp32_router"}, "mla" {"heads", "query_rank", "kv_rank", "nope_dim",
/// "rope_dim", "value_dim"} and "linear"
/// {"k_heads", "v_heads", "k_dim", "v_dim", "convolution", "period"}. They are written where they are not the
/// default.
///
/// Unknown keys are an Error. `path` is for messages alone; the first thing that is wrong is the Error.
Result<ModelShapes> shapesFromJson(std::string_view json, const std::string& path);

/// True if the text is meant as such a document rather than as a name or a path: it begins with a brace.
bool isShapesText(std::string_view text);

/// One document, a GEMM a line; reads back equal where problemOf finds nothing.
std::string toJson(const ModelShapes& shapes);
/// Returns toJson() in one line.
std::string toJsonLine(const ModelShapes& shapes);

} // namespace loadline
