// Shapes as JSON: every preset there and back, and files that are refused.
#include "core/cost/shapes/shapes_json.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(ShapesJson, EveryPresetReadsBackEqual) {
    for (const ModelShapes& preset : shapePresets()) {
        const auto again = shapesFromJson(toJson(preset), "preset.json");
        ASSERT_TRUE(again) << preset.key << ": " << again.error().sentence();
        EXPECT_EQ(*again, preset) << preset.key;
    }
}

TEST(ShapesJson, HasDefaults) {
    const auto shapes = shapesFromJson(
        R"({"schema": "loadline.shapes/1", "name": "mine",
            "gemms": [{"name": "qkv", "shape": "64x96"},
                      {"name": "e", "shape": "32x16", "experts": 8, "experts_per_row": 2, "quantised": false}],
            "attention": {"layers": 3, "q_heads": 4, "kv_heads": 2, "head_dim": 16}})",
        "mine.json");
    ASSERT_TRUE(shapes) << shapes.error().sentence();
    EXPECT_EQ(shapes->key, "mine");
    ASSERT_EQ(shapes->gemms.size(), 2U);
    EXPECT_EQ(shapes->gemms[0], (LayerGemm{.name = "qkv", .size = {64, 96}}));
    EXPECT_EQ(
        shapes->gemms[1],
        (LayerGemm{.name = "e", .size = {32, 16}, .experts = 8, .expertsPerRow = 2, .quantised = false}));
    EXPECT_EQ(shapes->attention,
              (AttentionFacts{.layers = 3, .fullLayers = 3, .qHeads = 4, .kvHeads = 2, .headDim = 16}));
}

std::string withGemm(const std::string& gemm) {
    return R"({"schema": "loadline.shapes/1", "name": "m", "gemms": [)" + gemm + "]}";
}

std::string withAttention(const std::string& attention) {
    return R"({"schema": "loadline.shapes/1", "name": "m", "gemms": [{"name": "q", "shape": "8x8"}], "attention": )" +
           attention + "}";
}

struct RefusedShapesCase {
    const char* name;
    std::string json;
    const char* says;
};

class RefusedShapes : public testing::TestWithParam<RefusedShapesCase> {};

TEST_P(RefusedShapes, SaysWhatIsWrong) {
    const auto shapes = shapesFromJson(GetParam().json, "some.json");
    ASSERT_FALSE(shapes);
    EXPECT_EQ(shapes.error().what, std::string("not a file of shapes: ") + GetParam().says);
    EXPECT_EQ(shapes.error().where, "some.json");
    EXPECT_FALSE(shapes.error().remedy.empty());
}

const RefusedShapesCase refusedShapes[] = {
    {"empty", "", "it is not JSON"},
    {"list", "[]", "it is not a JSON object"},
    {"schema", "{}", "its \"schema\" is not \"loadline.shapes/1\""},
    {"unknown", R"({"schema": "loadline.shapes/1", "layers": 3})", "\"layers\" is not a known key"},
    {"nameless", R"({"schema": "loadline.shapes/1"})", "its \"name\" is missing"},
    {"no_gemms", R"({"schema": "loadline.shapes/1", "name": "m", "gemms": []})",
     "its \"gemms\" are missing or empty"},
    {"gemm_kind", withGemm("3"), "gemm 1: it is not an object"},
    {"gemm_key", withGemm(R"({"name": "a", "shape": "8x8", "expert": 3})"),
     "gemm 1: \"expert\" is not a known key"},
    {"gemm_name", withGemm(R"({"shape": "8x8"})"), "gemm 1: its \"name\" is missing"},
    {"gemm_shape", withGemm(R"({"name": "a", "shape": "8x0"})"),
     "gemm 1: the shape \"8x0\" is not K x N, like \"2048x5120\""},
    {"gemm_layers", withGemm(R"({"name": "a", "shape": "8x8", "layers": 0})"),
     "gemm 1: \"layers\" is not a whole number from 1 to 4096"},
    {"gemm_fraction", withGemm(R"({"name": "a", "shape": "8x8", "layers": 1.5})"),
     "gemm 1: \"layers\" is not a whole number from 1 to 4096"},
    {"gemm_huge", withGemm(R"({"name": "a", "shape": "8x8", "per_layer": 1e300})"),
     "gemm 1: \"per_layer\" is not a whole number from 1 to 4096"},
    {"gemm_experts", withGemm(R"({"name": "a", "shape": "8x8", "experts": 4, "experts_per_row": 5})"),
     "gemm 1: \"experts_per_row\" is not a whole number from 1 to 4"},
    {"gemm_top", withGemm(R"({"name": "a", "shape": "8x8", "experts": 4})"),
     "gemm 1: \"experts_per_row\" is not a whole number from 1 to 4"},
    {"gemm_dense", withGemm(R"({"name": "a", "shape": "8x8", "experts_per_row": 5})"),
     "gemm 1: \"experts_per_row\" needs \"experts\""},
    {"gemm_flag", withGemm(R"({"name": "a", "shape": "8x8", "quantised": 1})"),
     "gemm 1: \"quantised\" is neither true nor false"},
    {"gemm_twice", withGemm(R"({"name": "a", "shape": "8x8"}, {"name": "a", "shape": "8x9"})"),
     "gemm 2: the name \"a\" stands twice"},
    {"attention_kind", withAttention("3"), "attention: it is not an object"},
    {"attention_word", withAttention(R"({"kind": "flash", "layers": 1, "q_heads": 1})"),
     "attention: \"kind\" flash is not grouped, sliding_window or hybrid_linear"},
    {"attention_heads", withAttention(R"({"layers": 1, "q_heads": 4, "kv_heads": 8, "head_dim": 1})"),
     "attention: \"kv_heads\" is not a whole number from 1 to 4"},
    {"attention_full",
     withAttention(R"({"layers": 1, "full_layers": 2, "q_heads": 4, "kv_heads": 2, "head_dim": 1})"),
     "attention: \"full_layers\" is not a whole number from 0 to 1"},
    {"attention_state",
     withAttention(R"({"layers": 1, "q_heads": 4, "kv_heads": 2, "head_dim": 1, "state_bytes": -1})"),
     "attention: \"state_bytes\" is not a number of bytes from 0 to 1e+12"},
    {"attention_window",
     withAttention(R"({"kind": "sliding_window", "layers": 1, "q_heads": 4, "kv_heads": 2, "head_dim": 1})"),
     "attention: sliding_window needs a \"window\""},
};

INSTANTIATE_TEST_SUITE_P(Files, RefusedShapes, testing::ValuesIn(refusedShapes),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace loadline
