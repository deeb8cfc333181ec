// The presets against ../shared/data/models/shapes.json: every dimension.
#include "core/cost/shapes/shapes.h"

#include "core/cost/shapes/positions.h"
#include "tests/core/cost/bundled_profile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

using nlohmann::json;

/// 0 where the file has null.
std::int64_t wholeOf(const json& model, const char* name) {
    return model[name].is_number() ? model[name].get<std::int64_t>() : 0;
}

const LayerGemm* gemmNamed(const ModelShapes& model, const char* name) {
    const auto found = std::ranges::find(model.gemms, name, &LayerGemm::name);
    return found != model.gemms.end() ? &*found : nullptr;
}

void compareAttention(const ModelShapes& preset, const json& model) {
    const AttentionFacts& facts = preset.attention.value();
    EXPECT_EQ(facts.layers, wholeOf(model, "layers"));
    EXPECT_EQ(facts.fullLayers, wholeOf(model, "full_attention_layers"));
    EXPECT_EQ(facts.qHeads, wholeOf(model, "q_heads"));
    EXPECT_EQ(facts.window, wholeOf(model, "sliding_window"));
    if (!preset.mla) {
        EXPECT_EQ(facts.kvHeads, wholeOf(model, "kv_heads"));
        EXPECT_EQ(facts.headDim, wholeOf(model, "head_dim"));
        EXPECT_EQ(facts.latentValues, 0);
    }
    EXPECT_EQ(preset.mla.has_value(), model["attention"] == "mla");
    EXPECT_EQ(facts.kind == AttentionKind::SlidingWindow, model["attention"] == "swa");
    EXPECT_EQ(facts.kind == AttentionKind::HybridLinear, model["attention"] == "hybrid_linear");
    const LayerGemm* const queries = gemmNamed(preset, "q_proj_gate"); // twice as wide: with the gate
    EXPECT_EQ(queries != nullptr, model["gated_attention"] == true);
    if (queries != nullptr) {
        EXPECT_EQ(queries->size.n, 2 * facts.qHeads * facts.headDim);
    }
}

void compareMla(const ModelShapes& preset, const json& model) {
    if (!preset.mla) {
        EXPECT_TRUE(model["kv_lora_rank"].is_null());
        return;
    }
    EXPECT_EQ(preset.mla->heads, wholeOf(model, "q_heads"));
    EXPECT_EQ(preset.mla->queryRank, wholeOf(model, "q_lora_rank"));
    EXPECT_EQ(preset.mla->kvRank, wholeOf(model, "kv_lora_rank"));
    EXPECT_EQ(preset.mla->nopeDim, wholeOf(model, "qk_nope_dim"));
    EXPECT_EQ(preset.mla->ropeDim, wholeOf(model, "qk_rope_dim"));
    EXPECT_EQ(preset.mla->valueDim, wholeOf(model, "v_head_dim"));
    EXPECT_EQ(preset.attention->latentValues, preset.mla->kvRank + preset.mla->ropeDim);
}

void compareExperts(const ModelShapes& preset, const json& model) {
    EXPECT_EQ(preset.experts.has_value(), wholeOf(model, "experts") > 0);
    const LayerGemm* const dense = gemmNamed(preset, "gateup");
    if (!preset.experts) {
        ASSERT_NE(dense, nullptr);
        EXPECT_EQ(dense->size.n, 2 * wholeOf(model, "intermediate"));
        return;
    }
    const ExpertFacts& facts = *preset.experts;
    EXPECT_EQ(facts.experts, wholeOf(model, "experts"));
    EXPECT_EQ(facts.topK, wholeOf(model, "top_k"));
    EXPECT_EQ(facts.width, wholeOf(model, "expert_intermediate"));
    EXPECT_EQ(facts.sharedWidth, wholeOf(model, "shared_expert_intermediate"));
    EXPECT_EQ(facts.firstDenseLayers, wholeOf(model, "first_dense_layers"));
    EXPECT_EQ(dense != nullptr, facts.firstDenseLayers > 0);
    if (dense != nullptr) {
        EXPECT_EQ(dense->size.n, 2 * wholeOf(model, "intermediate"));
        EXPECT_EQ(dense->layers, facts.firstDenseLayers);
    }
    const LayerGemm* const experts = gemmNamed(preset, "experts_gateup");
    ASSERT_NE(experts, nullptr);
    EXPECT_EQ(experts->size, (GemmSize{preset.hidden, 2 * facts.width}));
    EXPECT_EQ(experts->experts, facts.experts);
    EXPECT_EQ(experts->expertsPerRow, facts.topK);
    EXPECT_EQ(experts->layers, preset.attention->layers - facts.firstDenseLayers);
}

void compareLinear(const ModelShapes& preset, const json& model) {
    EXPECT_EQ(preset.linear.has_value(), model["linear"].is_object());
    if (!preset.linear || !model["linear"].is_object()) {
        return;
    }
    const json& linear = model["linear"];
    const AttentionFacts& facts = *preset.attention;
    EXPECT_EQ(preset.linear->kHeads, wholeOf(linear, "k_heads"));
    EXPECT_EQ(preset.linear->vHeads, wholeOf(linear, "v_heads"));
    EXPECT_EQ(preset.linear->kDim, wholeOf(linear, "k_dim"));
    EXPECT_EQ(preset.linear->vDim, wholeOf(linear, "v_dim"));
    EXPECT_EQ(preset.linear->convolution, wholeOf(linear, "conv"));
    EXPECT_EQ(facts.layers - facts.fullLayers, wholeOf(linear, "layers"));
    EXPECT_EQ(model["layer_pattern"],
              fmt::format("({}L 1F) x {}", preset.linear->period - 1, facts.layers / preset.linear->period));
}

TEST(ShapesShared, EveryDimensionOfAPresetIsThatOfTheConfiguration) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/shapes.json");
    const json models = json::parse(text)["models"];
    int compared = 0;
    for (const ModelShapes& preset : shapePresets()) {
        if (!models.contains(preset.key)) {
            EXPECT_TRUE(preset.key.starts_with("study") || preset.key == "smollm2-135m") << preset.key;
            continue;
        }
        SCOPED_TRACE(preset.key);
        ++compared;
        const json& model = models[preset.key];
        EXPECT_EQ(preset.hidden, wholeOf(model, "hidden"));
        if (preset.key != "gemma-3-12b") { // 262208 with 64 entries that the text model does not use
            EXPECT_EQ(preset.vocabulary, wholeOf(model, "vocab"));
        }
        EXPECT_EQ(positionsOf(preset.key), wholeOf(model, "max_position"));
        const LayerGemm* const head = gemmNamed(preset, "lm_head");
        ASSERT_NE(head, nullptr);
        EXPECT_EQ(head->size, (GemmSize{preset.hidden, preset.vocabulary}));
        EXPECT_EQ(preset.embeddingWeights,
                  model["tied_embeddings"] == true ? 0 : preset.hidden * preset.vocabulary);
        compareAttention(preset, model);
        compareMla(preset, model);
        compareExperts(preset, model);
        compareLinear(preset, model);

        const auto embedding = static_cast<double>(preset.embeddingWeights);
        const double total = model["computed_total_b"].get<double>() * 1e9;
        const double active = model["computed_active_b"].get<double>() * 1e9;
        EXPECT_NEAR(totalWeights(preset) + embedding, total, 1e-3 * total);
        EXPECT_NEAR(weightsPerRow(preset) + embedding, active, 2e-3 * active);
    }
    EXPECT_EQ(compared, 11);
}

} // namespace
} // namespace loadline
