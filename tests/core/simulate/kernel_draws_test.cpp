// The error of kernel times in the intervals of what is simulated.
#include "core/simulate/run/kernel_draws.h"

#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/sweep.h"
#include "core/simulate/study/users_curve.h"
#include "tests/core/cost/bundled_profile.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace loadline {
namespace {

constexpr double bar = 0.1; // of the k-bit kernels, as the half of a 90 % interval

/// k-bit kernels known to a tenth, fp16 as well as a profile says at best.
SimulationInputs unsureInputs() {
    SimulationInputs inputs = madeInputs();
    auto profile = std::make_shared<Profile>(*inputs.profile);
    for (ProfilePoint& point : profile->points) {
        if (readsKBits(point.kernel)) {
            point.p25Us = (1 - bar) * point.timeUs;
            point.p75Us = (1 + bar) * point.timeUs;
        }
    }
    inputs.profile = profile;
    return inputs;
}

SweepInputs sweepOf(SimulationInputs base, bool kernelErrors) {
    SweepInputs sweep;
    sweep.base = std::move(base);
    sweep.base.replicas = 4;
    sweep.users = {1, 4, 16, 64};
    sweep.weights = {Storage::K3, Storage::K4};
    sweep.kernelErrors = kernelErrors;
    return sweep;
}

/// Half of a band in logarithms.
double halfOf(const Banded& band) {
    return std::log(band.high / band.low) / 2;
}

TEST(KernelError, SquaresOfTheRunsAndTheKernelsAddInLogarithms) {
    const Banded runs{1.23, 1.2296, 1.2304};
    EXPECT_EQ(withKernelError(runs, 0), runs);
    const Banded both = withKernelError(runs, 0.06);
    EXPECT_NEAR(both.low, 1.23 * std::exp(-z95 * 0.06), 1e-5);
    EXPECT_NEAR(both.high, 1.23 * std::exp(z95 * 0.06), 1e-5);
    const Banded wide{1, std::exp(-0.3), std::exp(0.3)};
    EXPECT_NEAR(halfOf(withKernelError(wide, 0.4 / z95)), 0.5, 1e-12);
    const Banded unbounded{2, 0, std::numeric_limits<double>::infinity()};
    EXPECT_EQ(withKernelError(unbounded, 0.1), unbounded);
    EXPECT_EQ(wordsOf(KernelError()), "chance in the runs alone, with the kernel times as they are");
}

/// A run of k-bit kernels whose times are known to +-10 % has a ratio known to about that, however many steps
/// it is of.
TEST(KernelError, ARatioIsKnownNoBetterThanItsKernels) {
    SimulationInputs inputs = unsureInputs();
    inputs.arrivals.users = 1;
    const auto runs = simulate(inputs);
    ASSERT_TRUE(runs);
    const SimulationResult& run = runs->replicas.front();
    const auto errors = kernelErrorsOf(inputs, run, nullptr);
    ASSERT_TRUE(errors);
    const double deviation = errors->timeVsFp16.deviation;
    EXPECT_GT(deviation, 0.4 * bar / 1.645) << "two or three kernels share the time, and err apart";
    EXPECT_LT(deviation, 1.4 * bar / 1.645);
    EXPECT_GT(errors->clock.deviation, 0.4 * bar / 1.645);
    EXPECT_EQ(errors->timeVsFp16.withoutBar, 0);
    EXPECT_FALSE(errors->vsAgainst);
    EXPECT_EQ(wordsOf(errors->timeVsFp16), "chance in the runs and the error of the kernel times");

    // By the definition: k-bit and fp16 time of these steps under each draw.
    const auto tables = CostTables::make(inputs, {inputs.cost.format}, 600);
    ASSERT_TRUE(tables);
    std::vector<double> logarithms;
    for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
        const RowTimes times((*tables)->at(inputs.cost.format).table().drawn(seed));
        logarithms.push_back(std::log(times.of(rowsOf(run)).ratio()));
    }
    double mean = 0, squares = 0;
    for (const double one : logarithms) {
        mean += one / static_cast<double>(logarithms.size());
    }
    for (const double one : logarithms) {
        squares += (one - mean) * (one - mean) / static_cast<double>(logarithms.size());
    }
    EXPECT_NEAR(deviation, std::sqrt(squares), 0.3 * deviation);
}

TEST(KernelError, IsInTheBandsOfASweepAndNowhereElse) {
    const auto alone = sweep(sweepOf(unsureInputs(), false));
    const auto both = sweep(sweepOf(unsureInputs(), true));
    ASSERT_TRUE(alone && both);
    for (std::size_t i = 0; i < both->points.size(); ++i) {
        const SweepPoint& before = alone->points[i];
        const SweepPoint& point = both->points[i];
        EXPECT_FALSE(before.timeVsFp16OfRuns);
        ASSERT_TRUE(point.timeVsFp16OfRuns);
        EXPECT_EQ(*point.timeVsFp16OfRuns, before.timeVsFp16);
        EXPECT_EQ(point.paceOfRuns(), before.pace());
        EXPECT_EQ(point.timeVsFp16.value, before.timeVsFp16.value);
        EXPECT_EQ(point.standardError, before.standardError);
        EXPECT_GT(point.kernelError.deviation, 0.01);
        EXPECT_GE(halfOf(point.timeVsFp16), z90 * point.kernelError.deviation * 0.999);
        EXPECT_GT(halfOf(point.timeVsFp16), halfOf(before.timeVsFp16));
    }
    const std::vector<Crossover> crossovers = crossoversOf(*both, StepScope::GemmOnly);
    EXPECT_NE(crossovers.front().sentence.find(" \u00b1 "), std::string::npos) << crossovers.front().sentence;
    EXPECT_EQ(crossoversOf(*alone, StepScope::GemmOnly).front().sentence.find(" \u00b1 "), std::string::npos);
}

TEST(KernelError, ACurveIsHalvedWhereItTurnsWhateverItsKernelsErr) {
    const auto alone = usersCurve(sweepOf(unsureInputs(), false));
    const auto both = usersCurve(sweepOf(unsureInputs(), true));
    ASSERT_TRUE(alone && both);
    EXPECT_EQ(alone->users, both->users);
    EXPECT_GT(both->points.front().kernelError.deviation, 0.01);
}

TEST(KernelError, TimesOfAnUnvalidatedModelAreLabelledAsWithoutIt) {
    SimulationInputs inputs = madeInputs();
    auto profile = std::make_shared<Profile>(*inputs.profile);
    for (ProfilePoint& point : profile->points) {
        point.origin = PointOrigin::Modelled;
        point.flags = {unvalidatedFlag};
    }
    inputs.profile = profile;
    const auto runs = simulate(inputs);
    ASSERT_TRUE(runs);
    const auto errors = kernelErrorsOf(inputs, runs->replicas.front(), nullptr);
    ASSERT_TRUE(errors);
    EXPECT_EQ(errors->timeVsFp16.deviation, 0);
    EXPECT_NEAR(errors->timeVsFp16.withoutBar, 1, 1e-6);
    EXPECT_EQ(wordsOf(errors->timeVsFp16),
              "chance in the runs alone: the kernel times come without an error bar");
}

/// Two formats that a server runs: the ratio of turns per second follows the kernel times in a closed loop.
/// Where turns come at a rate, both serve them as they come.
TEST(KernelError, TurnsPerSecondFollowTheKernelsInAClosedLoop) {
    SimulationRequest request;
    request.arrivals.users = 4;
    request.replicas = 4;
    request.length = {.iterations = 2000, .turns = std::nullopt};
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(referenceWorkload());
    sources.profile = std::make_shared<const Profile>(test::bundledProfile());
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = *findDispatchPreset("code");
    SimulationInputs inputs = inputsOf(request, sources);
    auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair && pair->turnsPerS && pair->turnsPerS->low);
    const PairedRatio before = *pair->turnsPerS;
    const auto errors = kernelErrorsOf(inputs, pair->own.all, &pair->against.all);
    ASSERT_TRUE(errors && errors->vsAgainst);
    pair->setKernelErrors(*errors);
    EXPECT_GT(errors->vsAgainst->deviation, 0.005);
    EXPECT_EQ(pair->turnsPerS->value, before.value);
    EXPECT_LT(*pair->turnsPerS->low, *before.low);
    EXPECT_GT(*pair->turnsPerS->high, *before.high);
    EXPECT_NEAR(std::log(*pair->turnsPerS->high / before.value),
                std::hypot(std::log(*before.high / before.value), z95 * errors->vsAgainst->deviation), 1e-9);
    inputs.arrivals.kind = ArrivalKind::Poisson;
    const auto atRate = kernelErrorsOf(inputs, pair->own.all, &pair->against.all);
    ASSERT_TRUE(atRate);
    EXPECT_FALSE(atRate->vsAgainst);
    EXPECT_EQ(atRate->clock.deviation, 0);
    EXPECT_EQ(wordsOf(atRate->clock), "chance in the runs alone: turns are served as fast as they come");
}

SimulationInputs servedAt(double ratePerS) {
    SimulationRequest request;
    request.arrivals.kind = ArrivalKind::Poisson;
    request.arrivals.ratePerS = ratePerS;
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(referenceWorkload());
    sources.profile = std::make_shared<const Profile>(test::bundledProfile());
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = *findDispatchPreset("code");
    return inputsOf(request, sources);
}

/// What comes faster than it is answered is served at the pace of the kernels: its rate is known no better
/// than that of as many users as the engine holds.
TEST(KernelError, AtOverloadTurnsPerSecondAreCapacity) {
    const SimulationInputs inputs = servedAt(8);
    auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair && pair->turnsPerS && pair->turnsPerS->low);
    ASSERT_TRUE(pair->own.all.queueGrows() && pair->against.all.queueGrows());
    const auto errors = kernelErrorsOf(inputs, pair->own.all, &pair->against.all);
    ASSERT_TRUE(errors && errors->vsAgainst);
    pair->setKernelErrors(*errors);
    EXPECT_LT(*pair->turnsPerS->low, 1.01) << "1.08 to 1.15 by the runs alone";
    EXPECT_GT(*pair->turnsPerS->high, 1.25);
    EXPECT_GT(errors->clock.deviation, 0.03);
    EXPECT_GT(errors->againstClock.deviation, 0.03);
    EXPECT_EQ(wordsOf(*errors->vsAgainst).rfind("chance in the runs and the error of the kernel times", 0), 0)
        << wordsOf(*errors->vsAgainst);

    SweepInputs swept;
    swept.base = inputs;
    swept.ratesPerS = {1, 8};
    swept.kernelErrors = true;
    const auto points = sweep(swept);
    ASSERT_TRUE(points);
    const SweepPoint& kept = points->points.front();
    const SweepPoint& over = points->points.back();
    ASSERT_TRUE(kept.against && over.against);
    EXPECT_EQ(kept.against->turnsPerS.low, kept.against->turnsPerS.ofRuns().low);
    EXPECT_EQ(kept.against->turnsPerS.high, kept.against->turnsPerS.ofRuns().high);
    EXPECT_GT(*over.against->turnsPerS.high / *over.against->turnsPerS.low, 1.2);
    EXPECT_EQ(over.against->pace, *over.against->paceOfRuns) << "a ratio of latencies";
}

/// Where one format keeps up, its rate is that of the arrivals.
TEST(KernelError, OfAFormatThatKeepsUpTheRateIsGiven) {
    const KernelError kept{.atGivenRate = true}, slow{.deviation = 0.2, .withoutBar = 0},
        both{.deviation = 0.1};
    EXPECT_EQ(ratioErrorOf(kept, kept, both), std::nullopt);
    EXPECT_EQ(ratioErrorOf(slow, kept, both), slow);
    EXPECT_EQ(ratioErrorOf(kept, slow, both), slow);
    EXPECT_EQ(ratioErrorOf(slow, slow, both), both);
}

} // namespace
} // namespace loadline
