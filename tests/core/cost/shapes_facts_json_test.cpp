// Facts for shards in JSON: optional, written where they are not the default.
#include "core/cost/shapes/shapes_json.h"
#include "core/cost/shapes/shard.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace loadline {
namespace {

TEST(ShapesFactsJson, PresetsAndTheirShardsReadBackEqual) {
    for (const ModelShapes& preset : shapePresets()) {
        for (const int tensor : tensorSizesOf(preset)) {
            const ModelShapes shard = *shardOf(preset, {.tensor = tensor});
            const Result<ModelShapes> again = shapesFromJson(toJson(shard), "");
            ASSERT_TRUE(again) << preset.key << ": " << again.error().sentence();
            EXPECT_EQ(*again, shard) << preset.key << ' ' << tensor;
        }
    }
    const ModelShapes spread = *shardOf(*findShapePreset("deepseek-v3"), {.tensor = 8, .expert = 64});
    const Result<ModelShapes> again = shapesFromJson(toJson(spread), "");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(*again, spread);
    EXPECT_FALSE(problemOf(spread)) << *problemOf(spread); // 8 experts of a row, 4 here
}

TEST(ShapesFactsJson, WhatIsNotStatedIsNotWritten) {
    for (const char* key : {"study", "study-kv-once", "study-moe"}) {
        const std::string text = toJson(*findShapePreset(key));
        for (const char* member : {"part", "cut", "elsewhere", "latent", "hidden", "vocabulary",
                                   "\"experts\": {", "mla", "linear", "qk_norm", "gated"}) {
            EXPECT_EQ(text.find(member), std::string::npos) << key << ' ' << member;
        }
    }
    for (const ModelShapes& preset : shapePresets()) { // their GEMMs say it by their names
        const std::string text = toJson(preset);
        EXPECT_EQ(text.find("\"part\""), std::string::npos) << preset.key;
        EXPECT_EQ(text.find("\"cut\""), std::string::npos) << preset.key;
        for (const LayerGemm& gemm : preset.gemms) {
            EXPECT_TRUE(layerPartOf(gemm) || preset.key.starts_with("study"))
                << preset.key << ' ' << gemm.name;
            EXPECT_EQ(layerPartOf(gemm).has_value(), weightCutOf(gemm).has_value()) << gemm.name;
            EXPECT_EQ(gemm.grouped(), layerPartOf(gemm) == LayerPart::Expert)
                << preset.key << ' ' << gemm.name;
            EXPECT_EQ(gemm.isHead(), layerPartOf(gemm) == LayerPart::Head) << preset.key << ' ' << gemm.name;
        }
    }
}

TEST(ShapesFactsJson, StatedPartsWinOverNames) {
    const auto shapes = shapesFromJson(R"({"schema": "loadline.shapes/1", "name": "m", "gemms": [
        {"name": "qkv", "shape": "8x8", "part": "latent", "cut": "whole"},
        {"name": "out", "shape": "8x8", "part": "head", "cut": "columns"}]})",
                                       "m.json");
    ASSERT_TRUE(shapes) << shapes.error().sentence();
    EXPECT_EQ(layerPartOf(shapes->gemms[0]), LayerPart::Latent);
    EXPECT_EQ(weightCutOf(shapes->gemms[0]), WeightCut::Whole);
    EXPECT_TRUE(shapes->gemms[1].isHead());
    EXPECT_EQ(*shapesFromJson(toJson(*shapes), ""), *shapes);
}

struct RefusedFacts {
    const char* more; ///< behind the GEMMs
    const char* says;
};

TEST(ShapesFactsJson, WhatIsWrongIsSaid) {
    const std::string begin =
        R"({"schema": "loadline.shapes/1", "name": "m", "gemms": [{"name": "q", "shape": "8x8")";
    for (const auto& [more, says] : {
             RefusedFacts{R"(, "part": "qvk"}])", "gemm 1: \"part\" qvk is not known"},
             {R"(, "cut": "diagonal"}])", "gemm 1: \"cut\" diagonal is not known"},
             {R"(, "cut": 3}])", "gemm 1: \"cut\" is not text"},
             {R"(, "experts_elsewhere": 3}])", "gemm 1: \"experts_elsewhere\" needs \"experts\""},
             {R"(, "experts": 4, "experts_elsewhere": 4, "experts_per_row": 9}])",
              "gemm 1: \"experts_per_row\" is not a whole number from 1 to 8"},
             {R"(}], "hidden": -1)", "\"hidden\" is not a whole number from 0 to 16777216"},
             {R"(}], "experts": {"number": 8, "top_k": 2})",
              "experts: \"width\" is not a whole number from 1 to 16777216"},
             {R"(}], "experts": {"number": 0})", "experts: \"number\" is not a whole number from 1 to 65536"},
             {R"(}], "mla": {"heads": 8, "rank": 3})",
              "mla: \"kv_rank\" is not a whole number from 1 to 16384"},
             {R"(}], "linear": 3)", "linear: it is not an object"},
             {R"(}], "qk_norm_across_ranks": "yes")", "\"qk_norm_across_ranks\" is neither true nor false"},
             {R"(}], "qk_norm_within_head": 1)", "\"qk_norm_within_head\" is neither true nor false"},
         }) {
        const auto shapes = shapesFromJson(begin + more + "}", "some.json");
        ASSERT_FALSE(shapes) << more;
        EXPECT_EQ(shapes.error().what, std::string("not a file of shapes: ") + says);
    }
}

TEST(ShapesFactsJson, EditedFactsAreChecked) {
    struct Edit {
        std::function<void(ModelShapes&)> edit;
        const char* says;
    };

    const Edit edits[] = {
        {[](ModelShapes& s) { s.hidden = -1; }, "the hidden size is -1: choose 0 to 16777216"},
        {[](ModelShapes& s) { s.experts->topK = 0; }, "experts: the number per row is 0: choose 1 to 65536"},
        {[](ModelShapes& s) { s.mla->kvRank = 0; }, "MLA: the rank of KV is 0: choose 1 to 16384"},
        {[](ModelShapes& s) { s.attention->latentValues = -1; },
         "attention: the size of the latent is -1: choose 0 to 16384"},
        {[](ModelShapes& s) { s.linear = LinearFacts{}; },
         "linear attention: the number of key heads is 0: choose 1 to 16384"},
        {[](ModelShapes& s) { s.gemms[0].expertsElsewhere = 2; },
         "GEMM 1, qkv_latent: experts elsewhere need experts"},
    };
    for (const auto& [edit, says] : edits) {
        ModelShapes shapes = *findShapePreset("deepseek-v3");
        edit(shapes);
        EXPECT_EQ(problemOf(shapes), says);
    }
}

} // namespace
} // namespace loadline
