// What pays: Amdahl holds, and what its reader can change comes first.
#include "core/simulate/study/sensitivity.h"

#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/compared_turns.h"
#include "core/simulate/study/sensitivity_words.h"
#include "core/text/number_format.h"
#include "tests/core/simulate/made_inputs.h"
#include "tests/core/simulate/settled_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace loadline {
namespace {

/// Of one of the others; fails without it.
const OtherPay& otherOf(const WhatPays& pays, PayKind kind) {
    const auto found = std::ranges::find(pays.others, kind, &OtherPay::kind);
    static const OtherPay none;
    EXPECT_NE(found, pays.others.end()) << keyOf(kind);
    return found == pays.others.end() ? none : *found;
}

TEST(WhatPays, SharesSumToOneAndAmdahlHolds) {
    SimulationInputs inputs = madeInputs();
    inputs.arrivals.users = 8;
    const auto pays = whatPays(inputs, userGrid(64));
    ASSERT_TRUE(pays) << pays.error().sentence();
    double shares = 0;
    for (const KernelPay& pay : pays->kernels) {
        shares += pay.share;
        ASSERT_EQ(pay.improvements.size(), 3U);
        for (const Improvement& improvement : pay.improvements) {
            const double left = std::isinf(improvement.factor) ? 0 : 1 / improvement.factor;
            EXPECT_NEAR(improvement.speedUp, 1 / (1 - pay.share * (1 - left)), 1e-3) << keyOf(pay.kernel);
        }
    }
    EXPECT_NEAR(shares, 1, 1e-3);
    EXPECT_FALSE(pays->sentence.empty());
}

TEST(WhatPays, SpeaksOfTheRunsThatASweepOfTheSameInputsHas) {
    for (const bool fast : {true, false}) {
        SimulationInputs inputs = madeInputs();
        inputs.policy.policy = fast ? Policy::SinglePrefill : Policy::VllmV1;
        inputs.length.iterations = 500;
        inputs.replicas = 3;
        inputs.arrivals.users = 8;
        SweepInputs curve;
        curve.base = inputs;
        curve.users = {1, 2, 4, 8, 16, 32, 64};
        const auto pays = whatPays(inputs, curve.users, {}, PayLook::Kernels);
        ASSERT_TRUE(pays) << pays.error().sentence();
        const auto runs = simulate(inputs);
        const auto swept = sweep(curve);
        ASSERT_TRUE(runs && swept);
        EXPECT_EQ(pays->timeVsFp16, pooled(runs->replicas).timeVsFp16()) << fast;
        const std::vector<Crossover> crossovers = crossoversOf(*swept, inputs.scope);
        ASSERT_FALSE(crossovers.front().crossings.empty()) << fast;
        ASSERT_TRUE(pays->crossing) << fast;
        EXPECT_DOUBLE_EQ(*pays->crossing, crossovers.front().crossings.front().users) << fast;
    }
}

TEST(WhatPays, WholeStepsAddUpWithAttentionAndHost) {
    SimulationInputs inputs = madeInputs();
    inputs.profile = nullptr;
    inputs.hardware = findHardware("H800");
    inputs.scope = StepScope::WholeStep;
    inputs.hostUs = 200;
    inputs.length = {200, std::nullopt};
    const auto& presets = shapePresets();
    inputs.cost.model = *std::ranges::find(presets, "llama-3.1-8b", &ModelShapes::key);
    const auto pays = whatPays(inputs, {1, 8});
    ASSERT_TRUE(pays) << pays.error().sentence();
    EXPECT_GT(pays->restShare, 0);
    double shares = pays->restShare;
    for (const KernelPay& pay : pays->kernels) {
        shares += pay.share;
    }
    EXPECT_NEAR(shares, 1, 1e-6);
    const OtherPay& attention = otherOf(*pays, PayKind::Attention);
    const OtherPay& host = otherOf(*pays, PayKind::Host);
    EXPECT_NEAR(attention.share + host.share, pays->restShare, 1e-9);
    const auto run = simulate(inputs);
    ASSERT_TRUE(run);
    const SimulationResult all = pooled(run->replicas);
    EXPECT_NEAR(host.share, 200.0 * static_cast<double>(all.rows.iterations()) / all.wholeUs, 1e-6);
    ASSERT_EQ(host.improvements.size(), 3U);
    SimulationInputs half = inputs;
    half.hostUs = 100;
    const auto faster = simulate(half);
    ASSERT_TRUE(faster);
    EXPECT_NEAR(*host.improvements[1].timeVsFp16, pooled(faster->replicas).timeVsFp16(), 1e-6);
}

TEST(WhatPays, SpeaksOfTheRateWhereTurnsArriveAtOne) {
    SimulationInputs inputs = madeInputs();
    inputs.arrivals.kind = ArrivalKind::Poisson;
    inputs.arrivals.ratePerS = 2;
    inputs.length = {200, std::nullopt};
    const auto pays = whatPays(inputs, {1, 8});
    ASSERT_TRUE(pays) << pays.error().sentence();
    EXPECT_TRUE(pays->sentence.starts_with("At 2 turns a second ")) << pays->sentence;
    EXPECT_EQ(pays->sentence.find("crossover"), std::string::npos) << pays->sentence;
    EXPECT_FALSE(pays->crossing);
    for (const KernelPay& pay : pays->kernels) {
        for (const Improvement& improvement : pay.improvements) {
            EXPECT_FALSE(improvement.crossingKnown) << "there are no users to cross at";
        }
    }
    EXPECT_FALSE(otherOf(*pays, PayKind::Chunk).change.empty()); // nothing follows later
}

TEST(WhatPays, RanksWhatItsReaderCanChange) {
    SimulationInputs inputs = madeInputs();
    inputs.arrivals.users = 40; // fp16 GEMMs take most of the time
    inputs.hardware = findHardware("RTX4090");
    const auto pays = whatPays(inputs, userGrid(64));
    ASSERT_TRUE(pays) << pays.error().sentence();
    EXPECT_EQ(pays->kernels.back().kernel, Kernel::CublasFp16) << "it is not ours to change";
    EXPECT_GT(pays->kernels.back().share, pays->kernels.front().share);
    EXPECT_FALSE(pays->kernels.back().limit);
    for (const KernelPay& pay : pays->kernels) {
        if (readsKBits(pay.kernel)) {
            ASSERT_TRUE(pay.limit) << keyOf(pay.kernel);
            EXPECT_GE(pay.limit->factor, 1);
            EXPECT_LE(pay.limit->speedUp, pay.improvements.back().speedUp) << "no faster than free";
        }
    }
    EXPECT_EQ(pays->limits, "the datasheet of RTX4090");
    EXPECT_EQ(pays->sentence.find("cuBLAS pays"), std::string::npos) << pays->sentence;
    EXPECT_EQ(pays->sentence.find("fp16 GEMM pays"), std::string::npos) << pays->sentence;
}

TEST(WhatPays, AMoveOfTheRuleIsWorthWhatTheMovedRuleTakes) {
    SimulationInputs inputs = madeInputs();
    inputs.arrivals.users = 20;       // steps pass M = 16, though MMA is faster up to 64
    inputs.policy.chunkTokens = 8192; // there is nothing to be won
    const auto pays = whatPays(inputs, userGrid(64));
    ASSERT_TRUE(pays) << pays.error().sentence();
    const OtherPay& move = otherOf(*pays, PayKind::Dispatch);
    EXPECT_TRUE(move.change.starts_with("MMA up to ")) << move.change;
    EXPECT_TRUE(move.change.ends_with(" rows a step instead of 16")) << move.change;
    ASSERT_EQ(move.improvements.size(), 1U);
    const auto moves = movesOf(inputs);
    ASSERT_TRUE(moves);
    SimulationInputs moved = inputs;
    moved.cost.rule = std::ranges::find(*moves, 16, &RuleMove::boundM)->rule;
    const auto after = simulate(moved);
    ASSERT_TRUE(after);
    EXPECT_NEAR(*move.improvements[0].timeVsFp16, pooled(after->replicas).timeVsFp16(), 1e-9);
    EXPECT_GT(move.improvements[0].speedUp, 1);
    EXPECT_NE(pays->sentence.find("the dispatch rule pays most: with MMA up to "), std::string::npos)
        << pays->sentence;
}

/// Timed kernels here, serving kernels there: cuBLAS behind dequantise counts with the pair in the other.
TEST(WhatPays, ItsSharesAddUpToTheSimulators) {
    SimulatorFigureInputs asked;
    asked.base = madeInputs();
    asked.base.cost.model = *findShapePreset("llama-3.1-8b");
    asked.base.profile = nullptr;
    asked.base.hardware = findHardware("RTX4090");
    asked.base.arrivals.users = 8;
    asked.base.length.iterations = 500;
    asked.users = {1, 8};
    asked.stage = FigureStage::Refined;
    const auto figure = simulatorFigure(asked);
    const auto pays = whatPays(asked.base, {1, 8}, {}, PayLook::Kernels);
    ASSERT_TRUE(figure && pays);
    const auto payOf = [&](Kernel kernel) {
        const auto found = std::ranges::find(pays->kernels, kernel, &KernelPay::kernel);
        return found == pays->kernels.end() ? KernelPay{} : *found;
    };
    std::map<std::string, double> serving;
    std::map<std::string, std::string> gemms;
    for (const auto& row : kernelTable(*figure).rows) {
        const std::string& key = std::get<std::string>(row[0]);
        serving[key] = std::get<double>(row[1]);
        gemms[key] = std::holds_alternative<std::string>(row[5]) ? std::get<std::string>(row[5]) : "";
    }
    EXPECT_EQ(pays->fp16Gemms, "lm_head");
    EXPECT_EQ(gemms["cublas_fp16"], "lm_head");
    EXPECT_EQ(gemms["dequant_cublas"].find("lm_head"), std::string::npos) << gemms["dequant_cublas"];
    const KernelPay cublas = payOf(Kernel::CublasFp16);
    const KernelPay dequantise = payOf(Kernel::Dequantise);
    ASSERT_GT(dequantise.share, 0);
    EXPECT_EQ(dequantise.aloneShare, 0);
    EXPECT_GT(cublas.share, cublas.aloneShare);
    EXPECT_NEAR(cublas.aloneShare, serving["cublas_fp16"], 1e-6);
    EXPECT_NEAR(dequantise.share + cublas.share - cublas.aloneShare, serving["dequant_cublas"], 1e-6);
}

TEST(WhatPays, TheBestChunkTakesTheLeastTimeForTheSameTurns) {
    SimulationInputs inputs = madeInputs();
    inputs.policy.chunkTokens = 64; // far too small
    inputs.arrivals.users = 16;
    const auto quick = whatPays(inputs, userGrid(32), {}, PayLook::Kernels);
    ASSERT_TRUE(quick);
    EXPECT_TRUE(otherOf(*quick, PayKind::Chunk).improvements.empty()) << "while a hand drags";
    EXPECT_TRUE(quick->sentence.starts_with("At 16 users what pays most is said when all is simulated "
                                            "(preview); so far "))
        << quick->sentence;
    EXPECT_EQ(quick->sentence.find("pays most:"), std::string::npos) << "the chunk wins when it is known";
    const auto pays = whatPays(inputs, userGrid(32));
    ASSERT_TRUE(pays) << pays.error().sentence();
    EXPECT_EQ(pays->sentence.find("preview"), std::string::npos) << pays->sentence;
    const OtherPay& chunk = otherOf(*pays, PayKind::Chunk);
    ASSERT_EQ(chunk.improvements.size(), 1U) << chunk.change;
    EXPECT_TRUE(chunk.change.ends_with(" instead of 64")) << chunk.change;
    EXPECT_GT(chunk.improvements[0].speedUp, 1.2);
    EXPECT_FALSE(chunk.improvements[0].saved) << "one run has no spread";
}

/// A run from empty answers prompts that came at once: its latencies are no answer.
TEST(WhatPays, AChoiceIsJudgedByTheSettledServer) {
    SimulationInputs inputs = servedInputs();
    inputs.length = {};
    inputs.arrivals.users = 32;
    inputs.policy.budgetTokens = 256; // far too small
    inputs.goal.emplace().mostSteps = 1 << 17;
    const auto settled = simulate(inputs);
    const auto pays = whatPays(inputs, {});
    ASSERT_TRUE(settled && pays);
    const OtherPay& budget = otherOf(*pays, PayKind::Budget);
    ASSERT_TRUE(budget.latency);
    const double ttftS = settled->run->ttftS.p50.value;
    EXPECT_NEAR(budget.latency->ttftP50S, ttftS, 0.4 * ttftS);
    ASSERT_EQ(budget.improvements.size(), 1U) << budget.change;
    EXPECT_GT(budget.improvements[0].speedUp, 1.05);
    EXPECT_EQ(budget.turns, "the same turns, at the settled pace of both");
}

/// The present value has one answer: that of the settled setting. Other values are told by runs of the same
/// seeds and length.
TEST(WhatPays, AChoicesLatenciesAreThoseOfSettledRuns) {
    SimulationInputs inputs = servedInputs();
    inputs.length = {};
    inputs.arrivals.users = 8;
    inputs.replicas = 16;
    inputs.goal.emplace().mostSteps = 1 << 19;
    inputs = onComparedTurns(inputs);
    const auto settled = simulate(inputs);
    const auto pays = whatPays(inputs, {});
    ASSERT_TRUE(settled && pays);
    const SimulationResult all = pooled(settled->replicas);
    int others = 0;
    for (const PayKind kind : {PayKind::Chunk, PayKind::Budget}) {
        const OtherPay& choice = otherOf(*pays, kind);
        ASSERT_TRUE(choice.latency);
        const ChoiceLatency& latency = *choice.latency;
        EXPECT_EQ(latency.ttftP50S, all.ttftS.p50) << nameOf(kind);
        EXPECT_EQ(latency.tpotP99S, all.tpotS.p99) << nameOf(kind);
        if (latency.leastTpotP99S < latency.tpotP99S) {
            ++others;
            SimulationInputs least = inputs;
            (kind == PayKind::Chunk ? least.policy.chunkTokens : least.policy.budgetTokens) = latency.leastAt;
            least.plan = settled->run->plan;
            const auto runs = simulate(least);
            ASSERT_TRUE(runs);
            EXPECT_EQ(latency.leastTpotP99S, pooled(runs->replicas).tpotS.p99) << nameOf(kind);
        }
        EXPECT_EQ(latency.bestTpotP99S > 0, !choice.improvements.empty()) << nameOf(kind);
    }
    EXPECT_GT(others, 0);
}

/// What a choice saves is of all runs, with their band, and is what simulations of as many turns say.
TEST(WhatPays, AGainOfAChoiceIsThatOfAllRuns) {
    SimulationInputs inputs = madeInputs();
    inputs.policy.chunkTokens = 64; // far too small
    inputs.arrivals.users = 6;
    inputs.length.iterations = 300;
    inputs.replicas = 5;
    const auto pays = whatPays(inputs, {1, 8});
    ASSERT_TRUE(pays) << pays.error().sentence();
    const OtherPay& chunk = otherOf(*pays, PayKind::Chunk);
    ASSERT_EQ(chunk.improvements.size(), 1U) << chunk.change;
    const Improvement& gain = chunk.improvements[0];
    ASSERT_TRUE(gain.saved);
    EXPECT_NEAR(gain.saved->value, 1 - 1 / gain.speedUp, 1e-9);
    EXPECT_LE(gain.saved->low, gain.saved->high);
    const std::string begins = "the same turns: the first ";
    ASSERT_TRUE(chunk.turns.starts_with(begins) && chunk.turns.ends_with(" answered in each of 5 runs"))
        << chunk.turns;
    const std::int64_t turns = std::stoll(chunk.turns.substr(begins.size()));
    const auto usOf = [&](Tokens tokens) {
        SimulationInputs one = inputs;
        one.policy.chunkTokens = tokens;
        one.length = {std::nullopt, turns};
        return pooled(simulate(one)->replicas).wholeUs;
    };
    Tokens best = 128;
    while (best < 16'384 && !chunk.change.starts_with(formatExact(best) + " instead of")) {
        best *= 2;
    }
    EXPECT_NEAR(usOf(best) / usOf(64), 1 - gain.saved->value, 1e-9);
}

TEST(WhatPays, SaysWhyAChoicePaysWhereItPreemptsLess) {
    WhatPays pays;
    pays.kernels.push_back({.kernel = Kernel::Mma, .share = 0.1, .improvements = {}, .limit = {}});
    Improvement half;
    half.speedUp = 2;
    half.crossingKnown = false;
    pays.others.push_back(
        {PayKind::Chunk,
         "512 instead of no limit",
         0,
         {half},
         "0.3 preemptions instead of 165, 2.77 M prompt tokens computed instead of 6.56 M"});
    EXPECT_NE(whatPaysSentence(pays).find("with 512 instead of no limit (0.3 preemptions instead of 165, "),
              std::string::npos)
        << whatPaysSentence(pays);
}

TEST(WhatPays, AFreeCublasLeavesNothingToCompareWith) {
    SimulationInputs inputs = madeInputs();
    inputs.arrivals.users = 32;
    const auto pays = whatPays(inputs, userGrid(64));
    ASSERT_TRUE(pays) << pays.error().sentence();
    for (const KernelPay& pay : pays->kernels) {
        const Improvement& free = pay.improvements.back();
        EXPECT_EQ(free.timeVsFp16.has_value(), pay.kernel != Kernel::CublasFp16) << keyOf(pay.kernel);
        EXPECT_GT(free.speedUp, 1);
        if (pay.kernel == Kernel::CublasFp16) {
            EXPECT_FALSE(free.crossing);
            EXPECT_FALSE(free.fasterAtFirst);
        } else if (pay.kernel == Kernel::Dequantise) {
            EXPECT_TRUE(free.fasterAtFirst);
        }
    }
    inputs.cost.timeScale[static_cast<std::size_t>(Kernel::CublasFp16)] = 0;
    SweepInputs over;
    over.base = inputs;
    over.users = {1, 64};
    EXPECT_FALSE(sweep(over)) << "or quantised kernels would win against nothing";
}

/// Neither wins where only one can be served.
TEST(WhatPays, TellsNoCrossingOfAFormatThatDoesNotFit) {
    for (const bool sameSteps : {true, false}) {
        SimulationInputs inputs = servedInputs();
        inputs.cost.model = *findShapePreset("qwen3-32b");
        inputs.arrivals.users = 4;
        inputs.arrivals.think = sameSteps ? ThinkTime::None : ThinkTime::Fixed;
        inputs.arrivals.thinkS = sameSteps ? 0 : 0.1;
        inputs.policy.chunkTokens = 64;
        inputs.length.iterations = 100;
        inputs.replicas = 1;
        const auto pays = whatPays(inputs, {1, 4, 16});
        ASSERT_TRUE(pays) << pays.error().sentence();
        ASSERT_EQ(pays->memory.fp16Fits(), std::optional(false));
        std::size_t improvements = 0;
        const auto look = [&](const Improvement& improvement) {
            EXPECT_FALSE(improvement.crossingKnown);
            ++improvements;
        };
        for (const KernelPay& pay : pays->kernels) {
            std::ranges::for_each(pay.improvements, look);
        }
        for (const OtherPay& pay : pays->others) {
            std::ranges::for_each(pay.improvements, look);
        }
        EXPECT_GT(improvements, 5U);
    }
}

TEST(WhatPays, AKernelThatTakesAllTheTimeMayBeFree) {
    SimulationInputs inputs = madeInputs();
    Profile profile = *inputs.profile;
    ProfilePoint point;
    point.kernel = Kernel::Mma;
    point.size = {2048, 2048};
    point.rowsM = 16'384; // or it would not serve every M
    point.kBits = 4;
    point.timeUs = 900;
    point.origin = PointOrigin::Published;
    profile.points.push_back(point);
    inputs.profile = std::make_shared<const Profile>(std::move(profile));
    inputs.cost.rule.dense = {{.kernel = Kernel::Mma}};
    const auto pays = whatPays(inputs, userGrid(8));
    ASSERT_TRUE(pays) << pays.error().sentence();
    ASSERT_EQ(pays->kernels.size(), 1U);
    EXPECT_NEAR(pays->kernels[0].share, 1, 1e-9);
    EXPECT_TRUE(std::isinf(pays->kernels[0].improvements.back().speedUp));
}

} // namespace
} // namespace loadline
