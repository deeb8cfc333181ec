// Samples of bounded size: all values while there are few, then evenly spaced ones.
#include "core/base/thinned_sample.h"

#include "core/base/statistics.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(ThinnedSample, KeepsAllWhileThereAreFew) {
    ThinnedSample sample;
    for (std::size_t i = 0; i < ThinnedSample::most; ++i) {
        sample.add(static_cast<double>(i));
    }
    ASSERT_EQ(sample.values().size(), ThinnedSample::most);
    EXPECT_EQ(sample.values().back(), static_cast<double>(ThinnedSample::most - 1));
}

TEST(ThinnedSample, ThenKeepsEverySecondFourthAndSoOn) {
    for (const std::size_t count :
         {ThinnedSample::most + 1, 2 * ThinnedSample::most + 1, 5 * ThinnedSample::most + 12'345}) {
        ThinnedSample sample;
        for (std::size_t i = 0; i < count; ++i) {
            sample.add(static_cast<double>(i));
        }
        EXPECT_EQ(sample.count(), count);
        const std::vector<double>& values = sample.values();
        ASSERT_LE(values.size(), ThinnedSample::most);
        ASSERT_GE(values.size(), ThinnedSample::most / 2);
        const double stride = values[1] - values[0];
        EXPECT_EQ(values[0], 0);
        for (std::size_t i = 1; i < values.size(); ++i) {
            ASSERT_EQ(values[i], stride * static_cast<double>(i));
        }
        EXPECT_LT(static_cast<double>(count - 1) - values.back(), stride);
        const Quantiles quantiles = thinnedQuantilesOf(sample);
        EXPECT_EQ(quantiles.n, count);
        EXPECT_NEAR(quantiles.p50, static_cast<double>(count) / 2, stride);
    }
}

TEST(ThinnedSample, OfNothingHasNoQuantiles) {
    EXPECT_EQ(thinnedQuantilesOf(ThinnedSample()), Quantiles());
}

} // namespace
} // namespace loadline
