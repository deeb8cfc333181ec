// What is a number in an option, a field or a table, and what is none.
#include "core/text/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace loadline {
namespace {

TEST(ParseNumber, takesDecimalNumbersThatFillTheText) {
    EXPECT_EQ(parseNumber<int>("0"), 0);
    EXPECT_EQ(parseNumber<int>("-17"), -17);
    EXPECT_EQ(parseNumber<std::int64_t>("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(parseNumber<std::uint64_t>("18446744073709551615"), UINT64_MAX);
    EXPECT_EQ(parseNumber<double>("2.5"), 2.5);
    EXPECT_EQ(parseNumber<double>("-1e-3"), -1e-3);
    EXPECT_EQ(parseNumber<double>("1E3"), 1000);
}

TEST(ParseNumber, refusesAllElse) {
    for (const char* text :
         {"",       " ",     " 5",     "5 ",     "5\n",           "+5",   "--5", "0x10",  "0b1",
          "1_000",  "1,000", "five",   "5k",     "nan",           "-nan", "inf", "-inf",  "infinity",
          "nan(1)", "1e400", "-1e400", "1e-400", "1e99999999999", "e5",   ".",   "1.2.3", "\xd9\xa3"}) {
        EXPECT_FALSE(parseNumber<int>(text)) << text;
        EXPECT_FALSE(parseNumber<std::uint64_t>(text)) << text;
        EXPECT_FALSE(parseNumber<double>(text)) << text;
    }
    EXPECT_FALSE(parseNumber<double>(std::string_view("1\0", 2)));
    EXPECT_FALSE(parseNumber<int>("1.0"));
    EXPECT_FALSE(parseNumber<int>("1e3"));
    EXPECT_FALSE(parseNumber<int>("2147483648"));
    EXPECT_FALSE(parseNumber<unsigned>("-1"));
    EXPECT_FALSE(parseNumber<std::uint64_t>("18446744073709551616"));
}

TEST(ParseNumber, holdsToItsRange) {
    constexpr NumberRange<int> threads{1, 256};
    EXPECT_EQ(parseNumber("1", threads), 1);
    EXPECT_EQ(parseNumber("256", threads), 256);
    EXPECT_FALSE(parseNumber("0", threads));
    EXPECT_FALSE(parseNumber("257", threads));
    EXPECT_FALSE(parseNumber("nan", NumberRange<double>{0, 1}));
}

} // namespace
} // namespace loadline
