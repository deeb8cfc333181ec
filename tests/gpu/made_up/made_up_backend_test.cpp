// The made-up device: repeatable, complete, and it fails on request.
#include "gpu/made_up/made_up_backend.h"

#include "core/cost/profile/bench_run.h"
#include "gpu/protocol/measure.h"

#include <gtest/gtest.h>

namespace loadline::gpu {
namespace {

Result<Profile> measured(const MadeUpBehaviour& behaviour) {
    const auto backend = openMadeUpBackend(behaviour);
    const Plan plan = makePlan(*backend, studyShapes(), {3, 4}, Preset::Quick);
    double now = 0;
    return measure(
        *backend, plan,
        {"1", "2026-01-01T00:00:00Z", [&now] { return now += 0.001; }, [&now](double s) { now += s; }}, {});
}

TEST(MadeUpDevice, GivesTheSameProfileEachTimeAndNeverAMeasurement) {
    const Result<Profile> first = measured({});
    const Result<Profile> second = measured({});
    ASSERT_TRUE(first) << first.error().sentence();
    EXPECT_EQ(first->points, second->points);
    EXPECT_EQ(first->source, madeUpSource);
    EXPECT_EQ(first->deviceFacts.at("invented"), "true");
    for (const ProfilePoint& point : first->points) {
        EXPECT_NE(point.origin, PointOrigin::Measured);
    }
    EXPECT_NE(first->methodFacts.at("pairs_timed"), "0");
    const double ratio = std::stod(first->methodFacts.at("pair_over_parts_median"));
    EXPECT_GT(ratio, 0.8);
    EXPECT_LT(ratio, 1);
}

TEST(MadeUpDevice, HasEveryKernelAndThePairs) {
    StudyShapeOptions options;
    options.experts = true;
    const auto backend = openMadeUpBackend();
    const Plan plan = makePlan(*backend, studyShapes(options), {4}, Preset::Standard);
    for (const Kernel kernel : profiledKernels) {
        const bool planned = std::any_of(plan.points.begin(), plan.points.end(),
                                         [&](const PlannedPoint& p) { return p.spec.kernel == kernel; });
        EXPECT_TRUE(planned) << keyOf(kernel);
    }
}

TEST(MadeUpDevice, FailsWhereItIsAskedTo) {
    const Result<Profile> cut =
        measured({.paceMs = 0, .errorAt = 100, .crashAt = {}, .hangAt = {}, .wrong = {}});
    ASSERT_TRUE(cut);
    EXPECT_NE(cutOf(*cut).find("illegal memory access"), std::string::npos);
    const Result<Profile> wrong =
        measured({.paceMs = 0, .errorAt = {}, .crashAt = {}, .hangAt = {}, .wrong = Kernel::Mma});
    ASSERT_TRUE(wrong);
    EXPECT_TRUE(kernelsIn(*wrong, 4).size() == kernelsIn(*measured({}), 4).size() - 1);
}

TEST(MadeUpDevice, BehavesAsItsTextSays) {
    const auto all =
        madeUpBehaviourFromText("pace_ms=2.5,error_at=7,crash_at=8,hang_at=9,wrong=swap_ab,drift_at=6");
    ASSERT_TRUE(all);
    EXPECT_EQ(*all, (MadeUpBehaviour{2.5, 7, 8, 9, Kernel::SwapAb, 6}));
    EXPECT_EQ(*madeUpBehaviourFromText(""), MadeUpBehaviour{});
    for (const char* text : {"pace", "pace_ms=", "pace_ms=-1", "crash_at=x", "wrong=best", "a=1", ","}) {
        EXPECT_FALSE(madeUpBehaviourFromText(text)) << text;
    }
}

} // namespace
} // namespace loadline::gpu
