// The protocol on a made-up device: plan, order, checks, faults, stops, and the profile that comes out.
#include "gpu/protocol/measure.h"

#include "core/cost/kernel_times.h"
#include "core/cost/profile_json.h"
#include "fake_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace loadline::gpu {
namespace {

MeasureContext contextWith(double& now) {
    return {"1.2.3", "2026-01-01T00:00:00Z", [&now] { return now += 0.001; }, [&now](double s) { now += s; }};
}

struct Measured {
    Result<Profile> profile = Error{};
    BenchRun run; ///< what was told
    std::size_t announced = 0;
};

Measured run(FakeDevice& device, Preset preset = Preset::Quick, const ModelShapes& model = studyShapes(),
             const std::stop_token& stop = {}, const std::function<void(std::size_t)>& onPoint = {}) {
    FakeBackend backend(device);
    const Plan plan = makePlan(backend, model, {3, 4}, preset, 5);
    Measured measured;
    double now = 0;
    const Tell tell = [&](const BenchEvent& event) {
        apply(measured.run, event);
        if (std::holds_alternative<BenchPoint>(event)) {
            ++measured.announced;
            if (onPoint) {
                onPoint(measured.announced);
            }
        }
    };
    measured.profile = measure(backend, plan, contextWith(now), tell, stop);
    return measured;
}

TEST(Plan, HasEachPointOncePerPassInASeededOrder) {
    FakeDevice device;
    const FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Thorough, 9);
    std::map<PointSpec, int> times;
    int repeats = 0;
    int anchors = 0;
    for (const PlannedPoint& point : plan.points) {
        times[point.spec] += static_cast<int>(point.role == PointRole::Point);
        repeats += static_cast<int>(point.role == PointRole::Repeat);
        anchors += static_cast<int>(point.role == PointRole::Anchor);
    }
    for (const auto& [spec, count] : times) {
        EXPECT_EQ(count, 3) << keyOf(spec.kernel) << " " << textOf(spec.size) << " " << spec.rowsM;
        EXPECT_TRUE(backend.supports(spec));
    }
    EXPECT_EQ(repeats, static_cast<int>(std::ceil(0.05 * static_cast<double>(times.size()))));
    EXPECT_GT(anchors, 3);
    EXPECT_EQ(makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Thorough, 9).points, plan.points);
    EXPECT_NE(makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Thorough, 10).points, plan.points);
}

TEST(Plan, TimesFp16OnceAndDequantiseOnce) {
    FakeDevice device;
    const FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Standard);
    for (const PlannedPoint& point : plan.points) {
        if (point.spec.kernel == Kernel::CublasFp16) {
            EXPECT_EQ(point.spec.kBits, fp16Bits);
        }
        if (point.spec.kernel == Kernel::Dequantise) {
            EXPECT_EQ(point.spec.rowsM, 0);
        }
    }
}

TEST(Plan, LeavesOutTheLongestWhereTimeIsShortAndNamesThem) {
    FakeDevice device;
    device.us = [](const PointSpec& spec) { return spec.rowsM > 64 ? 3e6 : 50.0; };
    const FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {4}, Preset::Quick);
    EXPECT_LE(plan.guessedSeconds, ruleOf(Preset::Quick).mostSeconds);
    ASSERT_FALSE(plan.leftOut.empty());
    for (const PointSpec& spec : plan.leftOut) {
        EXPECT_GT(spec.rowsM, 64);
    }
}

TEST(Plan, RotatesBeyondTheCache) {
    FakeDevice device;
    const FakeBackend backend(device);
    const PointSpec small{Kernel::CublasFp16, {2048, 512}, 1, 1, fp16Bits};
    EXPECT_EQ(rotationFor(backend, small).copies, 64);
    const PointSpec large{Kernel::CublasFp16, {8192, 28672}, 1, 1, fp16Bits};
    EXPECT_EQ(rotationFor(backend, large).copies, 2);
    device.us = [](const PointSpec&) { return 50'000.0; };
    EXPECT_EQ(rotationFor(backend, large).calls, 1);
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
        EXPECT_GE(point.samples, 9);
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
        EXPECT_GE(point.samples.size(), 9U);
        EXPECT_EQ(point.point.minUs, point.point.timeUs); // this device has no noise
        EXPECT_EQ(point.point.clockMhz, 1500);
    }
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

TEST(Measure, AnAnchorThatMovesFlagsThePointsSince) {
    FakeDevice device;
    const double slower = 1.1;
    device.noise = [&](int sample) { return sample < 2000 ? 1.0 : slower; };
    const Measured measured = run(device, Preset::Standard);
    ASSERT_TRUE(measured.profile);
    int drifted = 0;
    for (const ProfilePoint& point : measured.profile->points) {
        drifted +=
            static_cast<int>(std::find(point.flags.begin(), point.flags.end(), "drift") != point.flags.end());
    }
    EXPECT_GT(drifted, 0);
    EXPECT_LE(drifted, 50);
    EXPECT_NEAR(std::stod(measured.profile->methodFacts.at("anchor_drift")), 0.1, 0.02);
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
