// Errors of predictions, computed by hand.
#include "core/validate/error_table.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

MeasuredRow rowOf(std::int64_t users, std::optional<double> ttftMs, std::optional<double> tpotMs) {
    MeasuredRow row;
    row.settings.model = "m";
    row.settings.system = "s";
    row.settings.users = users;
    row.label.tier = "A";
    row.measured = {.ttftMs = ttftMs, .tpotMs = tpotMs};
    return row;
}

ServerPrediction predicted(double ttftMs, double tpotMs) {
    return {.ttftMs = ttftMs, .tpotMs = tpotMs, .isKvBound = false};
}

TEST(ErrorTable, figuresOfFiveRows) {
    const std::vector<MeasuredRow> rows{rowOf(4, 100, 10), rowOf(8, 100, 10), rowOf(16, 100, std::nullopt),
                                        rowOf(16, 100, 10), rowOf(16, 100, 10)};
    std::vector<ServerPrediction> predictions{predicted(90, 11), predicted(80, 9), predicted(140, 9),
                                              predicted(110, 10), predicted(0, 0)};
    predictions[4].notModelled = "no table";
    const ErrorTable table = errorTableOf(rows, predictions);
    ASSERT_EQ(table.groups.size(), 1U);
    EXPECT_EQ(table.groups[0].errors, table.judged);
    EXPECT_EQ(table.groups[0].users, "1-16");
    EXPECT_EQ(table.judged.n, 5U);
    EXPECT_EQ(table.judged.notModelled, 1U);
    // TTFT: -0.1, -0.2, 0.4, 0.1, 1
    ASSERT_TRUE(table.judged.ttft);
    EXPECT_EQ(table.judged.ttft->n, 5U);
    EXPECT_NEAR(table.judged.ttft->median, 0.2, 1e-12);
    EXPECT_NEAR(table.judged.ttft->mape, 1.8 / 5, 1e-12);
    EXPECT_NEAR(table.judged.ttft->bias, 0.1, 1e-12);
    EXPECT_NEAR(table.judged.ttft->p90, 0.4 + 0.6 * 0.6, 1e-12);
    // TPOT: 0.1, -0.1, 0, 1
    ASSERT_TRUE(table.judged.tpot);
    EXPECT_EQ(table.judged.tpot->n, 4U);
    EXPECT_NEAR(table.judged.tpot->median, 0.1, 1e-12);
    EXPECT_NEAR(table.judged.tpot->bias, 0.05, 1e-12);
}

TEST(ErrorTable, groupsAndJudgedRows) {
    std::vector<MeasuredRow> rows{rowOf(16, 100, 10),
                                  rowOf(17, 100, 10),
                                  rowOf(129, 100, 10),
                                  rowOf(16, 100, 10),
                                  rowOf(16, std::nullopt, std::nullopt),
                                  rowOf(16, 100, 10)};
    rows[1].label.tier = "B";
    rows[2].label.isKvBound = true;
    rows[3].settings.tensorParallel = 2;
    const std::vector<ServerPrediction> predictions(rows.size(), predicted(110, 12));
    const ErrorTable table = errorTableOf(rows, predictions);
    ASSERT_EQ(table.groups.size(), 4U);
    EXPECT_EQ(table.groups[0].errors.n, 2U);
    EXPECT_EQ(table.groups[1].users, "17-128");
    EXPECT_EQ(table.groups[1].tier, "B");
    EXPECT_EQ(table.groups[2].users, "129-");
    EXPECT_TRUE(table.groups[2].isKvBound);
    EXPECT_EQ(table.groups[3].tensorParallel, 2);
    EXPECT_EQ(table.judged.n, 3U);
    const auto bySize = errorsBy(rows, predictions, [](const MeasuredRow& row) {
        return isJudged(row.label) ? std::to_string(row.settings.tensorParallel) : "";
    });
    ASSERT_EQ(bySize.size(), 2U);
    EXPECT_EQ(bySize[0].key, "1");
    EXPECT_EQ(bySize[0].errors.n, 2U);
}

TEST(ErrorTable, isEmptyWithoutMeasurements) {
    const std::vector<MeasuredRow> rows{rowOf(16, std::nullopt, std::nullopt)};
    const ErrorTable table = errorTableOf(rows, std::vector<ServerPrediction>(1));
    EXPECT_TRUE(table.groups.empty());
    EXPECT_EQ(table.judged, ServerErrors{});
}

} // namespace
} // namespace loadline
