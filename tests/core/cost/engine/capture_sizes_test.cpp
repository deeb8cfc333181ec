// Sizes of CUDA graphs, and rows padded to them.
#include "core/cost/engine/capture_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

EngineSettings settingsOf(int minor, Tokens most) {
    EngineSettings settings = engineSettingsOf({.major = 0, .minor = minor}, 8192, 1024);
    settings.cudagraphMax = most;
    return settings;
}

TEST(CaptureSizes, growByEightThenBySixteen) {
    EXPECT_THAT(captureSizes(settingsOf(19, 40)), testing::ElementsAre(1, 2, 4, 8, 16, 24, 32, 40));
    const std::vector<Tokens> sizes = captureSizes(settingsOf(19, 512));
    EXPECT_EQ(sizes.size(), 51U);
    EXPECT_THAT(sizes, testing::IsSupersetOf({248, 256, 272, 512}));
    EXPECT_THAT(sizes, testing::Not(testing::Contains(264)));
    EXPECT_THAT(captureSizes(settingsOf(10, 512)), testing::Contains(264));
    EXPECT_EQ(captureSizes(settingsOf(10, 512)).size(), 67U);
}

TEST(CaptureSizes, stayBelowTheLimits) {
    EXPECT_THAT(captureSizes(settingsOf(19, 3)), testing::ElementsAre(1, 2));
    EXPECT_THAT(captureSizes(settingsOf(19, 12)), testing::ElementsAre(1, 2, 4, 8));
    EXPECT_TRUE(captureSizes(settingsOf(19, 0)).empty());
    EngineSettings settings = settingsOf(19, 512);
    settings.maxNumBatchedTokens = 16;
    EXPECT_EQ(captureSizes(settings).back(), 16);
    settings.graphs = GraphMode::None;
    EXPECT_TRUE(captureSizes(settings).empty());
}

TEST(PaddedRows, areTheNextCapturedSize) {
    const EngineSettings settings = settingsOf(19, 512);
    EXPECT_EQ(paddedRows(settings, 1, true), (PaddedRows{.rows = 1, .isCaptured = true}));
    EXPECT_EQ(paddedRows(settings, 3, true), (PaddedRows{.rows = 4, .isCaptured = true}));
    EXPECT_EQ(paddedRows(settings, 257, false), (PaddedRows{.rows = 272, .isCaptured = true}));
    EXPECT_EQ(paddedRows(settings, 512, false), (PaddedRows{.rows = 512, .isCaptured = true}));
    EXPECT_EQ(paddedRows(settings, 513, true), (PaddedRows{.rows = 513, .isCaptured = false}));
}

TEST(PaddedRows, onlyOfDecodesWhereOnlyTheyAreCaptured) {
    EngineSettings settings = settingsOf(10, 512);
    settings.graphs = GraphMode::FullDecodeOnly;
    EXPECT_EQ(paddedRows(settings, 9, true), (PaddedRows{.rows = 16, .isCaptured = true}));
    EXPECT_EQ(paddedRows(settings, 9, false), (PaddedRows{.rows = 9, .isCaptured = false}));
    settings.graphs = GraphMode::None;
    EXPECT_EQ(paddedRows(settings, 9, true), (PaddedRows{.rows = 9, .isCaptured = false}));
}

} // namespace
} // namespace loadline
