// A device that changes while it is measured: anchors tell, points are timed again once or flagged.
#include "core/cost/profile/profile_json.h"
#include "fake_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace loadline::gpu {
namespace {

TEST(Drift, AnAnchorThatMovesHasThePointsSinceTimedAgain) {
    FakeDevice device;
    const double slower = 1.1;
    device.noise = [&](int sample) { return sample < 2000 ? 1.0 : slower; };
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    int again = 0;
    int fast = 0;
    for (const ProfilePoint& point : measured.profile->points) {
        const PointSpec spec{point.kernel, point.size, point.experts, point.rowsM, point.kBits};
        EXPECT_FALSE(hasFlag(point, "drift")) << "the device stood still when it was timed again";
        again += point.driftedUs ? 1 : 0;
        if (point.driftedUs) {
            EXPECT_NEAR(point.timeUs, slower * device.us(spec), 1e-9);
            fast += *point.driftedUs < 1.01 * device.us(spec) ? 1 : 0;
        }
    }
    EXPECT_GT(again, 1);
    EXPECT_LE(again, 50);
    EXPECT_GT(fast, 0) << "those before the device changed were replaced";
    EXPECT_NEAR(std::stod(measured.profile->methodFacts.at("anchor_drift")), 0.1, 0.02);
    EXPECT_EQ(measured.profile->methodFacts.at("points_timed_again"), std::to_string(again));
    EXPECT_EQ(measured.profile->methodFacts.at("points_drifting"), "0");
    EXPECT_EQ(measured.profile->methodFacts.count("cut"), 0U);
    EXPECT_EQ(measured.run.profile.points, measured.profile->points) << "every change was told";
    EXPECT_EQ(measured.run.progress.done + 1, measured.run.progress.total);
    EXPECT_TRUE(std::any_of(measured.run.remarks.begin(), measured.run.remarks.end(),
                            [](const std::string& s) { return s.find("timed again") != std::string::npos; }));
    const auto read = profileFromJson(toJson(*measured.profile), "p.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, *measured.profile);
}

TEST(Drift, ADeviceThatKeepsDriftingIsTimedAgainOnceAndFlagged) {
    FakeDevice device;
    device.noise = [](int sample) { return 1 + sample / 4000.0; }; // for good
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    std::size_t drifting = 0;
    for (const ProfilePoint& point : measured.profile->points) {
        drifting += hasFlag(point, "drift") ? 1 : 0;
        EXPECT_TRUE(!point.driftedUs || hasFlag(point, "drift"));
    }
    EXPECT_GT(2 * drifting, measured.profile->points.size());
    EXPECT_LE(measured.announced, 5 * measured.profile->points.size()) << "it ends";
    EXPECT_EQ(measured.profile->methodFacts.at("points_drifting"), std::to_string(drifting));
    EXPECT_GE(std::stoul(measured.profile->methodFacts.at("points_unsteady")), drifting);
}

TEST(Drift, ASeriesThatWentWrongIsNotTimedAgain) {
    FakeDevice device;
    constexpr int change = 2000; // samples
    device.noise = [](int sample) { return sample < change ? 1.0 : 1.1; };
    std::map<std::tuple<Kernel, GemmSize, int, int>, int> wrong; // by series
    device.timedCorrect = [&](const PointSpec& spec) {
        const bool right = device.samples < change || spec.kernel != Kernel::Mma;
        wrong[{spec.kernel, spec.size, spec.experts, spec.kBits}] += right ? 0 : 1;
        return right;
    };
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    EXPECT_GT(std::stoi(measured.profile->methodFacts.at("points_timed_again")), 0);
    int series = 0;
    for (const auto& [key, count] : wrong) {
        EXPECT_LE(count, 1) << textOf(std::get<1>(key)) << ", k = " << std::get<3>(key);
        series += count;
    }
    EXPECT_GT(series, 0);
}

TEST(Drift, TimesNothingAgainOnceTheTimeForItIsUp) {
    FakeDevice device;
    FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {3, 4}, Preset::Standard, 5);
    device.noise = [](int sample) { return (sample / 1000) % 2 == 0 ? 1.0 : 1.1; };
    double now = 0;
    MeasureContext context = contextWith(now);
    context.seconds = [&now] { return now += 0.3; }; // every look at the clock costs
    const auto profile = measure(backend, plan, context, {});
    ASSERT_TRUE(profile);
    EXPECT_GT(std::stoi(profile->methodFacts.at("points_timed_again")), 0);
    EXPECT_GT(std::stoi(profile->methodFacts.at("points_drifting")), 20);
    EXPECT_EQ(profile->methodFacts.count("cut"), 0U);
}

TEST(Drift, ADriftInALaterPassIsSeenToo) {
    FakeDevice device;
    FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {4}, Preset::Thorough, 5);
    double now = 0;
    int second = 0; // sample at which the second pass has begun
    device.noise = [&](int sample) { return second == 0 || sample < second + 900 ? 1.0 : 1.1; };
    std::size_t told = 0;
    const Tell tell = [&](const BenchEvent& event) {
        told += std::holds_alternative<BenchPoint>(event) ? 1 : 0;
        if (second == 0 && told > plan.points.size() / 3) {
            second = device.samples;
        }
    };
    const auto profile = measure(backend, plan, contextWith(now), tell);
    ASSERT_TRUE(profile);
    EXPECT_GT(std::stoi(profile->methodFacts.at("points_timed_again")), 0);
    EXPECT_EQ(profile->methodFacts.at("points_drifting"), "0");
}

} // namespace
} // namespace loadline::gpu
