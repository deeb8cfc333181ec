// The plan: each point once per pass in a seeded order, checks, anchors, and what there is no time for.
#include "fake_backend.h"
#include "gpu/protocol/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace loadline::gpu {
namespace {

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

TEST(Plan, TimesWhatStaysFp16InFp16Alone) {
    FakeDevice device;
    const FakeBackend backend(device);
    const ModelShapes& llama = *findShapePreset("llama-3.1-8b");
    std::set<Kernel> ofHead;
    for (const PlannedPoint& point : makePlan(backend, llama, {4}, Preset::Standard).points) {
        if (point.spec.size == GemmSize{.k = 4096, .n = 128256}) {
            ofHead.insert(point.spec.kernel);
        }
    }
    EXPECT_EQ(ofHead, std::set<Kernel>{Kernel::CublasFp16});
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
        case Kernel::DequantCublas:
            EXPECT_EQ(rows, std::set<std::int64_t>{16}); // of 16, 128 and 1024
            break;
        default:
            EXPECT_EQ(rows, std::set<std::int64_t>{0}) << "of " << nameOf(spec.kernel);
        }
    }
}

TEST(Plan, TimesPairsAtFewRowsOfTheGemmAtEveryK) {
    FakeDevice device;
    const FakeBackend backend(device);
    StudyShapeOptions options;
    options.experts = true;
    const ModelShapes model = studyShapes(options);
    for (const Preset preset : {Preset::Quick, Preset::Standard, Preset::Thorough}) {
        const std::vector<std::int64_t>& rowsM = ruleOf(preset).rowsM;
        std::set<PointSpec> all;
        std::set<PointSpec> pairs;
        const Plan plan = makePlan(backend, model, {2, 4}, preset);
        for (const PlannedPoint& point : plan.points) {
            all.insert(point.spec);
            if (partsOf(point.spec.kernel).second) {
                pairs.insert(point.spec);
            }
        }
        for (const PointSpec& pair : pairs) { // so that the sum of both parts is known there
            EXPECT_NE(std::find(rowsM.begin(), rowsM.end(), pair.rowsM), rowsM.end());
            const KernelParts parts = partsOf(pair.kernel);
            EXPECT_EQ(all.count({parts.first, pair.size, pair.experts, 0, pair.kBits}), 1U);
            EXPECT_EQ(all.count({*parts.second, pair.size, pair.experts, pair.rowsM, fp16Bits}), 1U);
            EXPECT_TRUE(std::any_of(plan.checks.begin(), plan.checks.end(),
                                    [&](const PointSpec& check) {
                                        return check.kernel == pair.kernel && check.size == pair.size &&
                                               check.kBits == pair.kBits;
                                    }))
                << "timed without a check: " << textOf(pair.size);
        }
        std::set<std::tuple<GemmSize, int, int>> series;
        for (const PointSpec& spec : all) {
            if (spec.kernel == Kernel::Dequantise) {
                series.insert({spec.size, spec.experts, spec.kBits});
            }
        }
        EXPECT_EQ(pairs.size(), series.size() * ruleOf(preset).pairRowsM.size());
        EXPECT_TRUE(plan.leftOut.empty());
    }
    EXPECT_EQ(ruleOf(Preset::Quick).pairRowsM, std::vector<std::int64_t>{128});
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
    device.us = [](const PointSpec&) { return 100.0; };
    EXPECT_EQ(rotationFor(backend, small).calls, 10) << "only a replay begins with the same copies each time";
    device.replays = true;
    EXPECT_EQ(rotationFor(backend, small).calls, 64) << "a replay that left copies out would find the others "
                                                        "in the cache";
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

} // namespace
} // namespace loadline::gpu
