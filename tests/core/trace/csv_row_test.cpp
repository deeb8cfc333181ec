// Rows of comma-separated values: a row of nothing but commas takes no memory.
#include "core/trace/csv_row.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace loadline {
namespace {

TEST(CsvRowTest, FieldsLoseBlanksAndQuotes) {
    CsvRow row;
    row.split(R"( a ,"b, ""c""" ,,d)");
    ASSERT_EQ(row.size(), 4U);
    EXPECT_EQ(row.at(0), "a");
    EXPECT_EQ(row.at(1), R"(b, "c")");
    EXPECT_EQ(row.at(2), "");
    EXPECT_EQ(row.at(3), "d");
    EXPECT_EQ(row.at(4), "");
}

TEST(CsvRowTest, ColumnsBeyondTheLimitAreNotLookedAt) {
    CsvRow row;
    row.split(std::string(1'000'000, ',') + "\"x\"");
    EXPECT_EQ(row.size(), mostColumns);
    const CsvHeader last(std::string(mostColumns - 1, ',') + "Time");
    EXPECT_EQ(last.find("time"), mostColumns - 1);
    const CsvHeader beyond(std::string(mostColumns, ',') + "Time");
    EXPECT_EQ(beyond.find("time"), std::nullopt);
    EXPECT_EQ(beyond.names().size(), mostColumns);
}

} // namespace
} // namespace loadline
