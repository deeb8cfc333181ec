// A rule that leaves the best kernel out, and dragged times: what verdicts say of both.
#include "core/simulate/study/rule_left_out.h"

#include "core/cost/kernel/dispatch_text.h"
#include "core/cost/profile/profile_naming.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/remarks.h"
#include "core/simulate/study/sensitivity.h"
#include "tests/core/simulate/made_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Swap-AB is there and the fastest up to M = 64; the rule of the code does not know it.
SimulationInputs withSwapAb() {
    SimulationInputs inputs = madeInputs();
    Profile profile = *inputs.profile;
    for (const std::int64_t m : {1, 8, 16, 64}) {
        ProfilePoint point;
        point.kernel = Kernel::SwapAb;
        point.size = {2048, 2048};
        point.rowsM = m;
        point.kBits = 4;
        point.timeUs = 2;
        point.name = "marlin_v9";
        point.origin = PointOrigin::Published;
        profile.points.push_back(point);
    }
    inputs.profile = std::make_shared<const Profile>(std::move(profile));
    inputs.arrivals.users = 8;
    return inputs;
}

TEST(RuleLeftOut, NamesTheKernelAndWhatItWouldTake) {
    SimulationInputs inputs = withSwapAb();
    EXPECT_EQ(kernelsLeftOut(inputs), std::vector<Kernel>{Kernel::SwapAb});
    const auto left = ruleLeftOutOf(inputs, {64, 8});
    ASSERT_TRUE(left && *left);
    SweepInputs swept;
    swept.base = inputs;
    swept.base.cost.rule = *findDispatchPreset("fastest");
    swept.users = {8, 64};
    const auto fastest = sweep(swept);
    ASSERT_TRUE(fastest);
    EXPECT_EQ((*left)->users, (std::vector<std::int64_t>{8, 64}));
    EXPECT_DOUBLE_EQ((*left)->fastest[0], fastest->points[0].timeVsFp16.value);
    EXPECT_LT((*left)->fastest[0], (*left)->asRuled[0]);
    EXPECT_THAT(ruleLeftOutSentence(**left),
                HasSubstr("The rule leaves out marlin_v9: with the rule `fastest` it is "));
    inputs.cost.rule = *findDispatchPreset("fastest");
    EXPECT_TRUE(kernelsLeftOut(inputs).empty());
    EXPECT_FALSE(*ruleLeftOutOf(inputs, {8}));
    EXPECT_TRUE(kernelsLeftOut(madeInputs()).empty());
}

TEST(RuleLeftOut, TheVerdictSaysIt) {
    SweepInputs inputs;
    inputs.base = withSwapAb();
    inputs.users = {1, 8, 64};
    inputs.weights = {Storage::K4};
    const auto crossovers = crossoversOf(inputs, {.draws = 2});
    ASSERT_TRUE(crossovers);
    EXPECT_THAT(crossovers->front().sentence, HasSubstr("The rule leaves out marlin_v9"));
    inputs.base.cost.rule = *findDispatchPreset("fastest");
    EXPECT_THAT(crossoversOf(inputs, {.draws = 2})->front().sentence, Not(HasSubstr("leaves out")));
}

TEST(WhatPays, OffersTheFastestOfAllKernels) {
    const SimulationInputs inputs = withSwapAb();
    const auto pays = whatPays(inputs, {1, 8}, {}, PayLook::Kernels);
    ASSERT_TRUE(pays) << pays.error().sentence();
    ASSERT_FALSE(pays->others.empty());
    const OtherPay& best = pays->others.front();
    EXPECT_EQ(best.kind, PayKind::Dispatch);
    EXPECT_EQ(best.change, "the fastest kernel at each M, marlin_v9 too");
    SimulationInputs fastest = inputs;
    fastest.cost.rule = *findDispatchPreset("fastest");
    SweepInputs one;
    one.base = fastest;
    EXPECT_DOUBLE_EQ(best.improvements.front().timeVsFp16.value_or(0),
                     sweep(one)->points.front().timeVsFp16.value);
}

TEST(WhatPays, AttentionThatIsARooflineIsAtItsLimit) {
    SimulationInputs inputs = madeInputs();
    inputs.profile = nullptr;
    inputs.hardware = findHardware("H100-SXM");
    inputs.scope = StepScope::WholeStep;
    inputs.length = {200, std::nullopt};
    inputs.cost.model = *findShapePreset("llama-3.1-8b");
    inputs.arrivals.users = 8;
    const auto pays = whatPays(inputs, {1, 8});
    ASSERT_TRUE(pays) << pays.error().sentence();
    const auto attention = std::ranges::find(pays->others, PayKind::Attention, &OtherPay::kind);
    ASSERT_NE(attention, pays->others.end());
    EXPECT_GT(attention->share, 0);
    EXPECT_TRUE(attention->improvements.empty()) << "nothing can be gained";
    EXPECT_THAT(pays->sentence, Not(HasSubstr("attention pays most")));
}

TEST(DraggedTimes, AreSaidByEverySentenceAndFact) {
    SimulationInputs inputs = withSwapAb();
    inputs.length.iterations = 200;
    EXPECT_EQ(draggedText(inputs), "");
    inputs.cost.timeScale[static_cast<std::size_t>(Kernel::Mma)] = 0.5;
    inputs.cost.timeScale[static_cast<std::size_t>(Kernel::SwapAb)] = 0;
    EXPECT_EQ(draggedText(inputs), "MMA \u00d7 0.5, marlin_v9 free");
    SimulatorFigureInputs asked;
    asked.base = inputs;
    asked.users = {1, 8};
    asked.stage = FigureStage::Refined;
    const auto figure = simulatorFigure(asked);
    ASSERT_TRUE(figure);
    EXPECT_TRUE(figure->sentence.starts_with("With dragged times (MMA \u00d7 0.5, marlin_v9 free): "))
        << figure->sentence;
    const auto facts = whatCounts(inputs, memoryFitOf(inputs), nullptr);
    ASSERT_FALSE(facts.empty());
    EXPECT_EQ(facts.front().words, "dragged: MMA \u00d7 0.5, marlin_v9 free");
    EXPECT_TRUE(facts.front().warns);
    SweepInputs swept;
    swept.base = inputs;
    swept.users = {1, 8};
    swept.weights = {Storage::K4};
    EXPECT_TRUE(crossoversOf(swept, {.draws = 2})->front().sentence.starts_with("With dragged times (MMA"));
}

TEST(RuleText, TakesTheNamesThatPointsGiveTheirKernels) {
    const SimulationInputs inputs = withSwapAb();
    const KernelNaming naming = namingOf(inputs.profile.get());
    EXPECT_EQ(withKeysForNames("marlin_v9:64, dequant_cublas", naming), "swap_ab:64, dequant_cublas");
    EXPECT_EQ(withKeysForNames("mma:16;grouped_mma:8,grouped_dequant", naming),
              "mma:16;grouped_mma:8,grouped_dequant");
    EXPECT_EQ(withKeysForNames("code", naming), "code");
    EXPECT_EQ(withKeysForNames("", naming), "");
    EXPECT_TRUE(dispatchRuleFromText(withKeysForNames("marlin_v9:64,dequant_cublas", naming)));
}

} // namespace
} // namespace loadline
