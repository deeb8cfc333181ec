// Numbers for people: tables of examples, and that rounding never crosses a unit wrongly.
#include "core/text/number_format.h"

#include "core/text/counted.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace loadline {
namespace {

TEST(NumberFormat, counts) {
    const std::pair<double, const char*> examples[] = {
        {0, "0"},
        {1, "1"},
        {950, "950"},
        {999, "999"},
        {1000, "1 k"},
        {1300, "1.3 k"},
        {1234, "1.23 k"},
        {12'345, "12.3 k"},
        {99'949, "99.9 k"},
        {99'951, "100 k"},
        {999'499, "999 k"},
        {999'500, "1 M"},
        {1'200'000, "1.2 M"},
        {2.014e9, "2.01 G"},
        {3e12, "3 T"},
        {-1500, "-1.5 k"},
        {0.5, "0.5"},
        {12.34, "12.3"},
        {999.4, "999"},
        {999.7, "1 k"},
        {1e30, "1000000000000 E"},
    };
    for (const auto& [n, text] : examples) {
        EXPECT_EQ(formatCount(n), text) << n;
    }
}

TEST(NumberFormat, countsThatAreNoNumbers) {
    EXPECT_EQ(formatCount(std::numeric_limits<double>::infinity()), "\u221e");
    EXPECT_EQ(formatCount(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(NumberFormat, noNumberIsWrittenWithACommaOrAnExponentAnybodyMeets) {
    for (const double n :
         {0.001, 0.5, 12.25, 999.4, 1000.0, 2048.0, 16'384.0, 92'681.0, 1'234'567.0, 3.35e9}) {
        for (const std::string& text : {formatCount(n), formatReal(n), formatReal(n, 3), formatFixed(n, 1),
                                        formatExact(static_cast<std::int64_t>(n)), formatSeconds(n / 1e3)}) {
            EXPECT_EQ(text.find(','), std::string::npos) << text;
            EXPECT_EQ(text.find('e'), std::string::npos) << text;
        }
    }
    EXPECT_EQ(formatReal(3352.6, 3), "3\u202f353"); // a rate or a mean of rows: all before the point
    EXPECT_EQ(counted(2260, "API call"), "2\u202f260 API calls");
    EXPECT_EQ(counted(1, "turn"), "1 turn");
}

TEST(NumberFormat, exactNumbersAreGrouped) {
    EXPECT_EQ(formatExact(0), "0");
    EXPECT_EQ(formatExact(999), "999");
    EXPECT_EQ(formatExact(1000), "1\u202f000");
    EXPECT_EQ(formatExact(29'856'681), "29\u202f856\u202f681");
    EXPECT_EQ(formatExact(-123'456), "-123\u202f456");
    EXPECT_EQ(formatExact(std::numeric_limits<std::int64_t>::min()),
              "-9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808");
}

TEST(NumberFormat, bytes) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatBytes(2'010'000'000), "2.01 GB");
    EXPECT_EQ(formatBytes(999'999), "1 MB");
    EXPECT_EQ(formatBytes(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(NumberFormat, durations) {
    const std::pair<std::int64_t, const char*> examples[] = {
        {0, "0 ms"},
        {480, "480 ms"},
        {1000, "1.0 s"},
        {12'400, "12.4 s"},
        {59'949, "59.9 s"},
        {59'950, "1 min 00 s"},
        {250'000, "4 min 10 s"},
        {3'599'499, "59 min 59 s"},
        {3'599'500, "1 h 00 min"},
        {7'500'000, "2 h 05 min"},
        {86'399'999, "1 d 0 h"},
        {273'600'000, "3 d 4 h"},
        {-250'000, "-4 min 10 s"},
    };
    for (const auto& [ms, text] : examples) {
        EXPECT_EQ(formatDuration(ms), text) << ms;
    }
    EXPECT_EQ(formatDuration(std::numeric_limits<std::int64_t>::min()).front(), '-');
}

TEST(NumberFormat, sharesNeverClaimNothingOrEverythingWrongly) {
    EXPECT_EQ(formatShare(0), "0 %");
    EXPECT_EQ(formatShare(1), "100 %");
    EXPECT_EQ(formatShare(0.982), "98.2 %");
    EXPECT_EQ(formatShare(0.5), "50.0 %");
    EXPECT_EQ(formatShare(1e-9), "< 0.1 %");
    EXPECT_EQ(formatShare(0.99999), "> 99.9 %");
    EXPECT_EQ(formatShare(1.25), "125.0 %");
    EXPECT_EQ(formatFixed(1161.296, 2), "1\u202f161.30");
    EXPECT_EQ(formatFixed(-0.4, 0), "0");
    EXPECT_EQ(formatShare(0.167, 0.004), "16.7 %"); // as many digits as are known
    EXPECT_EQ(formatShare(0.167, 0.01), "17 %");
    EXPECT_EQ(formatShare(0.003, 0.01), "< 1 %");
    EXPECT_EQ(formatShare(0.997, 0.01), "> 99 %");
    EXPECT_EQ(formatShare(0, 0.01), "0 %");
}

TEST(NumberFormat, DollarsHaveCentsAndBelowOneTwoDigits) {
    EXPECT_EQ(formatUsd(0), "$0.00");
    EXPECT_EQ(formatUsd(0.00421), "$0.0042");
    EXPECT_EQ(formatUsd(0.99), "$0.99");
    EXPECT_EQ(formatUsd(0.996), "$1.00");
    EXPECT_EQ(formatUsd(99.99), "$99.99");
    EXPECT_EQ(formatUsd(99.996), "$100.00");
    EXPECT_EQ(formatUsd(1234.4), "$1\u202f234.40");
}

TEST(NumberFormat, RealsHaveFourDigitsAndAllBeforeThePointGrouped) {
    EXPECT_EQ(formatReal(0), "0");
    EXPECT_EQ(formatReal(0.84231), "0.8423");
    EXPECT_EQ(formatReal(0.5), "0.5");
    EXPECT_EQ(formatReal(31.4159), "31.42");
    EXPECT_EQ(formatReal(1310), "1\u202f310");
    EXPECT_EQ(formatReal(1161.34), "1\u202f161") << "beside 1310";
    EXPECT_EQ(formatReal(999.96), "1\u202f000");
    EXPECT_EQ(formatReal(-1086083.4), "-1\u202f086\u202f083");
    EXPECT_EQ(formatReal(0.000123456), "0.0001235");
    EXPECT_EQ(formatReal(1.5e-7), "1.5e-07");
    EXPECT_EQ(formatReal(2e15), "2e+15");
    EXPECT_EQ(formatReal(31.4159, 3), "31.4");
    EXPECT_EQ(formatReal(-0.0000015), "-0.0000015");
    EXPECT_EQ(formatReal(std::nan("")), "unknown");
}

TEST(NumberFormat, SecondsHaveThreeDigitsInOneUnit) {
    EXPECT_EQ(formatSeconds(0), "0 s");
    EXPECT_EQ(formatSeconds(1161.34e-6), "1.16 ms");
    EXPECT_EQ(formatSeconds(1310e-6), "1.31 ms");
    EXPECT_EQ(formatSeconds(97.42e-6), "97.4 \u00b5s");
    EXPECT_EQ(formatSeconds(12.345), "12.3 s");
    EXPECT_EQ(formatSeconds(500), "8 min 20 s") << "and not 500 k ms";
}

} // namespace
} // namespace loadline
