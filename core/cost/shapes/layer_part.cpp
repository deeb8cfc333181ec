// The names of GEMMs that presets and study use, each with its part and its cut.
#include "core/cost/shapes/layer_part.h"

#include "core/cost/shapes/shapes.h"
#include "core/text/enum_words.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

struct NamedPart {
    std::string_view name;
    LayerPart part = LayerPart::ByName;
    WeightCut cut = WeightCut::ByName;
};

/// Cuts as in vLLM's models: llama.py, qwen3_moe.py, qwen3_next.py, gpt_oss.py, minimax_m2.py,
/// deepseek_v2.py.
constexpr auto namedParts = std::to_array<NamedPart>({
    {"qkv", LayerPart::Qkv, WeightCut::KvHeads},
    {"q_proj_gate", LayerPart::Qkv, WeightCut::Columns},
    {"k_v_proj", LayerPart::Qkv, WeightCut::KvHeads},
    {"o", LayerPart::Output, WeightCut::Rows},
    {"o_proj", LayerPart::Output, WeightCut::Rows},
    {"gateup", LayerPart::GateUp, WeightCut::Columns},
    {"down", LayerPart::Down, WeightCut::Rows},
    {"router", LayerPart::Router, WeightCut::Whole},
    {"shared_gateup", LayerPart::SharedExpert, WeightCut::Columns},
    {"shared_down", LayerPart::SharedExpert, WeightCut::Rows},
    {"experts_gateup", LayerPart::Expert, WeightCut::Columns},
    {"experts_down", LayerPart::Expert, WeightCut::Rows},
    {"qkv_latent", LayerPart::Latent, WeightCut::Whole},
    {"q_from_latent", LayerPart::Latent, WeightCut::Columns},
    {"kv_from_latent", LayerPart::Latent, WeightCut::Columns},
    {"gdn_in_proj_qkvz", LayerPart::Linear, WeightCut::Columns},
    {"gdn_in_proj_ba", LayerPart::Linear, WeightCut::Columns},
    {"gdn_out_proj", LayerPart::Linear, WeightCut::Rows},
    {"lm_head", LayerPart::Head, WeightCut::Columns},
    {"Q", LayerPart::Qkv, WeightCut::Columns}, // of the published study
    {"KV", LayerPart::Qkv, WeightCut::KvHeads},
    {"O", LayerPart::Output, WeightCut::Rows},
    {"moe_gu", LayerPart::Expert, WeightCut::Columns},
    {"moe_dn", LayerPart::Expert, WeightCut::Rows},
});

const NamedPart* partNamed(std::string_view name) {
    const auto* const found = std::ranges::find(namedParts, name, &NamedPart::name);
    return found != namedParts.end() ? found : nullptr;
}

} // namespace

std::string_view keyOf(LayerPart part) {
    return wordOf(part, {"by_name", "qkv", "output", "gate_up", "down", "router", "shared_expert", "expert",
                         "latent", "linear", "head"});
}

std::string_view keyOf(WeightCut cut) {
    return wordOf(cut, {"by_name", "columns", "rows", "whole", "kv_heads"});
}

std::optional<LayerPart> layerPartOf(const LayerGemm& gemm) {
    if (gemm.part != LayerPart::ByName) {
        return gemm.part;
    }
    const NamedPart* const named = partNamed(gemm.name);
    return named != nullptr ? std::optional(named->part) : std::nullopt;
}

std::optional<WeightCut> weightCutOf(const LayerGemm& gemm) {
    if (gemm.cut != WeightCut::ByName) {
        return gemm.cut;
    }
    const NamedPart* const named = partNamed(gemm.name);
    return named != nullptr ? std::optional(named->cut) : std::nullopt;
}

} // namespace loadline
