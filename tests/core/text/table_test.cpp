// CSV: quoting, formulas, numbers that read back equal.
#include "core/text/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace loadline {
namespace {

TEST(Table, csvQuotesOnlyWhatNeedsIt) {
    const Table table{{"name", "tokens", "share"},
                      {{std::string("plain"), std::int64_t{7}, 0.5},
                       {std::string("a,b \"c\"\nd"), std::int64_t{-7}, 1.0},
                       {std::monostate{}, std::monostate{}, std::monostate{}}}};
    EXPECT_EQ(toCsv(table), "name,tokens,share\nplain,7,0.5\n\"a,b \"\"c\"\"\nd\",-7,1\n,,\n");
}

TEST(Table, textThatASpreadsheetWouldRunIsDefused) {
    for (const char* text : {"=1+1", "+1", "-1", "@sum", "\tx"}) {
        EXPECT_EQ(textOf(Cell(std::string(text))), std::string("'") + text);
    }
    EXPECT_EQ(textOf(Cell(std::string("a=1"))), "a=1");
    EXPECT_EQ(textOf(Cell(std::int64_t{-1})), "-1"); // a number is no formula
}

TEST(Table, whatIsHiddenShows) {
    EXPECT_EQ(textOf(Cell(std::string("a\x1b[2J\xff\u202e"))), "a\\x1b[2J\\xff\\u202e");
    EXPECT_EQ(toCsv(Table{{"a"}, {{std::string("b\r\nc")}}}), "a\n\"b\\r\nc\"\n");
}

TEST(Table, realsReadBackEqual) {
    for (const double x : {0.1, 1.0 / 3, 1e-300, 6.02214076e23, std::numeric_limits<double>::max(),
                           std::numeric_limits<double>::denorm_min(), -2.5}) {
        EXPECT_EQ(std::strtod(textOf(Cell(x)).c_str(), nullptr), x);
    }
}

TEST(Table, headerAloneWhenThereAreNoRows) {
    EXPECT_EQ(toCsv(Table{{"a", "b"}, {}}), "a,b\n");
}

} // namespace
} // namespace loadline
