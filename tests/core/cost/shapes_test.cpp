// Sizes, bytes and experts of the models offered.
#include "core/cost/shapes/shapes.h"

#include <gtest/gtest.h>

#include <set>

namespace loadline {
namespace {

TEST(Shapes, BytesPerWeightCountTheScaleOfEachBlockOf32) {
    EXPECT_DOUBLE_EQ(bytesPerWeight(4), 4.25 / 8);
    EXPECT_DOUBLE_EQ(bytesPerWeight(2), 2.25 / 8);
    EXPECT_DOUBLE_EQ(bytesPerWeight(4, AbsmaxFormat::Fp32), 5.0 / 8);
    EXPECT_DOUBLE_EQ(bytesPerWeight(fp16Bits), 2);
    EXPECT_NEAR(bytesPerWeight(fp16Bits) / bytesPerWeight(4), 3.76, 0.005);
    EXPECT_NEAR(bytesPerWeight(fp16Bits) / bytesPerWeight(4, AbsmaxFormat::Fp32), 3.2, 1e-9);
}

TEST(Shapes, SizesReadBackAndNonsenseIsRefused) {
    EXPECT_EQ(textOf({.k = 2048, .n = 5120}), "2048x5120");
    EXPECT_EQ(gemmSizeFromText("2048x5120"), (GemmSize{.k = 2048, .n = 5120}));
    for (const char* text :
         {"", "x", "2048", "2048x", "x5120", "0x5", "-1x5", "20.5x3", "5x5x5", "99999999x1", "5 x5"}) {
        EXPECT_FALSE(gemmSizeFromText(text)) << text;
    }
}

TEST(Shapes, TheStudyCountsSixDenseGemmsOrFive) {
    const ModelShapes twice = studyShapes();
    const ModelShapes once = studyShapes({.kvTwice = false});
    EXPECT_DOUBLE_EQ(totalWeights(twice) - totalWeights(once), 2048.0 * 512);
    EXPECT_DOUBLE_EQ(totalWeights(once), 2 * 2048.0 * 5120 + 2 * 2048.0 * 4096 + 2048.0 * 512);
    EXPECT_EQ(studyShapes({.experts = true}).gemms.size(), 7U);
}

TEST(Shapes, QwenCoderNextUsesThreeAndAQuarterBillionWeightsPerToken) {
    const ModelShapes* model = findShapePreset("qwen3-coder-next");
    ASSERT_NE(model, nullptr);
    const double head = 2048.0 * 151936;
    EXPECT_NEAR((weightsPerRow(*model) - head) / 1e9, 3.25, 0.005);
    EXPECT_NEAR(totalWeights(*model) / 1e9, 80, 1.5); // "80 B total", embeddings aside
}

TEST(Shapes, ParametersOfTheModelsAreNearTheirNames) {
    struct Case {
        const char* key;
        double totalBillion, embeddingBillion;
    };

    // Published totals less the input embedding (hidden x vocabulary), which is no GEMM.
    for (const auto& [key, total, embedding] :
         {Case{"llama-3.1-8b", 8.03, 0.525}, Case{"llama-3.1-70b", 70.6, 1.05},
          Case{"qwen3-32b", 32.8, 0.778}, Case{"gpt-oss-20b", 20.9, 0.579},
          Case{"gpt-oss-120b", 116.8, 0.579}}) {
        const ModelShapes* model = findShapePreset(key);
        ASSERT_NE(model, nullptr) << key;
        EXPECT_NEAR(totalWeights(*model) / 1e9, total - embedding, 0.01 * total) << key;
    }
}

TEST(Shapes, PresetsHaveKeysSourcesAndSizesOfTheirOwn) {
    std::set<std::string> keys;
    for (const ModelShapes& preset : shapePresets()) {
        EXPECT_TRUE(keys.insert(preset.key).second) << preset.key;
        EXPECT_FALSE(preset.source.empty()) << preset.key;
        for (const LayerGemm& gemm : preset.gemms) {
            EXPECT_GT(gemm.size.elements(), 0) << preset.key << ' ' << gemm.name;
            EXPECT_LE(gemm.expertsPerRow, gemm.experts) << preset.key << ' ' << gemm.name;
        }
    }
    EXPECT_EQ(findShapePreset("no such model"), nullptr);
}

TEST(Shapes, RowsSpreadOverExperts) {
    const LayerGemm dense{.name = "d", .size = {8, 8}};
    EXPECT_EQ(expertLoad(dense, 7), (ExpertLoad{.activeExperts = 1, .rowsPerExpert = 7}));
    const LayerGemm moe{.name = "e", .size = {8, 8}, .experts = 512, .expertsPerRow = 8};
    const ExpertLoad one = expertLoad(moe, 1);
    EXPECT_NEAR(one.activeExperts, 8, 1e-9);
    EXPECT_NEAR(one.rowsPerExpert, 1, 1e-9);
    const ExpertLoad two = expertLoad(moe, 2); // 512 (1 - (504/512)^2) = 15.875
    EXPECT_NEAR(two.activeExperts, 15.875, 1e-9);
    double last = 0;
    for (double m = 1; m <= 1 << 20; m *= 2) {
        const ExpertLoad load = expertLoad(moe, m);
        EXPECT_NEAR(load.activeExperts * load.rowsPerExpert, 8 * m,
                    1e-6 * m); // every row reaches its experts
        EXPECT_GE(load.activeExperts, last);
        EXPECT_LE(load.activeExperts, 512);
        EXPECT_GE(load.rowsPerExpert, 1);
        last = load.activeExperts;
    }
}

} // namespace
} // namespace loadline
