// The interval between runs: from repeats and anchors, as wide as the device is unsteady.
#include "core/cost/profile/profile_json.h"
#include "fake_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace loadline::gpu {
namespace {

/// Each visit of a point has its own factor, as where other programs come and go.
std::function<double(int)> noiseOf(double sigma, unsigned seed) {
    return [=, random = std::mt19937(seed), last = -1, factor = 1.0](int sample) mutable {
        std::normal_distribution<double> normal(0, sigma);
        constexpr int samplesOfVisit = 11; // two that do not count, and nine
        if (sample / samplesOfVisit != last) {
            last = sample / samplesOfVisit;
            factor = std::exp(normal(random));
        }
        return factor;
    };
}

Profile noisyProfile(double sigma, unsigned seed) {
    FakeDevice device;
    device.noise = noiseOf(sigma, seed);
    const Measured measured = run(device, Preset::Standard);
    EXPECT_TRUE(measured.profile);
    EXPECT_EQ(measured.run.profile.points, measured.profile->points) << "every interval was told";
    return *measured.profile;
}

TEST(BetweenRuns, TwoRunsAgreeWithinWhatBothState) {
    for (const double sigma : {0.01, 0.05}) {
        const Profile one = noisyProfile(sigma, 1);
        const Profile other = noisyProfile(sigma, 2);
        std::size_t all = 0;
        std::size_t agree = 0;
        for (std::size_t i = 0; i < one.points.size(); ++i) {
            for (const ProfilePoint& b : other.points) {
                const ProfilePoint& a = one.points[i];
                if (a.kernel == b.kernel && a.size == b.size && a.experts == b.experts &&
                    a.rowsM == b.rowsM && a.kBits == b.kBits) {
                    ASSERT_TRUE(a.betweenRuns && b.betweenRuns);
                    ++all;
                    agree +=
                        std::abs(std::log(a.timeUs / b.timeUs)) <= std::hypot(*a.betweenRuns, *b.betweenRuns)
                            ? 1
                            : 0;
                }
            }
        }
        ASSERT_GT(all, 100U);
        EXPECT_GE(static_cast<double>(agree), 0.9 * static_cast<double>(all)) << sigma;
        EXPECT_LT(one.points[0].betweenRuns.value_or(9), 8 * sigma) << "and says no more than that";
    }
}

TEST(BetweenRuns, InterruptedSamplesDoNotCount) {
    FakeDevice device;
    device.noise = [](int sample) { return sample % 3 == 0 ? 4.0 : 1.0; };
    device.ranShare = [](int sample) { return sample % 3 == 0 ? 0.3 : 1.0; };
    const Measured measured = run(device, Preset::Quick);
    ASSERT_TRUE(measured.profile);
    for (const ProfilePoint& point : measured.profile->points) {
        const PointSpec spec{point.kernel, point.size, point.experts, point.rowsM, point.kBits};
        EXPECT_FALSE(hasFlag(point, "interrupted"));
        EXPECT_NEAR(point.timeUs, device.us(spec), 1e-9);
    }
    EXPECT_GT(std::stod(measured.profile->methodFacts.at("interrupted_samples_dropped")), 0);
    device.ranShare = [](int) { return 0.3; };
    const Measured never = run(device, Preset::Quick);
    ASSERT_TRUE(never.profile) << "it ends all the same";
    EXPECT_TRUE(hasFlag(never.profile->points.front(), "interrupted"));
}

} // namespace
} // namespace loadline::gpu
