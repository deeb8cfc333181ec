// Quantiles of real numbers agree with those of whole numbers.
#include "core/base/statistics.h"

#include <gtest/gtest.h>

#include <random>

namespace loadline {
namespace {

TEST(Quantiles, OfNothingAndOfOne) {
    EXPECT_EQ(quantilesOf({}), Quantiles{});
    EXPECT_EQ(quantilesOf({2.5}), (Quantiles{1, 2.5, 2.5, 2.5, 2.5}));
}

TEST(Quantiles, Interpolate) {
    const Quantiles q = quantilesOf({4, 1, 3, 2});
    EXPECT_DOUBLE_EQ(q.mean, 2.5);
    EXPECT_DOUBLE_EQ(q.p50, 2.5);
    EXPECT_DOUBLE_EQ(q.p90, 3.7);
    EXPECT_DOUBLE_EQ(q.p99, 3.97);
}

TEST(Quantiles, AgreeWithTheSummaryOfWholeNumbers) {
    std::mt19937_64 random(3);
    for (std::size_t n = 2; n < 200; n += 7) {
        std::vector<std::int64_t> whole(n);
        for (std::int64_t& value : whole) {
            value = static_cast<std::int64_t>(random() % 1000);
        }
        const Quantiles q = quantilesOf(std::vector<double>(whole.begin(), whole.end()));
        const Summary s = summarize(whole);
        EXPECT_DOUBLE_EQ(q.p50, s.p50);
        EXPECT_DOUBLE_EQ(q.p90, s.p90);
        EXPECT_DOUBLE_EQ(q.p99, s.p99);
        EXPECT_NEAR(q.mean, s.mean, 1e-9);
    }
}

} // namespace
} // namespace loadline
