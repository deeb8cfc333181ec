// Settings that a prediction may read do not depend on what was measured.
#include "core/base/file/read_file.h"
#include "core/serving/measured_row.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"
#include "core/validate/protocol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace loadline {
namespace {

/// The table with the columns blanked and the rows turned round.
std::string blankedAndTurned(const std::string& csv, const std::set<std::string>& blanked) {
    TraceLines lines(csv);
    const auto first = lines.next();
    const CsvHeader header(first ? first->text : "");
    std::vector<std::string> rows;
    CsvRow fields;
    while (const auto line = lines.next()) {
        fields.split(line->text);
        std::string row;
        for (std::size_t i = 0; i < header.names().size(); ++i) {
            const bool isBlank = blanked.contains(header.names()[i]);
            row += (i == 0 ? "\"" : ",\"") + (isBlank ? std::string() : std::string(fields.at(i))) + "\"";
        }
        rows.push_back(row + "\n");
    }
    std::ranges::reverse(rows);
    std::string table = std::string(first ? first->text : "") + "\n";
    for (const std::string& row : rows) {
        table += row;
    }
    return table;
}

TEST(ServerSettingsOfMeasuredServers, dependOnSettingsAlone) {
    const auto path = std::filesystem::path(LOADLINE_SHARED_DATA) / "serving" / "measured_vllm.csv";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the measured servers are not at " << path;
    }
    const auto text = readWholeFile(path.string(), "the measured servers");
    ASSERT_TRUE(text);
    const auto rows = readMeasuredRows(*text, path.string());
    const auto others = readMeasuredRows(
        blankedAndTurned(*text, {"ttft_ms", "tpot_ms", "n", "ttft_spread", "tpot_spread", "source", "tier",
                                 "note", "kv_bound", "family", "measured_from", "measured_to"}),
        path.string());
    ASSERT_TRUE(rows);
    ASSERT_TRUE(others);
    ASSERT_EQ(others->rows.size(), rows->rows.size());
    for (std::size_t i = 0; i < rows->rows.size(); ++i) {
        ServerSettings settings = rows->rows[i].settings;
        const ServerSettings& other = others->rows[rows->rows.size() - 1 - i].settings;
        const auto plan = servingPlanOf(settings);
        const auto otherPlan = servingPlanOf(other);
        ASSERT_TRUE(plan && otherPlan);
        EXPECT_EQ(plan->requests, otherPlan->requests);
        EXPECT_EQ(plan->users, otherPlan->users);
        settings.measuredFrom.reset(); // decides on the warm-up alone
        EXPECT_EQ(settings, other);
    }
}

} // namespace
} // namespace loadline
