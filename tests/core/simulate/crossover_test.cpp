// Crossings, their intervals and sentences; the Simulator's figure.
#include "core/simulate/study/crossover.h"

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/run/provenance.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/crossover_intervals.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>

namespace loadline {
namespace {

TEST(Crossings, LinearInLogUsers) {
    const std::vector<std::int64_t> users = {1, 4, 16};
    const auto one = crossingsOf(users, std::vector<double>{0.5, 0.9, 1.1});
    ASSERT_EQ(one.size(), 1U);
    EXPECT_NEAR(one[0].users, 8, 1e-9); // half-way from 4 to 16
    EXPECT_TRUE(one[0].quantisedFasterBelow);
    const auto two = crossingsOf(users, std::vector<double>{1.2, 0.8, 1.2});
    ASSERT_EQ(two.size(), 2U);
    EXPECT_FALSE(two[0].quantisedFasterBelow);
    EXPECT_NEAR(two[0].users, 2, 1e-9);
    EXPECT_TRUE(crossingsOf(users, std::vector<double>{0.5, 0.6, 0.7}).empty());
    EXPECT_TRUE(crossingsOf({}, {}).empty());
    EXPECT_TRUE(crossingsOf(users, std::vector<double>{1.0, 1.0, 1.0}).empty()) << "equal is not faster";
}

Crossover madeCrossover() {
    Crossover crossover;
    crossover.kind = CrossoverKind::One;
    crossover.crossings = {{14.2, true}};
    crossover.best = {0.57, 0.5, 0.6};
    crossover.bestUsers = 1;
    crossover.worst = {1.24, 1.2, 1.3};
    crossover.worstUsers = 64;
    crossover.all = {11, 18, 1.0};
    return crossover;
}

TEST(Crossover, SaysItInWords) {
    Crossover crossover = madeCrossover();
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 15 users on (11 to 18), by up to 24.0 %; below, they win "
              "by up to 43.0 %.")
        << "users are whole";
    crossover.all = {11, std::nullopt, 0.8};
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 15 users on (11 to above 256; 80.0 % "
              "of the draws cross), by up to 24.0 %; below, they win by up to 43.0 %.");
    crossover.all = {};
    crossover.crossings = {{1.8, true}};
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 2 users on, by up to 24.0 %; below, "
              "they win by up to 43.0 %.");
    crossover.crossings = {{16, false}}; // exactly as fast as fp16 at 16 users
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) win from 16 users on, by up to 43.0 %; below, "
              "they lose by up to 24.0 %.");
    crossover.crossings = {{3.2, true, 3, 4}};
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 4 users on, by up to 24.0 %; below, they win by up to "
              "43.0 %.");
    crossover.crossings = {{2.6, true, 2, 4}}; // at 3 users or 4: nobody knows
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 3 to 4 users on, by up to 24.0 %; below, they win "
              "by up to 43.0 %; 3 users were not simulated.");
    EXPECT_EQ(firstUsersBehind(crossover.crossings.front()), 4);
    crossover.crossings = {{41, true, 32, 64}};
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) lose from 33 to 64 users on, by up to 24.0 %; below, they win "
              "by up to 43.0 %; between 32 and 64 users nothing was simulated.");
    crossover.all = {.low = 40.2, .high = 41.8, .shareWithCrossing = 1}; // interpolated where nothing was run
    EXPECT_NE(crossoverSentence(crossover).find("lose from 33 to 64 users on, by"), std::string::npos)
        << crossoverSentence(crossover);
    crossover.all = {.low = 20.5, .high = 41.8, .shareWithCrossing = 1};
    EXPECT_NE(crossoverSentence(crossover).find("lose from 33 to 64 users on (21 to 64), by"),
              std::string::npos)
        << crossoverSentence(crossover);
    EXPECT_EQ(wordsOf(crossover, crossover.all), "21 to 64 users");
    crossover.all = {};
    crossover.crossings = {{101, true, 100, 102}}; // too close to matter
    EXPECT_NE(crossoverSentence(crossover).find("lose from 101 users on, "), std::string::npos);
    crossover.crossings.clear();
    crossover.kind = CrossoverKind::QuantisedFaster;
    crossover.worst = {0.93, 0.9, 0.95};
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) win from 1 to 256 users: by 7.0 % to 43.0 %.");
    crossover.fromUsers = crossover.toUsers = 3;
    crossover.best = crossover.worst;
    EXPECT_EQ(crossoverSentence(crossover), "Quantised kernels (k = 4) win at 3 users: by 7.0 %.");
    crossover = madeCrossover();
    crossover.all = {};
    crossover.kind = CrossoverKind::Several;
    crossover.worst = {1.24, 1.2, 1.3};
    crossover.crossings = {{3, true}, {5.5, false}, {14.2, true}};
    EXPECT_EQ(crossoverSentence(crossover),
              "Quantised kernels (k = 4) and fp16 change places at 3, 6 and 15 users: at most "
              "43.0 % faster (at 1 user), 24.0 % slower (at 64 users).");
}

SweepInputs madeSweep() {
    SweepInputs inputs;
    inputs.base = madeInputs();
    inputs.base.replicas = 8;
    inputs.users = userGrid(64);
    inputs.weights = {Storage::K3, Storage::K4};
    return inputs;
}

bool holds(const CrossoverInterval& interval, double users) {
    return interval.low.value_or(0) <= users && users <= interval.high.value_or(1e9);
}

double widthOf(const CrossoverInterval& interval) {
    return std::log(interval.high.value_or(256) / interval.low.value_or(1));
}

TEST(Crossover, EveryIntervalHoldsTheCrossing) {
    const auto found = crossoversOf(madeSweep(), {32, 2});
    ASSERT_TRUE(found) << found.error().sentence();
    ASSERT_EQ(found->size(), 2U);
    for (const Crossover& crossover : *found) {
        ASSERT_FALSE(crossover.crossings.empty());
        const double at = crossover.crossings.front().users;
        for (const CrossoverInterval* one :
             {&crossover.all, &crossover.replicas, &crossover.sessions, &crossover.kernels}) {
            ASSERT_TRUE(one->low && one->high);
            EXPECT_TRUE(holds(*one, at)) << *one->low << " to " << *one->high << ", not " << at;
            EXPECT_LT(*one->low, *one->high);
        }
        // 24,229 turns were counted: who else might have been matters less than the chance of a run.
        EXPECT_LT(widthOf(crossover.sessions), widthOf(crossover.replicas));
        EXPECT_GE(crossover.all.shareWithCrossing, 0.5);
        ASSERT_TRUE(crossover.modelledShare);
        EXPECT_FALSE(crossover.sentence.empty());
    }
}

TEST(Crossover, IntervalsWidenWithTheDoubtOfTheirSource) {
    const SweepInputs usual = madeSweep();
    SweepInputs unsure = usual;
    auto profile = std::make_shared<Profile>(*unsure.base.profile);
    for (ProfilePoint& point : profile->points) {
        point.p25Us = 0.6 * point.timeUs;
        point.p75Us = 1.4 * point.timeUs;
    }
    unsure.base.profile = profile;
    SweepInputs few = usual;
    auto workload = std::make_shared<Workload>(*few.base.workload);
    workload->distribution.input.turns = 50;
    workload->distribution.output.turns = 50;
    few.base.workload = workload;
    const auto before = crossoversOf(usual, {32, 2});
    const auto kernels = crossoversOf(unsure, {32, 2});
    const auto sessions = crossoversOf(few, {32, 2});
    ASSERT_TRUE(before && kernels && sessions);
    for (std::size_t k = 0; k < before->size(); ++k) {
        EXPECT_GT(widthOf((*kernels)[k].kernels), 1.3 * widthOf((*before)[k].kernels));
        EXPECT_NEAR(widthOf((*kernels)[k].sessions), widthOf((*before)[k].sessions), 1e-9);
        EXPECT_GT(widthOf((*sessions)[k].sessions), 2 * widthOf((*before)[k].sessions));
        EXPECT_NEAR(widthOf((*sessions)[k].kernels), widthOf((*before)[k].kernels), 1e-9);
    }
}

TEST(Crossover, NoneIsAnAnswer) {
    SweepInputs inputs = madeSweep();
    inputs.base.cost.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 0;
    inputs.base.cost.timeScale[static_cast<std::size_t>(Kernel::Mma)] = 0.1;
    const auto faster = crossoversOf(inputs, {8, 2});
    ASSERT_TRUE(faster);
    EXPECT_EQ((*faster)[0].kind, CrossoverKind::QuantisedFaster);
    EXPECT_TRUE((*faster)[0].crossings.empty());
    inputs.base.cost.timeScale[static_cast<std::size_t>(Kernel::Scalar)] = 100;
    inputs.base.cost.timeScale[static_cast<std::size_t>(Kernel::Mma)] = 100;
    inputs.base.cost.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 10;
    const auto slower = crossoversOf(inputs, {8, 2});
    ASSERT_TRUE(slower);
    EXPECT_EQ((*slower)[0].kind, CrossoverKind::QuantisedSlower);
}

TEST(Provenance, NamesTheKernelsWithoutTimes) {
    SimulationInputs inputs = madeInputs();
    inputs.hardware = findHardware("H800");
    const auto modelled = [&] {
        std::string found;
        for (const std::string& line : provenanceOf(inputs)) {
            found += line.starts_with("modelled: ") ? line : "";
        }
        return found;
    };
    inputs.modelMissing = true;
    EXPECT_EQ(modelled(), "") << "every kernel of the rule is timed";
    Profile fewer = *inputs.profile;
    std::erase_if(fewer.points, [](const ProfilePoint& point) { return point.kernel == Kernel::Mma; });
    inputs.profile = std::make_shared<const Profile>(fewer);
    EXPECT_EQ(modelled(), "modelled: " + std::string(nameOf(Kernel::Mma)) +
                              ", of which the profile has no times: rooflines");
    std::erase_if(fewer.points, [](const ProfilePoint& point) { return point.kernel == Kernel::Dequantise; });
    inputs.profile = std::make_shared<const Profile>(fewer);
    EXPECT_NE(modelled().find(std::string(nameOf(Kernel::Dequantise)) + ","), std::string::npos)
        << modelled();
    inputs.modelMissing = false;
    EXPECT_EQ(modelled(), "") << "then it is an error, and nothing is modelled";
}

TEST(SimulatorFigure, PreviewAndRefinedAgreeWithinTheirErrors) {
    SimulatorFigureInputs inputs;
    inputs.base = madeInputs();
    inputs.base.length.iterations = 10'000;
    inputs.base.replicas = 64;
    inputs.users = userGrid(128);
    inputs.chunks = chunkGrid();
    const auto preview = simulatorFigure(inputs);
    inputs.stage = FigureStage::Refined;
    const auto refined = simulatorFigure(inputs);
    ASSERT_TRUE(preview && refined);
    EXPECT_NE(preview->sentence.find(" time than fp16 (preview, "), std::string::npos) << preview->sentence;
    EXPECT_NE(preview->crossovers.front().sentence.find("(preview)"), std::string::npos);
    EXPECT_EQ(preview->sentence.find(" of it, "), std::string::npos) << "no interval of so few runs";
    const std::regex decimals(R"(\d\.\d %)");
    EXPECT_FALSE(std::regex_search(preview->sentence, decimals)) << preview->sentence;
    EXPECT_EQ(refined->sentence.find("preview"), std::string::npos) << refined->sentence;
    EXPECT_TRUE(std::regex_search(refined->sentence, decimals)) << refined->sentence;
    EXPECT_GT(preview->relativeError, 0);
    EXPECT_LE(refined->relativeError, 0.0101);
    EXPECT_NEAR(preview->timeVsFp16.value / refined->timeVsFp16.value, 1,
                4 * (preview->relativeError + refined->relativeError));
    EXPECT_EQ(refined->map.points.size(), inputs.users.size() * inputs.chunks.size());
    EXPECT_EQ(refined->crossovers.size(), 4U);
    double steps = 0;
    double time = 0;
    std::int64_t next = refined->rows.front().low;
    for (const RowsBin& bin : refined->rows) {
        EXPECT_EQ(bin.low, next);
        next = bin.high + 1;
        steps += bin.stepShare;
        time += bin.timeShare;
        const double byKernel = std::accumulate(bin.stepShareBy.begin(), bin.stepShareBy.end(), 0.0);
        EXPECT_NEAR(byKernel, bin.stepShare, 1e-12);
        EXPECT_LE(bin.decodeOnlyShare, bin.stepShare + 1e-12);
    }
    EXPECT_NEAR(steps, 1, 1e-9);
    EXPECT_NEAR(time, 1, 1e-9);
}

SimulationInputs wholeModelInputs() {
    SimulationInputs inputs = madeInputs();
    inputs.cost.model = *findShapePreset("llama-3.1-8b");
    inputs.profile = nullptr;
    inputs.hardware = findHardware("RTX4090");
    inputs.scope = StepScope::WholeStep;
    return inputs;
}

/// Step by step a preview is the first of the runs that are refined: as long, and as far into contexts and
/// queues. How far a single run is off it cannot tell, so it does not say.
TEST(SimulatorFigure, APreviewStepByStepIsTheFirstOfTheRefinedRuns) {
    SimulatorFigureInputs inputs;
    inputs.base = wholeModelInputs();
    inputs.base.arrivals.users = 6;
    inputs.base.replicas = 2;
    inputs.users = {1, 4, 16};
    const auto runs = simulate(inputs.base);
    const auto preview = simulatorFigure(inputs);
    inputs.stage = FigureStage::Refined;
    const auto refined = simulatorFigure(inputs);
    ASSERT_TRUE(runs && preview && refined);
    const SimulationResult& first = runs->replicas.front();
    EXPECT_EQ(preview->present.rows, first.rows);
    EXPECT_EQ(preview->present.ttftS.p50, first.ttftS.p50);
    EXPECT_EQ(preview->present.throughputTokensPerS(), first.throughputTokensPerS());
    EXPECT_EQ(preview->overUsers.users, (std::vector<std::int64_t>{1, 2, 4, 6, 8, 16}));
    for (const SweepPoint& point : preview->overUsers.points) {
        const auto same = std::ranges::find(refined->overUsers.points, point.users, &SweepPoint::users);
        ASSERT_NE(same, refined->overUsers.points.end()) << point.users;
        EXPECT_EQ(point.timeVsFp16.value, same->replicaRatios.front());
        if (point.users == 6) { // the marker lies on the curve
            EXPECT_EQ(point.timeVsFp16.value, preview->timeVsFp16.value);
        }
    }
    EXPECT_EQ(preview->relativeError, 0);
    EXPECT_NE(preview->sentence.find(" turns per second "), std::string::npos) << preview->sentence;
    EXPECT_EQ(preview->sentence.find("\u00b1"), std::string::npos) << preview->sentence;
    EXPECT_EQ(preview->sentence.find("only decode"), std::string::npos) << "one run hardly knows";
    EXPECT_NE(refined->sentence.find(" turns per second "), std::string::npos) << refined->sentence;
    EXPECT_EQ(roughShare(0.362, oneRunError), "about 40 %");
    EXPECT_EQ(roughShare(0.02, oneRunError), "less than 10 %");
    EXPECT_EQ(roughShare(0.362, previewError), "36 %");
    EXPECT_EQ(refined->sentence.find("about"), std::string::npos) << refined->sentence;
}

TEST(SimulatorFigure, ItsKernelTableHoldsTheWholeStep) {
    SimulatorFigureInputs inputs;
    inputs.base = wholeModelInputs();
    inputs.base.length.iterations = 200;
    inputs.users = {1, 4};
    const auto figure = simulatorFigure(inputs);
    ASSERT_TRUE(figure) << figure.error().sentence();
    double shares = 0, us = 0;
    const Table table = kernelTable(*figure);
    for (const auto& row : table.rows) {
        const bool isAll = std::get<std::string>(row[0]) == "all";
        shares += isAll ? 0 : std::get<double>(row[1]);
        us += isAll ? 0 : std::get<double>(row[2]);
    }
    EXPECT_NEAR(shares, 1, 1e-9);
    EXPECT_NEAR(us, figure->present.wholeUs, 1e-6 * us);
    EXPECT_EQ(std::get<std::string>(table.rows[table.rows.size() - 2][0]), "attention_and_host");
}

TEST(SimulatorFigure, HasNoNumberThatIsNone) {
    for (const Policy policy : {Policy::SinglePrefill, Policy::VllmV1}) {
        for (const std::int64_t users : {1, 3, 200}) {
            SimulatorFigureInputs inputs;
            inputs.base = madeInputs();
            inputs.base.policy.policy = policy;
            inputs.base.arrivals.users = users;
            inputs.base.length.iterations = users == 1 ? 1 : 300; // hardly anything happens
            inputs.users = userGrid(200);
            inputs.chunks = {64, 512};
            inputs.stage = FigureStage::Refined;
            const auto figure = simulatorFigure(inputs);
            ASSERT_TRUE(figure);
            for (const Table& table :
                 {rowsTable(*figure), kernelTable(*figure), usersTable(*figure), mapTable(*figure)}) {
                for (const auto& row : table.rows) {
                    ASSERT_EQ(row.size(), table.columns.size());
                    for (const Cell& cell : row) {
                        if (const double* value = std::get_if<double>(&cell)) {
                            EXPECT_TRUE(std::isfinite(*value));
                        }
                    }
                }
            }
            EXPECT_EQ(figure->sentence.find("nan"), std::string::npos);
        }
    }
}

TEST(UserGrid, AscendsFromOneToTheLast) {
    const auto grid = userGrid(256);
    EXPECT_EQ(grid.front(), 1);
    EXPECT_EQ(grid.back(), 256);
    EXPECT_TRUE(std::is_sorted(grid.begin(), grid.end()));
    EXPECT_EQ(std::adjacent_find(grid.begin(), grid.end()), grid.end());
    EXPECT_EQ(userGrid(1), std::vector<std::int64_t>{1});
}

} // namespace
} // namespace loadline
