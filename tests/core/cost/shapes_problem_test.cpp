// Edited shapes: what is wrong is said, and what can be used can be kept as a file.
#include "core/cost/shapes/shape_limits.h"
#include "core/cost/shapes/shapes_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace loadline {
namespace {

TEST(ShapesProblem, PresetsAreSound) {
    for (const ModelShapes& preset : shapePresets()) {
        EXPECT_FALSE(problemOf(preset)) << preset.key << ": " << *problemOf(preset);
    }
}

TEST(ShapesProblem, TheLimitsThemselvesCanBeUsed) {
    ModelShapes shapes = *findShapePreset("gpt-oss-20b");
    LayerGemm& gemm = shapes.gemms[3];
    gemm.size = {mostSide, mostSide};
    gemm.perLayer = gemm.layers = static_cast<int>(mostLayers);
    gemm.experts = gemm.expertsPerRow = static_cast<int>(mostExperts);
    shapes.attention->window = mostWindow;
    shapes.attention->stateBytes = mostStateBytes;
    ASSERT_FALSE(problemOf(shapes)) << *problemOf(shapes);
    const auto again = shapesFromJson(toJson(shapes), "");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(*again, shapes);
}

TEST(ShapesProblem, OneLineReadsBackToo) {
    ModelShapes shapes = *findShapePreset("llama-3.1-8b");
    shapes.name = "two\nlines \"quoted\" {";
    const std::string line = toJsonLine(shapes);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(isShapesText(line));
    const auto again = shapesFromJson(line, "");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(*again, shapes);
    EXPECT_TRUE(isShapesText(" \n{"));
    for (const char* other : {"", " ", "study", "/folder/{shapes}.json", "[{"}) {
        EXPECT_FALSE(isShapesText(other)) << other;
    }
}

struct BadEdit {
    const char* name;
    std::function<void(ModelShapes&)> edit;
    const char* says;
};

class BadShapes : public testing::TestWithParam<BadEdit> {};

/// gpt-oss-20b: qkv, o, router, experts_gateup, experts_down, lm_head.
TEST_P(BadShapes, AreSaidAndCannotBeKept) {
    ModelShapes shapes = *findShapePreset("gpt-oss-20b");
    GetParam().edit(shapes);
    EXPECT_EQ(problemOf(shapes), GetParam().says);
    const auto again = shapesFromJson(toJson(shapes), "");
    EXPECT_FALSE(again && *again == shapes);
}

INSTANTIATE_TEST_SUITE_P(
    Edits, BadShapes,
    testing::Values(
        BadEdit{"nameless", [](ModelShapes& s) { s.name = s.key = ""; }, "the shapes have no name"},
        BadEdit{"empty", [](ModelShapes& s) { s.gemms.clear(); }, "there is no GEMM"},
        BadEdit{"many", [](ModelShapes& s) { s.gemms.resize(257); }, "there are more than 256 GEMMs"},
        BadEdit{"gemm_name", [](ModelShapes& s) { s.gemms[1].name = ""; }, "GEMM 2: it has no name"},
        BadEdit{"twice", [](ModelShapes& s) { s.gemms[1].name = "qkv"; }, "the name \"qkv\" stands twice"},
        BadEdit{"no_k", [](ModelShapes& s) { s.gemms[0].size.k = 0; },
                "GEMM 1, qkv: K is 0: choose 1 to 16777216"},
        BadEdit{"huge_n", [](ModelShapes& s) { s.gemms[0].size.n = mostSide + 1; },
                "GEMM 1, qkv: N is 16777217: choose 1 to 16777216"},
        BadEdit{"per_layer", [](ModelShapes& s) { s.gemms[0].perLayer = 0; },
                "GEMM 1, qkv: the number per layer is 0: choose 1 to 4096"},
        BadEdit{"layers", [](ModelShapes& s) { s.gemms[0].layers = -3; },
                "GEMM 1, qkv: the number of layers is -3: choose 1 to 4096"},
        BadEdit{"top", [](ModelShapes& s) { s.gemms[3].expertsPerRow = 33; },
                "GEMM 4, experts_gateup: the number of experts per row is 33: choose 1 to 32"},
        BadEdit{"no_top", [](ModelShapes& s) { s.gemms[3].expertsPerRow = 0; },
                "GEMM 4, experts_gateup: the number of experts per row is 0: choose 1 to 32"},
        BadEdit{"dense_top", [](ModelShapes& s) { s.gemms[3].experts = 0; },
                "GEMM 4, experts_gateup: experts per row need experts"},
        BadEdit{"experts", [](ModelShapes& s) { s.gemms[3].experts = -1; },
                "GEMM 4, experts_gateup: the number of experts is -1: choose 0 to 65536"},
        BadEdit{"attention_layers", [](ModelShapes& s) { s.attention->layers = 0; },
                "attention: the number of layers is 0: choose 1 to 4096"},
        BadEdit{"full", [](ModelShapes& s) { s.attention->fullLayers = 25; },
                "attention: the number of layers with full attention is 25: choose 0 to 24"},
        BadEdit{"kv_heads", [](ModelShapes& s) { s.attention->kvHeads = 65; },
                "attention: the number of KV heads is 65: choose 1 to 64"},
        BadEdit{"window", [](ModelShapes& s) { s.attention->window = 0; },
                "attention: a sliding window needs a size"},
        BadEdit{"head_size", [](ModelShapes& s) { s.attention->headDim = 0; },
                "attention: the head size is 0: choose 1 to 16384"},
        BadEdit{"state", [](ModelShapes& s) { s.attention->stateBytes = -1; },
                "attention: the state is -1 bytes: choose 0 to 1e+12"},
        BadEdit{"state_nan", [](ModelShapes& s) { s.attention->stateBytes = std::nan(""); },
                "attention: the state is nan bytes: choose 0 to 1e+12"}),
    [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace loadline
