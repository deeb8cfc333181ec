// What a dispatch rule costs, and the jump it makes of a curve, on made-up times.
#include "core/simulate/study/rule_moves.h"

#include "core/cost/kernel/dispatch_text.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/crossover.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

constexpr double mmaSlope = 0.4;

/// MMA takes 8 + 0.4 M, dequantise + fp16 20 + 0.04 M: even at M = 33.3. The rule changes at 16.
SimulationInputs ruledInputs() {
    SimulationInputs inputs = madeInputs();
    Profile profile = *inputs.profile;
    for (ProfilePoint& point : profile.points) {
        if (point.kernel == Kernel::Mma) {
            point.timeUs = 8 + mmaSlope * static_cast<double>(point.rowsM);
        }
    }
    std::erase_if(profile.points, [](const ProfilePoint& point) {
        return point.kernel == Kernel::Mma && point.rowsM < 64 && point.rowsM != 1;
    });
    for (std::int64_t m = 2; m < 64; ++m) { // so that nothing is interpolated
        ProfilePoint point = profile.points.back();
        point.kernel = Kernel::Mma;
        point.kBits = 4;
        point.rowsM = m;
        point.timeUs = 8 + mmaSlope * static_cast<double>(m);
        profile.points.push_back(point);
        point.kernel = Kernel::CublasFp16;
        point.kBits = fp16Bits;
        point.timeUs = 14 + 0.04 * static_cast<double>(m);
        profile.points.push_back(point);
    }
    std::erase_if(profile.points, [seen = false](const ProfilePoint& point) mutable { // it is there already
        const bool isThere = point.kernel == Kernel::CublasFp16 && point.rowsM == 16;
        return isThere && std::exchange(seen, true);
    });
    inputs.profile = std::make_shared<const Profile>(std::move(profile));
    return inputs;
}

TEST(RuleMoves, ABoundMovesToWhereBothTakeEquallyLong) {
    const auto moves = movesOf(ruledInputs());
    ASSERT_TRUE(moves) << moves.error().sentence();
    const auto found = std::ranges::find(*moves, 16, &RuleMove::boundM);
    ASSERT_NE(found, moves->end());
    EXPECT_EQ(found->below, Kernel::Mma);
    EXPECT_EQ(found->above, Kernel::DequantCublas);
    EXPECT_TRUE(found->goesUp());
    EXPECT_EQ(found->fasterToM, 33);
    EXPECT_EQ(kernelFor(found->rule, false, 33), Kernel::Mma);
    EXPECT_EQ(kernelFor(found->rule, false, 34), Kernel::DequantCublas);
    EXPECT_EQ(textOf(*found), "MMA up to 33 rows a step instead of 16");
}

TEST(RuleMoves, ABoundThatIsTooHighComesDown) {
    SimulationInputs inputs = ruledInputs();
    inputs.cost.rule = editedRule({{Kernel::Mma, 1, 60}, {Kernel::DequantCublas, 61, unboundedM}}, {});
    inputs.cost.rule.grouped = findDispatchPreset("code")->grouped;
    const auto moves = movesOf(inputs);
    ASSERT_TRUE(moves) << moves.error().sentence();
    ASSERT_EQ(moves->size(), 1U);
    EXPECT_FALSE(moves->front().goesUp());
    EXPECT_EQ(moves->front().fasterToM, 33);
    EXPECT_EQ(textOf(moves->front()), "dequantise + cuBLAS from 34 rows a step instead of 61");
}

TEST(RuleMoves, TheFastestHasNothingToMove) {
    SimulationInputs inputs = ruledInputs();
    inputs.cost.rule = *findDispatchPreset("fastest");
    const auto moves = movesOf(inputs);
    ASSERT_TRUE(moves);
    EXPECT_TRUE(moves->empty());
}

TEST(RuleCost, IsWhatTheFastestTakesOfTheSameSteps) {
    SimulationInputs inputs = ruledInputs();
    inputs.arrivals.users = 20;
    const auto run = simulate(inputs);
    ASSERT_TRUE(run);
    const SimulationResult result = pooled(run->replicas);
    const auto cost = ruleCostOf(inputs, result);
    ASSERT_TRUE(cost && *cost);
    EXPECT_EQ((*cost)->move.boundM, 16);
    SimulationInputs fastest = inputs;
    fastest.cost.rule = *findDispatchPreset("fastest");
    const auto best = simulate(fastest);
    ASSERT_TRUE(best);
    EXPECT_NEAR((*cost)->fastestVsFp16, pooled(best->replicas).timeVsFp16(), 1e-9);
    EXPECT_LT((*cost)->fastestVsFp16, (*cost)->timeVsFp16);
    EXPECT_NE(ruleCostSentence(**cost).find(
                  "Steps pass 16 rows, where the rule changes from MMA to dequantise + cuBLAS, "
                  "though MMA is faster up to 33 rows: with that bound moved the same"),
              std::string::npos)
        << ruleCostSentence(**cost);
    const auto none = ruleCostOf(fastest, pooled(best->replicas));
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
}

TEST(RuleCost, NamesTheMoveThatSavesMost) {
    SimulationInputs inputs = ruledInputs();
    inputs.arrivals.users = 2;
    inputs.cost.rule = dispatchRuleFromText("scalar:4,mma:16,dequant_cublas").value();
    Profile profile = *inputs.profile;
    for (ProfilePoint& point : profile.points) { // MMA is the faster one at every M that scalar is given
        point.timeUs *= point.kernel == Kernel::Scalar ? 20 : 1;
    }
    inputs.profile = std::make_shared<const Profile>(std::move(profile));
    const auto run = simulate(inputs);
    ASSERT_TRUE(run);
    const auto moves = movesOf(inputs);
    ASSERT_TRUE(moves);
    ASSERT_EQ(moves->size(), 2U) << "both bounds could move";
    const auto cost = ruleCostOf(inputs, pooled(run->replicas));
    ASSERT_TRUE(cost && *cost);
    EXPECT_EQ((*cost)->move.boundM, 4) << ruleCostSentence(**cost);
    EXPECT_FALSE((*cost)->move.goesUp());
    EXPECT_NE(ruleCostSentence(**cost).find("MMA is faster from 1 row on"), std::string::npos)
        << ruleCostSentence(**cost);
    SimulationInputs moved = inputs;
    moved.cost.rule = (*cost)->move.rule;
    const auto then = simulate(moved);
    ASSERT_TRUE(then);
    EXPECT_NEAR((*cost)->movedVsFp16, pooled(then->replicas).timeVsFp16(), 1e-9);
    for (const RuleMove& move : *moves) {
        SimulationInputs other = inputs;
        other.cost.rule = move.rule;
        EXPECT_GE(pooled(simulate(other)->replicas).timeVsFp16(), (*cost)->movedVsFp16 - 1e-9);
    }
}

TEST(RuleJump, IsSaidWhereDecodeRowsPassTheBound) {
    SweepInputs inputs;
    inputs.base = ruledInputs();
    inputs.base.replicas = 4;
    inputs.users = {8, 12, 15, 16, 17, 18, 24, 64};
    inputs.weights = {Storage::K4};
    const auto found = crossoversOf(inputs, {4, 2});
    ASSERT_TRUE(found) << found.error().sentence();
    const Crossover& crossover = found->front();
    ASSERT_TRUE(crossover.ruleJump);
    const RuleJump& jump = *crossover.ruleJump;
    EXPECT_EQ(jump.fromUsers, 16);
    EXPECT_EQ(jump.toUsers, 17);
    EXPECT_GT(jump.after, 1.05 * jump.before);
    EXPECT_LT(jump.fastest, jump.after);
    EXPECT_NE(crossover.sentence.find("From 16 to 17 users the curve jumps"), std::string::npos)
        << crossover.sentence;
    inputs.base.cost.rule = *findDispatchPreset("fastest");
    const auto smooth = crossoversOf(inputs, {4, 2});
    ASSERT_TRUE(smooth);
    EXPECT_FALSE(smooth->front().ruleJump);
}

TEST(RuleJump, AHardwareJumpIsNotTheRules) {
    SweepInputs inputs;
    inputs.base = ruledInputs();
    Profile profile = *inputs.base.profile;
    for (ProfilePoint& point : profile.points) { // another tile from M = 17 on
        if (point.kernel == Kernel::Mma && point.rowsM > 16) {
            point.timeUs += 20;
        }
    }
    inputs.base.profile = std::make_shared<const Profile>(std::move(profile));
    inputs.base.replicas = 4;
    inputs.users = {15, 16, 17, 18};
    inputs.weights = {Storage::K4};
    const auto found = crossoversOf(inputs, {4, 2});
    ASSERT_TRUE(found) << found.error().sentence();
    EXPECT_FALSE(found->front().ruleJump) << "dequantising is the fastest there";
}

} // namespace
} // namespace loadline
