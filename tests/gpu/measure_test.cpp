// The protocol on a made-up device: times, checks, faults, stops, and the profile that comes out.
#include "core/cost/estimate/kernel_times.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "fake_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace loadline::gpu {
namespace {

/// Of a device without noise: nine, and five of calls that take long.
int leastSamples(FakeDevice& device, const PointSpec& spec) {
    const FakeBackend backend(device);
    return device.us(spec) * rotationFor(backend, spec).calls >= 5000 ? 5 : 9;
}

TEST(Measure, GivesTheDevicesOwnTimes) {
    FakeDevice device;
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile) << measured.profile.error().sentence();
    const Profile& profile = *measured.profile;
    EXPECT_GT(profile.points.size(), 100U);
    for (const ProfilePoint& point : profile.points) {
        const PointSpec spec{point.kernel, point.size, point.experts, point.rowsM, point.kBits};
        EXPECT_DOUBLE_EQ(point.timeUs, device.us(spec));
        EXPECT_EQ(point.origin, PointOrigin::Measured);
        EXPECT_TRUE(point.flags.empty());
        EXPECT_EQ(point.samples, leastSamples(device, spec));
    }
    EXPECT_EQ(profile.rowTiles.at("mma"), 8);
    EXPECT_EQ(profile.ceilings.at("read_gb_s"), "1000");
    EXPECT_EQ(profile.methodFacts.at("preset"), "\"standard\"");
    EXPECT_EQ(profile.methodFacts.count("cut"), 0U);
    const auto again = profileFromJson(toJson(profile), "profile.json");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(*again, profile);
}

TEST(Measure, TellsWhatTheProfileHolds) {
    FakeDevice device;
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    const BenchRun& told = measured.run;
    ASSERT_EQ(told.devices.size(), 1U);
    EXPECT_EQ(told.devices[0].key, "fake");
    EXPECT_EQ(told.plan.shapes, studyShapes().name);
    EXPECT_EQ(told.plan.kBits, (std::vector<int>{3, 4}));
    EXPECT_GT(told.plan.checks, 0U);
    EXPECT_EQ(told.progress.total, told.plan.points);
    EXPECT_EQ(told.progress.done + 1, told.progress.total);
    EXPECT_EQ(told.profile.points, measured.profile->points);
    EXPECT_EQ(told.profile.ceilings, measured.profile->ceilings);
    EXPECT_EQ(told.profile.method, measured.profile->method);
    for (const BenchPoint& point : told.points) {
        const PointSpec spec{point.point.kernel, point.point.size, point.point.experts, point.point.rowsM,
                             point.point.kBits};
        EXPECT_EQ(static_cast<int>(point.samples.size()), leastSamples(device, spec));
        EXPECT_EQ(point.point.minUs, point.point.timeUs); // this device has no noise
        EXPECT_EQ(point.point.clockMhz, 1500);
    }
}

TEST(Measure, WarnsOfOtherProgramsOnTheDevice) {
    FakeDevice device;
    EXPECT_TRUE(run(device).run.remarks.empty());
    device.otherProcesses = 2;
    const Measured measured = run(device);
    ASSERT_EQ(measured.run.remarks.size(), 1U);
    EXPECT_NE(measured.run.remarks[0].find("other programs compute on this device (2)"), std::string::npos);
}

TEST(Measure, AMadeUpDeviceMeasuresNothing) {
    FakeDevice device;
    device.madeUp = true;
    const Measured measured = run(device);
    ASSERT_TRUE(measured.profile);
    EXPECT_EQ(measured.profile->source, madeUpSource);
    for (const ProfilePoint& point : measured.profile->points) {
        EXPECT_NE(point.origin, PointOrigin::Measured);
    }
}

TEST(Measure, AProfileOfItServesTheCostModel) {
    FakeDevice device;
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    const KernelTimes times(*measured.profile, nullptr);
    const auto estimate = times.time(Kernel::Scalar, {2048, 5120}, 1, 2, 4);
    ASSERT_TRUE(estimate) << estimate.error().sentence();
    EXPECT_EQ(estimate->kind, EstimateKind::AtPoint);
}

TEST(Measure, AWrongTimedOutputDropsItsTime) {
    FakeDevice device;
    device.timedCorrect = [](const PointSpec& spec) { return spec.kernel != Kernel::Mma || spec.kBits != 3; };
    const Measured measured = run(device);
    ASSERT_TRUE(measured.profile);
    EXPECT_FALSE(measured.profile->points.empty());
    for (const ProfilePoint& point : measured.profile->points) {
        EXPECT_FALSE(point.kernel == Kernel::Mma && point.kBits == 3);
    }
    ASSERT_EQ(measured.profile->methodFacts.count("failed_checks"), 1U);
    EXPECT_NE(measured.profile->methodFacts.at("failed_checks").find("wrong output when it was timed"),
              std::string::npos)
        << measured.profile->methodFacts.at("failed_checks");
}

TEST(Measure, AWrongKernelWritesNoTiming) {
    FakeDevice device;
    device.correct = [](const PointSpec& spec) { return spec.kernel != Kernel::Mma || spec.kBits != 3; };
    const Measured measured = run(device);
    ASSERT_TRUE(measured.profile);
    for (const ProfilePoint& point : measured.profile->points) {
        EXPECT_FALSE(point.kernel == Kernel::Mma && point.kBits == 3);
    }
    EXPECT_TRUE(std::any_of(measured.profile->points.begin(), measured.profile->points.end(),
                            [](const ProfilePoint& p) { return p.kernel == Kernel::Mma && p.kBits == 4; }));
    EXPECT_EQ(measured.profile->methodFacts.count("failed_checks"), 1U);
    ASSERT_FALSE(measured.run.checkFailures.empty());
    EXPECT_EQ(measured.run.checkFailures[0].kernel, Kernel::Mma);
    EXPECT_EQ(measured.run.checkFailures[0].kBits, 3);
    device.correct = [](const PointSpec&) { return false; };
    EXPECT_FALSE(run(device).profile);
}

TEST(Measure, KeepsWhatItHasWhenTheDeviceFails) {
    FakeDevice device;
    device.failsAtSample = 200;
    const Measured measured = run(device);
    ASSERT_TRUE(measured.profile);
    EXPECT_GT(measured.profile->points.size(), 5U);
    EXPECT_NE(measured.profile->methodFacts.at("cut").find("illegal memory access"), std::string::npos);
    FakeDevice dead;
    dead.failsAtSample = 0;
    EXPECT_FALSE(run(dead).profile);
    FakeDevice absent;
    absent.unavailable = "no NVIDIA driver is installed";
    const Measured none = run(absent);
    ASSERT_FALSE(none.profile);
    EXPECT_EQ(none.profile.error().what, "no NVIDIA driver is installed");
}

TEST(Measure, StopsBetweenPointsAndSaysSo) {
    FakeDevice device;
    std::stop_source source;
    const Measured measured =
        run(device, Preset::Standard, studyShapes(), source.get_token(), [&](std::size_t points) {
            if (points == 7) {
                source.request_stop();
            }
        });
    ASSERT_TRUE(measured.profile);
    EXPECT_EQ(measured.profile->points.size(), 7U);
    EXPECT_EQ(measured.profile->methodFacts.at("cut"), "\"stopped by the user\"");
}

TEST(Measure, PausesAndFlagsWhereTheDeviceThrottles) {
    FakeDevice device;
    device.clockMhz = [](int sample) { return sample < 300 ? 1500.0 : 1000.0; };
    const Measured measured = run(device);
    ASSERT_TRUE(measured.profile);
    const auto throttled = [](const ProfilePoint& point) {
        return std::find(point.flags.begin(), point.flags.end(), "throttled") != point.flags.end();
    };
    EXPECT_TRUE(std::any_of(measured.profile->points.begin(), measured.profile->points.end(), throttled));
    EXPECT_FALSE(throttled(measured.profile->points.front()));
}

TEST(Measure, TimesSomePointsByThemselves) {
    FakeDevice device;
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    std::size_t isolated = 0;
    for (const ProfilePoint& point : measured.profile->points) {
        isolated += point.isolatedUs ? 1 : 0;
        if (point.isolatedUs) {
            EXPECT_DOUBLE_EQ(*point.isolatedUs, point.timeUs + 1);
        }
        EXPECT_FALSE(hasFlag(point, "implausible"));
    }
    EXPECT_NEAR(static_cast<double>(isolated), static_cast<double>(measured.profile->points.size()) / 10, 1);
    EXPECT_EQ(measured.profile->methodFacts.at("isolated_points"), std::to_string(isolated));
    EXPECT_EQ(measured.profile->methodFacts.count("isolated_over_in_row_median"), 1U);

    device.isolatedUs = [](const PointSpec&) { return std::nullopt; };
    const Measured cannot = run(device, Preset::Standard);
    ASSERT_TRUE(cannot.profile);
    EXPECT_EQ(cannot.profile->methodFacts.at("isolated_points"), "0");
}

TEST(Measure, FlagsTimesThatContradictEachOther) {
    FakeDevice device;
    device.isolatedUs = [&](const PointSpec& spec) { return std::optional(2 * device.us(spec) + 20); };
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    for (const ProfilePoint& point : measured.profile->points) {
        EXPECT_EQ(hasFlag(point, "implausible"), point.isolatedUs.has_value());
    }
}

TEST(Measure, PausesLongerWhileItThrottles) {
    FakeDevice device;
    device.clockMhz = [](int sample) { return sample < 300 || sample > 600 ? 1500.0 : 1000.0; };
    FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {4}, Preset::Quick, 5);
    double now = 0;
    MeasureContext context = contextWith(now);
    std::vector<double> pauses;
    context.sleepSeconds = [&](double seconds) { pauses.push_back(seconds); };
    ASSERT_TRUE(measure(backend, plan, context, {}));
    ASSERT_GT(pauses.size(), 4U);
    EXPECT_EQ(pauses[0], 0.05);
    EXPECT_EQ(pauses[1], 0.1);
    EXPECT_EQ(*std::max_element(pauses.begin(), pauses.end()), 0.5);
}

TEST(Measure, ExpertsAreTimedByTheActiveOnes) {
    FakeDevice device;
    StudyShapeOptions options;
    options.experts = true;
    const Measured measured = run(device, Preset::Standard, studyShapes(options));
    ASSERT_TRUE(measured.profile);
    bool grouped = false;
    for (const ProfilePoint& point : measured.profile->points) {
        if (isGrouped(point.kernel)) {
            grouped = true;
            EXPECT_EQ(point.experts, 8);
        }
    }
    EXPECT_TRUE(grouped);
}

} // namespace
} // namespace loadline::gpu
