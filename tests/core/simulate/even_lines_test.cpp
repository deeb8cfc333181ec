// Lines of equal time: each crossing of each chunk lies on one, in order, and they end where the map ends.
#include "core/simulate/study/even_lines.h"

#include "core/simulate/study/crossover.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

/// By chunk, then by users 1, 2, 4, 8.
SweepResult mapOf(const std::vector<std::vector<double>>& ratios) {
    SweepResult map;
    map.users = {1, 2, 4, 8};
    map.weights = {Storage::K4};
    for (std::size_t c = 0; c < ratios.size(); ++c) {
        map.chunks.push_back(Tokens{64} << c);
        for (const double ratio : ratios[c]) {
            map.points.emplace_back().timeVsFp16.value = ratio;
        }
    }
    return map;
}

/// Crossings of all chunks that are on none of the lines.
std::size_t missing(const SweepResult& map, const std::vector<std::vector<EvenPoint>>& lines) {
    std::size_t missing = 0;
    for (std::size_t c = 0; c < map.chunks.size(); ++c) {
        std::vector<double> ratios;
        for (const SweepPoint& point : map.curve(0, c)) {
            ratios.push_back(point.timeVsFp16.value);
        }
        for (const Crossing& crossing : crossingsOf(map.users, ratios)) {
            const bool found = std::ranges::any_of(lines, [&](const auto& line) {
                return std::ranges::any_of(line, [&](const EvenPoint& point) {
                    return point.chunkTokens == static_cast<double>(map.chunks[c]) &&
                           std::abs(point.users - crossing.users) < 1e-9;
                });
            });
            missing += found ? 0 : 1;
        }
    }
    return missing;
}

TEST(EvenLines, GoThroughEveryCrossingOfEveryChunk) {
    const SweepResult map = mapOf({{0.5, 1.5, 0.8, 1.2}, {0.6, 1.4, 0.9, 1.1}, {0.7, 1.3, 1.2, 1.1}});
    const auto lines = evenLinesOf(map);
    ASSERT_EQ(lines.size(), 2U) << "the first crossings, and a bend through the second and third";
    EXPECT_EQ(missing(map, lines), 0U);
    for (const auto& line : lines) {
        EXPECT_TRUE(line.size() == 3 || line.size() == 5 || line.size() == 6) << line.size();
    }
}

TEST(EvenLines, EndAtTheMapsEdgesOrClose) {
    const SweepResult island = mapOf({{2, 2, 2, 2}, {2, 0.5, 2, 2}, {2, 2, 2, 2}});
    const auto closed = evenLinesOf(island);
    ASSERT_EQ(closed.size(), 1U);
    ASSERT_EQ(closed[0].size(), 5U);
    EXPECT_EQ(closed[0].front(), closed[0].back());
    EXPECT_EQ(missing(island, closed), 0U);
    const auto level = evenLinesOf(mapOf({{0.5, 0.5, 0.5, 0.5}, {2, 2, 2, 2}}));
    ASSERT_EQ(level.size(), 1U) << "no chunk of it crosses, and yet there is a line";
    EXPECT_EQ(level[0].size(), 4U);
    EXPECT_GT(level[0][0].chunkTokens, 64);
    EXPECT_LT(level[0][0].chunkTokens, 128);
}

TEST(EvenLines, ThereAreNoneWhereNothingChanges) {
    EXPECT_TRUE(evenLinesOf(SweepResult{}).empty());
    EXPECT_TRUE(evenLinesOf(mapOf({{0.5, 0.6, 0.7, 0.8}, {0.5, 0.6, 0.7, 0.8}})).empty());
    EXPECT_TRUE(evenLinesOf(mapOf({{1, 1, 1, 1}, {1, 1, 1, 1}})).empty());
}

TEST(EvenLines, ASaddleGivesTwo) {
    SweepResult map = mapOf({{0.5, 1.5, 1.5, 1.5}, {1.5, 0.5, 0.5, 0.5}});
    const auto lines = evenLinesOf(map);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(missing(map, lines), 0U);
}

} // namespace
} // namespace loadline
