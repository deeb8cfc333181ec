// Which parts of a step the atlas that comes with the program has times of.
#include "core/cost/step/coverage.h"

#include "core/cost/step/step_model.h"
#include "tests/core/validate/shipped_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace loadline {
namespace {

StepCoverage coverageOn(const char* gpu, const CoveredModel& model) {
    return stepCoverageOf(shippedLibrary().find(gpu), model);
}

constexpr CoveredModel llama70Fp8{.model = "llama-3.1-70b", .weights = "fp8", .experts = ""};

TEST(StepCoverage, IsThatOfTheStepModel) {
    const StepCoverage coverage = coverageOn("h100-sxm", llama70Fp8);
    ASSERT_TRUE(coverage.steps) << coverage.notCovered;
    EXPECT_EQ(coverage.tensorParallel, 4); // on two the steps' KV, 43 GB a GPU, has no room
    EXPECT_EQ(coverage.model, "Llama-3.1-70B");
    const auto model = StepModel::make(
        shippedLibrary().find("h100-sxm"),
        {.model = *findShapePreset("llama-3.1-70b"), .tensorParallel = 4, .weightFormat = "fp8"});
    ASSERT_TRUE(model);
    const double decodeUs = (*model)->us({.decodes = 32,
                                          .decodeContext = 32 * 8192,
                                          .chunks = {},
                                          .sampledRows = 32,
                                          .rows = 32,
                                          .paddedRows = 32,
                                          .isCaptured = true});
    const double chunkUs = (*model)->us({.decodes = 0,
                                         .decodeContext = 0,
                                         .chunks = {{.added = 2048, .cached = 0}},
                                         .sampledRows = 1,
                                         .rows = 2048,
                                         .paddedRows = 2048,
                                         .isCaptured = false});
    EXPECT_NEAR(coverage.steps->total(), decodeUs + chunkUs, 1e-6 * decodeUs);
    EXPECT_EQ(coverage.steps->mostOf(ServedPart::SmallKernels), CoverageKind::Modelled);
    EXPECT_EQ(coverage.steps->mostOf(ServedPart::Decode), CoverageKind::Measured); // 32 and 8,192 are cells
    EXPECT_EQ(coverage.steps->mostOf(ServedPart::Experts), std::nullopt);
    EXPECT_EQ(coverage.steps->of(CoverageKind::Proxied), 0);
}

TEST(StepCoverage, TellsProxiesFromExtrapolation) {
    const StepCoverage coverage =
        coverageOn("l40s", {.model = "minimax-m2.5", .weights = "fp8_block", .experts = "fp8_block"});
    ASSERT_TRUE(coverage.steps) << coverage.notCovered;
    EXPECT_EQ(coverage.steps->mostOf(ServedPart::Experts), CoverageKind::Proxied);
    EXPECT_NE(coverage.expertSource.find(", for "), std::string::npos) << coverage.expertSource;
    EXPECT_EQ(coverage.steps->of(CoverageKind::Proxied), coverage.steps->of(ServedPart::Experts));
}

TEST(StepCoverage, SaysWhyNothingAnswers) {
    const StepCoverage noFp8 = coverageOn("a100-sxm", llama70Fp8);
    EXPECT_FALSE(noFp8.steps);
    EXPECT_EQ(noFp8.tensorParallel, 4);
    EXPECT_NE(noFp8.notCovered.find("fp8"), std::string::npos) << noFp8.notCovered;
    const StepCoverage noRoom =
        coverageOn("l40s", {.model = "qwen3-235b-a22b", .weights = "bf16", .experts = "bf16"});
    EXPECT_FALSE(noRoom.steps);
    EXPECT_EQ(noRoom.tensorParallel, 0);
    EXPECT_NE(noRoom.notCovered.find("no room"), std::string::npos) << noRoom.notCovered;
    const StepCoverage noModel = coverageOn("l40s", {.model = "nobodys", .weights = "bf16", .experts = ""});
    EXPECT_NE(noModel.notCovered.find("nobodys"), std::string::npos);
}

TEST(StepCoverage, HasAnAnswerOrASentenceForEveryPair) {
    const auto rows = stepCoverage(shippedLibrary(), 2, {});
    ASSERT_EQ(rows.size(), atlasNames().size() * coveredModels().size());
    std::set<std::string> answered;
    for (const StepCoverage& row : rows) {
        EXPECT_NE(row.steps.has_value(), !row.notCovered.empty()) << row.gpu << row.model;
        if (!row.steps) {
            continue;
        }
        answered.insert(row.gpu);
        double shares = 0;
        for (std::size_t kind = 0; kind < coverageKindCount; ++kind) {
            shares += row.steps->shareOf(static_cast<CoverageKind>(kind));
        }
        EXPECT_NEAR(shares, 1, 1e-9);
        EXPECT_GT(row.steps->of(ServedPart::Decode), 0);
        EXPECT_GT(row.steps->of(ServedPart::Prefill), 0);
        EXPECT_EQ(row.steps->of(ServedPart::Experts) > 0, !row.experts.empty());
        EXPECT_EQ(row.steps->of(ServedPart::AllReduce) > 0, row.tensorParallel > 1);
    }
    EXPECT_EQ(answered.size(), atlasNames().size());
    EXPECT_EQ(rows, stepCoverage(shippedLibrary(), 1, {}));
}

TEST(StepCoverage, LibrariesWithoutGpusOrTables) {
    const AtlasLibrary none{[](std::string_view) { return nullptr; }};
    EXPECT_TRUE(stepCoverage(none, 1, {}).empty());
    const auto noTables = std::make_shared<const AtlasSurfaces>(
        std::make_shared<const Atlas>("l40s", shelfInFolder("/nowhere")), *findHardware("L40S"));
    const StepCoverage coverage = stepCoverageOf(noTables, llama70Fp8);
    EXPECT_FALSE(coverage.steps);
    EXPECT_NE(coverage.notCovered.find("linear layers"), std::string::npos) << coverage.notCovered;
}

} // namespace
} // namespace loadline
