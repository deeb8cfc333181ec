// Sweeps: the same numbers as one simulation each, on any number of threads; and what is refused.
#include "core/simulate/study/sweep.h"

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/format_pair.h"
#include "tests/core/simulate/made_inputs.h"
#include "tests/core/simulate/settled_settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace loadline {
namespace {

TEST(Sweep, GivesWhatSimulateGives) {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.replicas = 3;
    inputs.users = {1, 8, 40};
    inputs.chunks = {128, 512};
    inputs.weights = {Storage::K2, Storage::K4};
    const auto swept = sweep(inputs);
    ASSERT_TRUE(swept) << swept.error().sentence();
    ASSERT_EQ(swept->points.size(), 12U);
    for (std::size_t k = 0; k < 2; ++k) {
        for (std::size_t c = 0; c < 2; ++c) {
            for (std::size_t u = 0; u < 3; ++u) {
                SimulationInputs one = inputs.base;
                one.cost.format = Format(inputs.weights[k]);
                one.policy.chunkTokens = inputs.chunks[c];
                one.arrivals.users = inputs.users[u];
                const auto simulated = simulate(one);
                ASSERT_TRUE(simulated);
                const SimulationResult all = pooled(simulated->replicas);
                const SweepPoint& point = swept->at(k, c, u);
                EXPECT_EQ(point.users, inputs.users[u]);
                EXPECT_EQ(point.chunkTokens, inputs.chunks[c]);
                EXPECT_EQ(point.weights, inputs.weights[k]);
                EXPECT_NEAR(point.timeVsFp16.value, all.timeVsFp16(), 1e-9);
                EXPECT_NEAR(point.averageM.value, all.averageM(), 1e-9 * all.averageM());
                EXPECT_NEAR(point.decodeOnlyFraction.value, all.decodeOnlyFraction(), 1e-12);
                EXPECT_EQ(point.replicaRatios.size(), 3U);
                EXPECT_LE(point.timeVsFp16.low, point.timeVsFp16.value);
                EXPECT_GE(point.timeVsFp16.high, point.timeVsFp16.value);
            }
        }
    }
}

TEST(Sweep, OneKHasTheSameCurveAloneAndBesideOthers) {
    SweepInputs alone;
    alone.base = servedInputs();
    alone.base.length = {};
    alone.users = {8, 30};
    ASSERT_TRUE(isSettling(alone.base) && comparesFormats(alone.base));
    SweepInputs beside = alone;
    beside.weights = {Storage::K2, Storage::K4};
    const auto one = sweep(alone);
    const auto both = sweep(beside);
    ASSERT_TRUE(one && both);
    for (std::size_t u = 0; u < alone.users.size(); ++u) {
        EXPECT_EQ(one->at(0, 0, u).turnsPerS.value, both->at(1, 0, u).turnsPerS.value) << alone.users[u];
        EXPECT_EQ(one->at(0, 0, u).pace().value, both->at(1, 0, u).pace().value) << alone.users[u];
    }
}

TEST(Sweep, DoesNotDependOnThreads) {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.policy.policy = Policy::VllmV1;
    inputs.base.replicas = 2;
    inputs.users = userGrid(64);
    inputs.latencies = true;
    inputs.threads = 1;
    const auto one = sweep(inputs);
    inputs.threads = 5;
    const auto five = sweep(inputs);
    ASSERT_TRUE(one && five);
    ASSERT_EQ(one->points.size(), five->points.size());
    for (std::size_t i = 0; i < one->points.size(); ++i) {
        EXPECT_EQ(one->points[i].timeVsFp16, five->points[i].timeVsFp16);
        EXPECT_EQ(one->points[i].ttftP90S, five->points[i].ttftP90S);
    }
}

TEST(Sweep, EachSettingArrivesAsTheAnswerHasItInWhateverOrder) {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.replicas = 2;
    inputs.users = userGrid(64);
    inputs.weights = {Storage::K3, Storage::K4};
    const auto usual = sweep(inputs);
    inputs.threads = 1;
    inputs.nearFirst = {9.5, 40};
    std::vector<SweepPoint> arrived;
    std::vector<std::int64_t> order;
    inputs.arrived = [&](std::span<const SweepPoint> points) {
        order.push_back(points.front().users);
        arrived.insert(arrived.end(), points.begin(), points.end());
    };
    const auto other = sweep(inputs);
    ASSERT_TRUE(usual && other);
    ASSERT_EQ(arrived.size(), other->points.size());
    const auto apart = [](std::int64_t users) {
        const double u = static_cast<double>(users);
        return std::min(std::abs(std::log(u / 9.5)), std::abs(std::log(u / 40)));
    };
    EXPECT_TRUE(std::ranges::is_sorted(order, {}, apart));
    EXPECT_FALSE(std::ranges::is_sorted(order));
    ASSERT_EQ(usual->points.size(), other->points.size());
    for (std::size_t i = 0; i < usual->points.size(); ++i) {
        EXPECT_EQ(usual->points[i].timeVsFp16, other->points[i].timeVsFp16);
        EXPECT_TRUE(std::ranges::any_of(arrived, [&](const SweepPoint& point) {
            return point.users == usual->points[i].users && point.weights == usual->points[i].weights &&
                   point.timeVsFp16 == usual->points[i].timeVsFp16;
        }));
    }
}

TEST(Sweep, TablesThatAreThereAreUsedOnlyWhereTheyFit) {
    SimulationInputs inputs = madeInputs();
    const auto tables = CostTables::make(inputs, {4}, 2048);
    ASSERT_TRUE(tables);
    inputs.tables = *tables;
    const auto more = CostTables::make(inputs, {4, 5}, 1024);
    ASSERT_TRUE(more);
    EXPECT_EQ(&(*more)->at(4), &(*tables)->at(4)) << "taken over";
    EXPECT_TRUE((*more)->has(5));
    inputs.cost.timeScale[static_cast<std::size_t>(Kernel::Mma)] = 0.5;
    const auto other = CostTables::make(inputs, {4}, 1024);
    ASSERT_TRUE(other);
    EXPECT_LT((*other)->at(4).table().us(8), (*tables)->at(4).table().us(8));
}

TEST(Sweep, StoppedGivesNoPoints) {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.users = {1, 2};
    std::stop_source source;
    source.request_stop();
    const auto swept = sweep(inputs, source.get_token());
    ASSERT_TRUE(swept);
    EXPECT_TRUE(swept->points.empty());
}

/// Every value that makes no sense is refused with a sentence; nothing hangs and nothing throws.
TEST(SimulationInputsAreChecked, AbsurdValues) {
    const std::vector<void (*)(SimulationInputs&)> spoilers = {
        [](SimulationInputs& i) { i.workload = nullptr; },
        [](SimulationInputs& i) { i.workload = std::make_shared<Workload>(); },
        [](SimulationInputs& i) { i.profile = nullptr; },
        [](SimulationInputs& i) { i.profile = std::make_shared<Profile>(); },
        [](SimulationInputs& i) { i.arrivals.users = 0; },
        [](SimulationInputs& i) { i.arrivals.users = -5; },
        [](SimulationInputs& i) { i.arrivals.users = std::numeric_limits<std::int64_t>::max(); },
        [](SimulationInputs& i) { i.policy.chunkTokens = 0; },
        [](SimulationInputs& i) { i.policy.chunkTokens = -1; },
        [](SimulationInputs& i) { i.policy.budgetTokens = 0; },
        [](SimulationInputs& i) { i.policy.maxSeqs = 0; },
        [](SimulationInputs& i) { i.policy.kvBlocks = 1; },
        [](SimulationInputs& i) { i.policy.watermark = std::nan(""); },
        [](SimulationInputs& i) { i.length.iterations = 0; },
        [](SimulationInputs& i) { i.replicas = 0; },
        [](SimulationInputs& i) { i.hostUs = -1; },
        [](SimulationInputs& i) { i.cost.model.gemms.clear(); },
        [](SimulationInputs& i) { i.cost.timeScale[0] = -1; },
        [](SimulationInputs& i) { i.scope = StepScope::WholeStep; },
        [](SimulationInputs& i) { i.arrivals.kind = ArrivalKind::Trace; },
        [](SimulationInputs& i) { i.arrivals.order = TurnOrder::Replayed; },
        [](SimulationInputs& i) { i.arrivals.think = ThinkTime::FromData; },
        [](SimulationInputs& i) {
            i.arrivals.kind = ArrivalKind::Poisson;
            i.arrivals.ratePerS = 0;
        },
        [](SimulationInputs& i) {
            i.arrivals.think = ThinkTime::Fixed;
            i.arrivals.thinkS = std::numeric_limits<double>::infinity();
        },
    };
    for (std::size_t n = 0; n < spoilers.size(); ++n) {
        SimulationInputs inputs = madeInputs();
        spoilers[n](inputs);
        const auto result = simulate(inputs);
        ASSERT_FALSE(result) << n;
        EXPECT_FALSE(result.error().what.empty()) << n;
        SweepInputs all;
        all.base = inputs;
        EXPECT_FALSE(sweep(all)) << n;
        SimulatorFigureInputs figure;
        figure.base = inputs;
        figure.users = {1, 2};
        EXPECT_FALSE(simulatorFigure(figure)) << n;
    }
}

TEST(Sweep, RunsOverRatesOfArrivals) {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.arrivals.kind = ArrivalKind::Poisson;
    inputs.base.policy.policy = Policy::VllmV1;
    inputs.base.length = {500, std::nullopt};
    inputs.ratesPerS = {20, 200};
    inputs.chunks = {128, 512};
    inputs.latencies = true;
    const auto swept = sweep(inputs);
    ASSERT_TRUE(swept) << swept.error().sentence();
    ASSERT_EQ(swept->points.size(), 4U);
    for (std::size_t chunk = 0; chunk < 2; ++chunk) {
        EXPECT_EQ(swept->at(0, chunk, 0).load(), 20);
        EXPECT_EQ(swept->at(0, chunk, 1).load(), 200);
        EXPECT_GT(swept->at(0, chunk, 1).averageM.value, swept->at(0, chunk, 0).averageM.value);
    }
    SimulationInputs one = inputs.base;
    one.arrivals.ratePerS = 200;
    one.policy.chunkTokens = 512;
    const auto alone = simulate(one);
    ASSERT_TRUE(alone);
    EXPECT_NEAR(swept->at(0, 1, 1).timeVsFp16.value, alone->replicas[0].timeVsFp16(), 1e-12);
}

TEST(SimulatorFigure, TheMapSaysWhatASimulationSays) {
    SimulatorFigureInputs inputs;
    inputs.base = madeInputs();
    inputs.base.policy.policy = Policy::VllmV1;
    inputs.base.policy.kvBlocks = 20'001; // step by step
    inputs.base.length = {3000, std::nullopt};
    inputs.base.replicas = 2;
    inputs.base.arrivals.users = 20;
    inputs.users = {1, 4, 20};
    inputs.chunks = {64, 512, 4096};
    inputs.stage = FigureStage::Refined;
    const auto figure = simulatorFigure(inputs);
    ASSERT_TRUE(figure) << figure.error().sentence();
    ASSERT_FALSE(goesFast(inputs.base));
    const Table table = mapTable(*figure);
    ASSERT_EQ(figure->map.points.size(), table.rows.size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const SweepPoint& point = figure->map.points[i];
        SimulationInputs one = inputs.base;
        one.arrivals.users = point.users;
        one.policy.chunkTokens = point.chunkTokens;
        one.replicas = static_cast<std::int64_t>(point.replicaRatios.size());
        const auto alone = simulate(one);
        ASSERT_TRUE(alone) << alone.error().sentence();
        EXPECT_NEAR(point.timeVsFp16.value, pooled(alone->replicas).timeVsFp16(), 1e-9)
            << point.users << " users, chunk " << point.chunkTokens;
        const bool onCurve = point.chunkTokens == chunkOf(inputs.base.policy);
        EXPECT_EQ(point.replicaRatios.size(), onCurve ? 2U : 1U);
        EXPECT_EQ(table.rows[i][3] == Cell(), !onCurve) << "one run tells no spread";
    }
}

TEST(SimulatorFigure, TheMapNeverContradictsTheSettledAnswer) {
    SimulatorFigureInputs inputs;
    inputs.base = servedInputs();
    inputs.base.length = {};
    inputs.users = {8, 53};
    inputs.chunks = {64, 2048};
    inputs.stage = FigureStage::Refined;
    ASSERT_TRUE(isSettling(inputs.base));
    ASSERT_TRUE(comparesFormats(inputs.base));
    const auto figure = simulatorFigure(inputs);
    ASSERT_TRUE(figure) << figure.error().sentence();
    ASSERT_FALSE(figure->map.points.empty());
    int told = 0;
    for (const SweepPoint& point : figure->map.points) {
        SimulationInputs one = inputs.base;
        one.arrivals.users = point.users;
        one.policy.chunkTokens = point.chunkTokens;
        const auto pair = serveFormats(one, 0);
        ASSERT_TRUE(pair) << pair.error().sentence();
        const std::string place = fmt::format("{} users, chunk {}", point.users, point.chunkTokens);
        ASSERT_TRUE(point.against && point.against->turnsPerS.low && point.against->turnsPerS.high) << place;
        ASSERT_TRUE(pair->turnsPerS) << place;
        told += point.isEven() ? 0 : 1;
        ASSERT_TRUE(point.against->paceOfRuns)
            << place << ": with the error of the kernel times, as the curve";
        const double ofKernels = std::exp(z95 * point.against->kernelError.deviation);
        EXPECT_GT(point.against->kernelError.deviation, 0.005) << place;
        EXPECT_LE(*point.against->turnsPerS.low, point.against->turnsPerS.value / ofKernels * 1.0001)
            << place;
        EXPECT_GE(*point.against->turnsPerS.high, point.against->turnsPerS.value * ofKernels * 0.9999)
            << place;
        EXPECT_TRUE(point.isEvenAtMost() || !point.isEven()) << place;
        EXPECT_TRUE(point.isEven() || pair->turnsPerS->isEven() ||
                    (point.pace().value < 1) == (pair->turnsPerS->value > 1))
            << place << ": " << point.against->turnsPerS.value << " on the map, " << pair->turnsPerS->value;
    }
    EXPECT_GT(told, 0);
}

TEST(SimulatorFigure, ArrivalsAtARateHaveEveryChart) {
    SimulatorFigureInputs inputs;
    inputs.base = madeInputs();
    inputs.base.policy.policy = Policy::VllmV1;
    inputs.base.length = {300, std::nullopt};
    inputs.base.arrivals.kind = ArrivalKind::Poisson;
    inputs.base.arrivals.ratePerS = 40;
    inputs.users = userGrid(16);
    inputs.chunks = chunkGrid();
    inputs.stage = FigureStage::Refined;
    const auto figure = simulatorFigure(inputs);
    ASSERT_TRUE(figure) << figure.error().sentence();
    EXPECT_EQ(figure->overUsers.points.size(), rateGrid(40).size());
    EXPECT_FALSE(figure->map.points.empty());
    EXPECT_GT(figure->overUsers.points.back().ttftP50S.value, 0);
    const Table table = usersTable(*figure);
    EXPECT_EQ(table.rows[0][0], Cell()) << "no users";
    const auto rate =
        static_cast<std::size_t>(std::ranges::find(table.columns, "rate_per_s") - table.columns.begin());
    EXPECT_EQ(table.rows[0][rate], Cell(5.0));
}

} // namespace
} // namespace loadline
