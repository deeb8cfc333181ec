// Sweeps, curves and crossovers leave out what `simulate` says does not fit.
#include "core/simulate/study/sweep_misfits.h"

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/users_curve.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace loadline {
namespace {

/// Llama-3.1-8B on the RTX 4090, turns of 8 000 + 600 tokens: a GiB of KV cache each.
SimulationInputs gibTurns() {
    SimulationRequest request;
    request.length = {.iterations = 1500, .turns = std::nullopt};
    Workload workload = referenceWorkload();
    workload.distribution.input.frequency = {{8000, 1.0}};
    workload.distribution.output.frequency = {{600, 1.0}};
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(std::move(workload));
    sources.profile = std::make_shared<const Profile>(test::bundledProfile());
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = *findDispatchPreset("code");
    return inputsOf(request, sources);
}

SimulationInputs withoutBlocks() {
    SimulationInputs inputs = gibTurns();
    inputs.policy.policy = Policy::Mlx;
    return inputs;
}

/// Blocks for more than the device has.
SimulationInputs withGivenBlocks() {
    SimulationInputs inputs = gibTurns();
    inputs.policy.kvBlocks = 100'000;
    return inputs;
}

class SweepMisfits : public testing::TestWithParam<SimulationInputs (*)()> {};

TEST_P(SweepMisfits, AreThoseOfSimulate) {
    SweepInputs asked;
    asked.base = GetParam()();
    asked.users = {2, 6, 12, 30};
    asked.latencies = true;
    const auto swept = sweep(asked);
    ASSERT_TRUE(swept) << swept.error().sentence();
    ASSERT_EQ(swept->points.size(), asked.users.size());
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < asked.users.size(); ++i) {
        SimulationInputs one = asked.base;
        one.arrivals.users = asked.users[i];
        const auto pair = serveFormats(one);
        ASSERT_TRUE(pair) << pair.error().sentence();
        const SweepPoint& point = swept->points[i];
        EXPECT_EQ(point.fits(), pair->own.fits) << point.users;
        if (pair->own.fits) { // else nobody asks
            EXPECT_EQ(point.againstFits(), pair->against.fits) << point.users;
        }
        EXPECT_EQ(point.against.has_value(), pair->own.fits && pair->against.fits) << point.users;
        fitting += point.against.has_value() ? 1U : 0U;
    }
    EXPECT_TRUE(swept->points.front().against.has_value());
    EXPECT_FALSE(swept->points.back().fits());
    EXPECT_TRUE(std::ranges::any_of(swept->points, [](const SweepPoint& point) {
        return point.fits() && !point.againstFits();
    })) << "k = 4 has more room than fp16";

    const SweepResult kept = withoutMisfits(*swept);
    ASSERT_EQ(kept.points.size(), fitting);
    EXPECT_EQ(kept.users.size(), fitting);
    EXPECT_TRUE(kept.points.front().against.has_value() && kept.points.back().against.has_value());
    const std::vector<Crossover> crossovers = crossoversOf(*swept, asked.base.scope);
    ASSERT_EQ(crossovers.size(), 1U);
    EXPECT_EQ(crossovers[0].toUsers, kept.users.back());
    EXPECT_NE(crossovers[0].sentence.find(" users on fp16 does not fit: needs "), std::string::npos)
        << crossovers[0].sentence;
    EXPECT_NE(crossovers[0].sentence.find(" users on k = 4 does not fit: needs "), std::string::npos)
        << crossovers[0].sentence;
}

INSTANTIATE_TEST_SUITE_P(Policies, SweepMisfits, testing::Values(withoutBlocks, withGivenBlocks));

TEST(SweepMisfits, AtEveryLoadAreAFormatThatDoesNotFit) {
    SweepInputs asked;
    asked.base = withoutBlocks();
    asked.users = {30, 32};
    const auto swept = sweep(asked);
    ASSERT_TRUE(swept);
    const SweepResult kept = withoutMisfits(*swept);
    EXPECT_EQ(kept.users, asked.users);
    const std::vector<Crossover> crossovers = crossoversOf(*swept, asked.base.scope);
    ASSERT_EQ(crossovers.size(), 1U);
    EXPECT_NE(crossovers[0].sentence.find("does not fit"), std::string::npos) << crossovers[0].sentence;
    EXPECT_EQ(crossovers[0].sentence.find("turns per second"), std::string::npos) << crossovers[0].sentence;
}

TEST(SweepMisfits, EndTheCurveAndTheMapOfASetting) {
    SimulatorFigureInputs asked;
    asked.base = withoutBlocks();
    asked.base.arrivals.users = 2;
    asked.users = {1, 2, 4, 8, 16, 32};
    asked.chunks = {512, 2048};
    asked.stage = FigureStage::Refined;
    const auto figure = simulatorFigure(asked);
    ASSERT_TRUE(figure) << figure.error().sentence();
    for (const SweepResult* drawn : {&figure->overUsers, &figure->map}) {
        ASSERT_FALSE(drawn->points.empty());
        EXPECT_LT(drawn->users.back(), 16);
        EXPECT_TRUE(
            std::ranges::all_of(drawn->points, [](const SweepPoint& p) { return p.against.has_value(); }));
    }
}

/// Latencies of a queue that grows tell how long the run was.
TEST(Overload, RatesThatAFormatDoesNotKeepUpWithAreLeftOut) {
    const auto sweptWith = [](std::vector<bool> own, std::vector<bool> against) {
        SweepResult swept;
        swept.ratesPerS = {1, 2, 4};
        swept.users = {8, 8, 8};
        swept.chunks = {0};
        swept.weights = {Storage::K4};
        swept.pairs.resize(1);
        swept.pairs[0].format = Format(4);
        swept.pairs[0].againstFormat = fp16Format;
        for (std::size_t i = 0; i < swept.ratesPerS.size(); ++i) {
            SweepPoint& point = swept.points.emplace_back();
            point.ratePerS = swept.ratesPerS[i];
            point.queueGrows = own[i];
            point.against.emplace().figures.queueGrows = against[i];
        }
        return withoutMisfits(swept);
    };
    const SweepResult kept = sweptWith({false, false, true}, {false, true, true});
    EXPECT_EQ(kept.ratesPerS, std::vector<double>{1});
    EXPECT_EQ(kept.mostLeftOut, 4);
    ASSERT_EQ(kept.points.size(), 1U);
    EXPECT_EQ(kept.leftOut.front(), "At 4 turns a second or more k = 4 falls behind. "
                                    "At 2 turns a second or more fp16 falls behind.");
    EXPECT_EQ(sweptWith({false, false, false}, {false, false, false}).points.size(), 3U);
    EXPECT_EQ(sweptWith({true, true, true}, {false, false, false}).points.size(), 3U) << "or nothing is left";
}

} // namespace
} // namespace loadline
