// Diagnostics: the lines that one of them lists.
#include "core/base/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace loadline {
namespace {

Diagnostic oddAt(std::uint64_t line) {
    return {.kind = DiagnosticKind::BadLine, .line = line, .count = 1, .detail = {}};
}

TEST(Diagnostic, ListsLinesOnceAndInOrder) {
    Diagnostic odd = oddAt(9);
    for (const std::uint64_t line : {9U, 30U, 12U, 12U, 7U}) {
        ++odd.count;
        listLine(odd, line);
    }
    EXPECT_EQ(odd.line, 7U);
    EXPECT_THAT(odd.otherLines, testing::ElementsAre(9, 12, 30));
    EXPECT_FALSE(leavesOutLines(odd));
    EXPECT_EQ(linesOf(odd), "lines 7, 9, 12 and 30");
    EXPECT_EQ(linesOf(odd, 3), "lines 7, 9, 12 and more");
    EXPECT_EQ(linesOf(odd, 1), "line 7 and more");
    EXPECT_EQ(linesOf(oddAt(7)), "line 7");
}

TEST(Diagnostic, ListsTheFirstOfManyInWhateverOrderTheyCome) {
    std::vector<std::uint64_t> lines(1000);
    std::iota(lines.begin(), lines.end(), std::uint64_t{1});
    std::mt19937 random(1);
    std::ranges::shuffle(lines, random);
    Diagnostic odd = oddAt(lines.front());
    for (const std::uint64_t line : lines) {
        listLine(odd, line);
    }
    odd.count = lines.size();
    EXPECT_EQ(odd.line, 1U);
    EXPECT_EQ(odd.otherLines.size(), maxOtherLines);
    EXPECT_EQ(odd.otherLines.back(), 1 + maxOtherLines);
    EXPECT_TRUE(leavesOutLines(odd));
}

} // namespace
} // namespace loadline
