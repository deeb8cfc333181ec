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
    EXPECT_TRUE(std::ranges::all_of(rows->diagnostics, [](const RowDiagnostic& diagnostic) {
        return diagnostic.what.ends_with("both are kept");
    }));
}

} // namespace
} // namespace loadline
