// Parts of a model's layer, and how tensor parallelism cuts their weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline {

struct LayerGemm;

/// The part of a layer that a GEMM belongs to.
enum class LayerPart : std::uint8_t {
    ByName,       ///< not stated: layerPartOf() takes it from the GEMM's name
    Qkv,          ///< query, key and value projections of attention
    Output,       ///< output projection of attention
    GateUp,       ///< first weights of a dense feed-forward layer
    Down,         ///< its last weights
    Router,       ///< scores of the experts
    SharedExpert, ///< experts that every row meets
    Expert,       ///< experts that the router chooses
    Latent,       ///< projections of multi-head latent attention (MLA), its output projection aside
    Linear,       ///< projections of linear attention
    Head          ///< logits
};

/// How tensor parallelism cuts a weight [K x N] among T GPUs, as vLLM's linear layers do.
enum class WeightCut : std::uint8_t {
    ByName,  ///< not stated: weightCutOf() takes it from the GEMM's name
    Columns, ///< N / T columns each; a head's vocabulary is padded first
    Rows,    ///< K / T rows each; an all-reduce adds the results
    Whole,   ///< every GPU has all of it
    /// Q, K and V side by side, or K and V alone: query columns as Columns; of KV heads each GPU has KV heads
    /// / T, or one copy of a head where T exceeds them.
    KvHeads
};

/// Keys in JSON: "qkv", "gate_up", "shared_expert"; "columns", "kv_heads"; "by_name".
std::string_view keyOf(LayerPart part);
std::string_view keyOf(WeightCut cut);

/// Returns the part that is stated, or that the name means as the presets use it ("qkv", "gateup",
/// "experts_down", "lm_head"); nothing for another name.
std::optional<LayerPart> layerPartOf(const LayerGemm& gemm);
/// Returns the cut that is stated, or that the name means; nothing for another name.
std::optional<WeightCut> weightCutOf(const LayerGemm& gemm);

} // namespace loadline
