// Points of measured rows.
#include "core/validate/judge_servers.h"

#include "core/serving/nearest_servers.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

MeasuredRow madeUpRow() {
    MeasuredRow row;
    row.settings.model = "meta-llama/Llama-3.1-70B";
    row.settings.system = "h200_sxm";
    row.settings.gemmFormat = "fp8";
    row.settings.promptTokens = 1000;
    row.settings.outputTokens = 101;
    row.settings.users = 64;
    row.settings.tensorParallel = 2;
    row.settings.dataParallel = 2;
    row.settings.engine.kv = KvType::Fp8;
    row.measured = {.ttftMs = 100, .tpotMs = 10};
    row.label.tier = "B";
    return row;
}

TEST(JudgeServers, PointsAreOfOneEngine) {
    MeasuredRow row = madeUpRow();
    const auto point = serverPointOf(row.settings);
    ASSERT_TRUE(point);
    EXPECT_EQ(point->gpu, "h200-sxm");
    EXPECT_EQ(point->experts, "");
    EXPECT_EQ(point->kv, "fp8");
    EXPECT_NEAR(point->totalBytes, 72.7e9, 0.1e9);
    EXPECT_EQ(point->newTokens, 1000);
    EXPECT_EQ(point->context, 1050);
    EXPECT_EQ(point->batch, 32);
    EXPECT_EQ(point->tensorParallel, 2);
    EXPECT_EQ(point->cachedShare, 0);
    row.settings.engine.maxNumSeqs = 8;
    EXPECT_EQ(serverPointOf(row.settings)->batch, 8);
    row.settings.model = "nobody/knows";
    EXPECT_FALSE(serverPointOf(row.settings));
}

TEST(JudgeServers, ErrorsArePredictedOverMeasured) {
    std::vector<MeasuredRow> rows(5, madeUpRow());
    rows[1].measured.ttftMs.reset();
    rows[1].label.isKvBound = true;
    rows[3].refusal = "column tp: is empty";
    rows[4].settings.model = "nobody/knows";
    const std::vector<ServerPrediction> predictions{
        {.ttftMs = 112.34567, .tpotMs = 9},
        {.ttftMs = 100, .tpotMs = 10},
        {.ttftMs = 0, .tpotMs = 0, .isKvBound = false, .notModelled = "no table"},
        {},
        {}};
    const std::vector<JudgedServer> judged = judgedServersOf(rows, predictions);
    ASSERT_EQ(judged.size(), 3U);
    EXPECT_DOUBLE_EQ(judged[0].ttftError.value(), 0.1235);
    EXPECT_DOUBLE_EQ(judged[0].tpotError.value(), -0.1);
    EXPECT_EQ(judged[0].tier, "B");
    EXPECT_FALSE(judged[0].at.isKvBound);
    EXPECT_FALSE(judged[1].ttftError);
    EXPECT_EQ(judged[1].tpotError, 0);
    EXPECT_TRUE(judged[1].at.isKvBound);
    EXPECT_FALSE(judged[2].ttftError || judged[2].tpotError);
    EXPECT_EQ(nearestServers(judged, judged[0].at).n, 1U);
}

} // namespace
} // namespace loadline
