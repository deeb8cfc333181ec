// The protocol on a made-up device: plan, order, checks, faults, stops, and the profile that comes out.
#include "gpu/protocol/measure.h"

#include "core/cost/kernel_times.h"
#include "core/cost/profile_json.h"
#include "fake_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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

/// Of a device without noise: nine, and five of calls that take long.
int leastSamples(FakeDevice& device, const PointSpec& spec) {
    const FakeBackend backend(device);
    return device.us(spec) * rotationFor(backend, spec).calls >= 5000 ? 5 : 9;
}

TEST(Plan, HasEachPointOncePerPassInASeededOrder) {
    FakeDevice device;
    const FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Thorough, 9);
    std::map<PointSpec, int> times;
    int repeats = 0;
    int anchors = 0;
    for (const PlannedPoint& point : plan.points) {
        if (point.role != PointRole::Anchor) {
            times[point.spec] += static_cast<int>(point.role == PointRole::Point);
        }
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

TEST(Plan, ChecksEverySeriesAtFewAndManyRows) {
    FakeDevice device;
    const FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Standard);
    std::map<std::tuple<Kernel, GemmSize, int>, std::set<std::int64_t>> checked;
    for (const PointSpec& spec : plan.checks) {
        checked[{spec.kernel, spec.size, spec.kBits}].insert(spec.rowsM);
    }
    for (const PlannedPoint& point : plan.points) {
        const PointSpec& spec = point.spec;
        if (point.role == PointRole::Anchor) {
            continue; // gives no point
        }
        const std::set<std::int64_t>& rows = checked[{spec.kernel, spec.size, spec.kBits}];
        switch (spec.kernel) {
        case Kernel::Scalar:
            EXPECT_EQ(rows, (std::set<std::int64_t>{1, 3, 4}));
            break;
        case Kernel::Mma:
            EXPECT_EQ(rows, (std::set<std::int64_t>{1, 3, 8, 16, 64}));
            break;
        case Kernel::CublasFp16:
            EXPECT_EQ(rows, (std::set<std::int64_t>{1, 4, 8, 16, 64}));
            break;
        default:
            EXPECT_EQ(rows, std::set<std::int64_t>{0}) << "of " << nameOf(spec.kernel);
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

bool hasFlag(const ProfilePoint& point, const char* flag) {
    return std::find(point.flags.begin(), point.flags.end(), flag) != point.flags.end();
}

TEST(Plan, TimesEveryTenthPointByItself) {
    FakeDevice device;
    const FakeBackend backend(device);
    for (const Preset preset : {Preset::Quick, Preset::Standard, Preset::Thorough}) {
        const Plan plan = makePlan(backend, studyShapes(), {2, 4}, preset);
        std::size_t isolated = 0;
        std::set<PointSpec> once;
        for (const PlannedPoint& point : plan.points) {
            isolated += point.isolated ? 1 : 0;
            once.insert(point.spec);
        }
        EXPECT_NEAR(static_cast<double>(isolated), static_cast<double>(once.size()) / 10, 1.0);
    }
}

TEST(Plan, PutsEveryPointBetweenTwoAnchors) {
    FakeDevice device;
    FakeBackend backend(device);
    const Plan plan = makePlan(backend, studyShapes(), {2, 3, 4, 5}, Preset::Thorough);
    ASSERT_TRUE(plan.anchor);
    EXPECT_EQ(plan.points.front().role, PointRole::Anchor);
    int since = 0;
    int open = 0;
    for (const PlannedPoint& point : plan.points) {
        if (point.role == PointRole::Anchor) {
            EXPECT_EQ(point.spec, *plan.anchor);
            since = open = 0;
        } else if (point.role == PointRole::Point) {
            EXPECT_LE(++since, ruleOf(Preset::Thorough).anchorEvery);
            open = 1;
        }
    }
    EXPECT_EQ(open, 0);
    EXPECT_FALSE(makePlan(backend, studyShapes(), {4}, Preset::Quick).anchor);
}

TEST(Plan, TakesTheUsualAnchorWhereItIsShort) {
    FakeDevice device;
    FakeBackend backend(device);
    const PointSpec usual{Kernel::CublasFp16, {8192, 8192}, 1, 16, fp16Bits};
    device.us = [](const PointSpec&) { return 40.0; };
    EXPECT_EQ(anchorOf(backend, {}), usual);
    device.us = [](const PointSpec& spec) { return spec.size.elements() / 1e4; };
    EXPECT_EQ(anchorOf(backend, {}), std::nullopt);
    const PointSpec small{Kernel::BatchedFp16, {512, 512}, 8, 16, fp16Bits};
    const PointSpec large{Kernel::CublasFp16, {2048, 5120}, 1, 16, fp16Bits};
    const PointSpec kBit{Kernel::Mma, {8192, 8192}, 1, 16, 4};
    EXPECT_EQ(anchorOf(backend, {small, large, kBit}), large);
    EXPECT_EQ(anchorOf(backend, {small, kBit}), small);
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

TEST(Measure, AnAnchorThatMovesHasThePointsSinceTimedAgain) {
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

TEST(Measure, ADeviceThatKeepsDriftingIsTimedAgainOnceAndFlagged) {
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
    EXPECT_LE(measured.announced, 4 * measured.profile->points.size()) << "it ends";
    EXPECT_EQ(measured.profile->methodFacts.at("points_drifting"), std::to_string(drifting));
}

TEST(Measure, TimesNothingAgainOnceTheTimeForItIsUp) {
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

TEST(Measure, ADriftInALaterPassIsSeenToo) {
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
