// Previews claim no more than their intervals hold.
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/preview_words.h"
#include "tests/core/simulate/settled_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace loadline {
namespace {

/// The present setting's runs are as short as its neighbours'.
TEST(PreviewOfASetting, ThePresentPointHasTheErrorOfShortRunsToo) {
    SimulatorFigureInputs inputs;
    inputs.base = servedInputs();
    inputs.base.length = {};
    inputs.base.arrivals.users = 8;
    inputs.users = {1, 64};
    const auto preview = simulatorFigure(inputs);
    ASSERT_TRUE(preview) << preview.error().sentence();
    for (const SweepPoint& point : preview->overUsers.points) {
        EXPECT_TRUE(point.isPreview) << point.users;
        EXPECT_GE(std::log(point.pace().high / point.pace().low), 2 * 1.9 * shortRunsError) << point.users;
    }
    EXPECT_TRUE(std::ranges::any_of(preview->overUsers.points,
                                    [](const SweepPoint& point) { return point.users == 8; }));
}

/// A curve over users that is kept beside an answer at a rate tells nothing of the rate.
TEST(PreviewOfASetting, AtARateThereIsNoCrossoverInUsers) {
    SimulatorFigureInputs inputs;
    inputs.base = servedInputs();
    inputs.base.length = {};
    inputs.base.arrivals.users = 8;
    inputs.users = {1, 64};
    auto figure = simulatorFigure(inputs);
    ASSERT_TRUE(figure) << figure.error().sentence();
    ASSERT_TRUE(figure->pair);
    figure->crossovers.clear();
    putPresentInto(*figure);
    EXPECT_FALSE(figure->crossovers.empty());
    figure->crossovers.clear();
    figure->inputs.arrivals.kind = ArrivalKind::Poisson;
    putPresentInto(*figure);
    EXPECT_TRUE(figure->crossovers.empty());
}

struct DrawnPace {
    std::int64_t users = 1;
    Banded pace;
};

/// The crossover of a preview's curve of one k.
Crossover previewOfCurve(const std::vector<DrawnPace>& curve) {
    SweepResult sweep;
    sweep.weights = {Storage::K4};
    sweep.chunks = {0};
    SweptPair& pair = sweep.pairs.emplace_back();
    pair.format = Format(4);
    pair.againstFormat = fp16Format;
    for (const DrawnPace& one : curve) {
        sweep.users.push_back(one.users);
        SweepPoint& point = sweep.points.emplace_back();
        point.users = one.users;
        point.weights = Storage::K4;
        point.isPreview = true;
        point.against.emplace().pace = one.pace;
    }
    return crossoversOf(sweep, StepScope::WholeStep, true).front();
}

TEST(PreviewOfACurve, ASideThatItsIntervalsDoNotTellIsNotSaid) {
    const Banded ahead{0.5, 0.4, 0.6};
    const Banded behind{1.4, 1.2, 1.6};
    const Banded maybeBehind{1.18, 0.58, 2.4};
    const Crossover untold = previewOfCurve({{1, ahead}, {8, ahead}, {16, maybeBehind}, {64, maybeBehind}});
    EXPECT_EQ(untold.crossings.size(), 1U) << "it is refined there first";
    EXPECT_EQ(untold.sentence, "At how many users k = 4 serves more turns per second than fp16 is said when "
                               "all is simulated (preview).");
    const Crossover told = previewOfCurve({{1, ahead}, {8, ahead}, {16, maybeBehind}, {64, behind}});
    EXPECT_EQ(told.sentence.find("k = 4 serves more turns per second than fp16 below "), 0U) << told.sentence;
    EXPECT_TRUE(previewOfCurve({{1, maybeBehind}, {8, maybeBehind}}).isUntold);
    EXPECT_FALSE(previewOfCurve({{1, maybeBehind}, {8, behind}}).isUntold);
}

} // namespace
} // namespace loadline
