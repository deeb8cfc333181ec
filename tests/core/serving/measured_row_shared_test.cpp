// The whole table of measured servers.
#include "core/serving/measured_row.h"

#include "core/base/file/read_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace loadline {
namespace {

TEST(MeasuredServers, areReadWhole) {
    const auto path = std::filesystem::path(LOADLINE_SHARED_DATA) / "serving" / "measured_vllm.csv";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the measured servers are not at " << path;
    }
    const auto text = readWholeFile(path.string(), "the measured servers");
    ASSERT_TRUE(text);
    const auto rows = readMeasuredRows(*text, path.string());
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->rows.size(), 389U);
    EXPECT_TRUE(std::ranges::all_of(rows->rows, [](const MeasuredRow& row) {
        return row.refusal.empty() && row.measured.ttftMs && row.measured.tpotMs;
    }));
    EXPECT_EQ(
        std::ranges::count_if(
            rows->rows, [](const MeasuredRow& row) { return row.label.tier == "A" && !row.label.isKvBound; }),
        146);
    // Rows of one configuration on several dates.
    ASSERT_EQ(rows->diagnostics.size(), 1U);
    EXPECT_EQ(rows->diagnostics[0].sentence(),
              "line 78 has the settings of line 77; 12 rows like this, all are kept");
}

} // namespace
} // namespace loadline
