// What fits into which memory, and what is said beside an answer.
#include "core/simulate/fit/memory_fit.h"

#include "core/simulate/answer/batch.h"
#include "core/simulate/answer/comparison.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"
#include "tests/core/cost/bundled_profile.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr double gib = bytesPerGib;

SimulationInputs inputsOf(const char* shapes, const char* device, int kBits = 4) {
    SimulationInputs inputs = madeInputs();
    inputs.cost.model = *findShapePreset(shapes);
    inputs.cost.format = kBits;
    inputs.profile = nullptr;
    inputs.hardware = findHardware(device);
    inputs.length.iterations = 200;
    Workload small;
    small.kind = WorkloadKind::Distribution;
    small.distribution.input = {1000, {{256, 0.5}, {512, 0.5}}};
    small.distribution.output = {1000, {{64, 1.0}}};
    inputs.workload = std::make_shared<const Workload>(std::move(small));
    return inputs;
}

struct Case {
    const char* shapes;
    const char* device;
    int kBits;
    std::optional<bool> fits, fp16Fits;
};

TEST(MemoryFit, JudgesWholeModelsOnKnownDevices) {
    for (const Case& one : {
             Case{"llama-3.1-70b", "RTX4090", 4, false, false},
             Case{"llama-3.1-70b", "RTX4090", 2, true, false},
             Case{"llama-3.1-70b", "H100-SXM", 4, true, false},
             Case{"llama-3.1-70b", "H200-SXM", 4, true, true},
             Case{"llama-3.1-8b", "RTX4090", 4, true, true},
             Case{"study", "RTX4090", 4, std::nullopt, std::nullopt}, // one layer: not the whole model
             Case{"study-moe", "RTX4090", 4, std::nullopt, std::nullopt},
         }) {
        const MemoryFit fit = memoryFitOf(inputsOf(one.shapes, one.device, one.kBits));
        EXPECT_EQ(fit.fits(), one.fits) << one.shapes << ' ' << one.device;
        EXPECT_EQ(fit.fp16Fits(), one.fp16Fits) << one.shapes << ' ' << one.device;
        EXPECT_EQ(misfitSentence(fit).empty(), one.fits.value_or(true));
    }
    SimulationInputs unknown = inputsOf("llama-3.1-70b", "RTX4090");
    unknown.hardware = nullptr;
    EXPECT_EQ(memoryFitOf(unknown).fits(), std::nullopt);
    EXPECT_GT(memoryFitOf(unknown).neededBytes(), 30 * gib);                   // that much is known
    unknown.profile = std::make_shared<const Profile>(test::bundledProfile()); // names its device
    EXPECT_EQ(memoryFitOf(unknown).fits(), false);
}

TEST(MemoryFit, NamesWhatWouldDo) {
    const MemoryFit fit = memoryFitOf(inputsOf("llama-3.1-70b", "RTX4090"));
    EXPECT_NEAR(fit.weightBytes / gib, 37.8, 0.05);
    EXPECT_EQ(fit.memoryBytes, 24 * gib);
    EXPECT_EQ(fit.fittingKBits, 2);
    ASSERT_NE(fit.fittingDevice, nullptr);
    EXPECT_EQ(fit.fittingDevice->key, "L40S");
    const std::string sentence = misfitSentence(fit);
    EXPECT_EQ(sentence.find("Llama-3.1-70B at k = 4 does not fit: its weights take 37.8 GiB of the RTX4090's "
                            "24 GiB. At k = 2 its weights take "),
              0U)
        << sentence;
    EXPECT_NE(
        sentence.find("; at k = 4 the L40S (48 GiB) holds it, and the longest turn's 0.18 GiB of KV cache."),
        std::string::npos)
        << sentence;
    // In the list every smaller device fails, and at the k named it fits.
    for (const Hardware& hardware : hardwareTable()) {
        const auto there = memoryFitOf(inputsOf("llama-3.1-70b", hardware.key.c_str()));
        EXPECT_EQ(there.fits(), hardware.memoryGb >= 48) << hardware.key;
    }
    EXPECT_EQ(memoryFitOf(inputsOf("llama-3.1-70b", "RTX4090", 3)).fittingKBits, 2);
    EXPECT_EQ(memoryFitOf(inputsOf("llama-3.1-70b", "RTX4090", 5)).fittingKBits, 2); // the largest that does
}

TEST(MemoryFit, CountsTheKvCacheWhereItIsKnown) {
    const SimulationInputs inputs = inputsOf("llama-3.1-70b", "L40S");
    EXPECT_EQ(memoryFitOf(inputs).fits(), true);
    const MemoryFit full = memoryFitOf(inputs, 20 * gib);
    EXPECT_EQ(full.fits(), false);
    EXPECT_FALSE(full.isTooLarge()); // the weights are not what is too much
    EXPECT_NE(
        misfitSentence(full).find("weights of 37.8 GiB and up to 20.0 GiB of KV cache take 57.8 GiB of the "
                                  "L40S's 48 GiB."),
        std::string::npos)
        << misfitSentence(full);
    EXPECT_EQ(memoryFitOf(inputs, 10.1 * gib).fits(), true);
    EXPECT_EQ(memoryFitOf(inputs, 10.4 * gib).fits(), false);
}

TEST(MemoryFit, TheDeviceThatWouldDoIsOfTheSameKindAndNotRefusedItself) {
    SimulationInputs apple = inputsOf("gpt-oss-120b", "M3-Max-30c");
    apple.policy = {};
    apple.policy.memoryShare = 0.2; // 19.2 of 96 GiB
    ASSERT_NE(memoryFitOf(apple).fittingDevice, nullptr);
    EXPECT_EQ(memoryFitOf(apple).fittingDevice->key, "M3-Ultra-80c");
    SimulationInputs inputs = inputsOf("llama-3.1-70b", "RTX4090");
    inputs.policy = {};
    inputs.policy.memoryShare = 0.9;
    const MemoryFit small = memoryFitOf(inputs);
    ASSERT_NE(small.fittingDevice, nullptr);
    EXPECT_EQ(small.fittingDevice->key, "L40S");
    for (const Hardware& hardware : hardwareTable()) {
        inputs.hardware = &hardware;
        EXPECT_EQ(memoryFitOf(inputs).isTooLarge(), hardware.memoryGb < 48) << hardware.key;
    }
}

/// A device that holds the weights alone would refuse the longest turn: it is no advice.
TEST(MemoryFit, AdvisesOnlyWhatHoldsTheLongestTurnToo) {
    SimulationInputs inputs = inputsOf("llama-3.1-70b", "RTX4090");
    inputs.policy = {};
    inputs.policy.memoryShare = 0.9;
    Workload longer = *inputs.workload;
    const auto withTurnOf = [&](Tokens tokens) {
        longer.distribution.input = {1000, {{tokens, 1.0}}};
        inputs.workload = std::make_shared<const Workload>(longer);
        return memoryFitOf(inputs);
    };
    const MemoryFit fit = withTurnOf(100'000); // 30.5 GiB of KV cache at 320 KiB a token
    EXPECT_NEAR(fit.longestTurnBytes / gib, 30.5, 0.1);
    ASSERT_NE(fit.fittingDevice, nullptr);
    EXPECT_GE(0.9 * fit.fittingDevice->memoryGb * gib, fit.weightBytes + fit.longestTurnBytes);
    EXPECT_EQ(fit.fittingKBits, 0) << "weights of k = 2 alone would fit";
    EXPECT_NE(misfitSentence(fit).find(" GiB) holds it, and the longest turn's 30.5 GiB of KV cache."),
              std::string::npos)
        << misfitSentence(fit);
    inputs.policy.maxModelLen = 100'000'000;
    const MemoryFit none = withTurnOf(2'000'000);
    EXPECT_EQ(none.fittingDevice, nullptr);
    EXPECT_NE(misfitSentence(none).find(" No device in the list holds it and the longest turn's "),
              std::string::npos)
        << misfitSentence(none);
}

TEST(MemoryFit, ACacheOfWhatIsLeftKeepsNothingOut) {
    SimulationInputs inputs = inputsOf("llama-3.1-8b", "RTX4090");
    inputs.policy = {};
    inputs.policy.memoryShare = 0.9;
    const MemoryFit fit = memoryFitOf(inputs, 12 * gib); // used because it was there
    EXPECT_EQ(fit.fp16Fits(), true);
    EXPECT_EQ(fp16SentenceOf(fit),
              "fp16's weights of 15.0 GiB would leave at most 6.6 GiB for the KV cache, of which k = 4 "
              "used 12.0 GiB: fp16 is timed over the same steps.");
    EXPECT_EQ(fp16SentenceOf(memoryFitOf(inputs, 6 * gib)), "");
    inputs.policy.memoryShare = 0.6;
    EXPECT_EQ(memoryFitOf(inputs).fp16Fits(), false);
    EXPECT_EQ(fp16SentenceOf(memoryFitOf(inputs)),
              "fp16 does not fit: its weights take 15.0 GiB, more than 60.0 % of "
              "the RTX4090's 24 GiB, so its times are only what they would be.");
}

/// Gemma 3's 8 global layers take 8 KiB a token each, its 40 others as much of 1 024 tokens: 427 MB a
/// conversation of 1 400 tokens, of 40.0 GB beside the weights at k = 3 and 22.8 GB beside fp16's.
TEST(MemoryFit, ConversationsHoldWindowsAndStates) {
    const auto usersOf = [](const char* shapes, const char* device, int kBits) {
        SimulationInputs inputs = inputsOf(shapes, device, kBits);
        Workload same;
        same.kind = WorkloadKind::Distribution;
        same.distribution.input = {1000, {{1000, 1.0}}};
        same.distribution.output = {1000, {{400, 1.0}}};
        inputs.workload = std::make_shared<const Workload>(std::move(same));
        inputs.policy = {};
        inputs.policy.memoryShare = 0.9;
        const MemoryFit fit = memoryFitOf(inputs);
        return std::pair(usersThatFit(fit), static_cast<std::int64_t>(fit.fp16RoomTokens / 1400));
    };
    EXPECT_EQ(usersOf("gemma-3-12b", "L40S", 3),
              std::pair(std::optional<std::int64_t>(93), std::int64_t{53}));
    EXPECT_EQ(usersOf("qwen3-coder-next", "H100-SXM", 4).first, 298); // 77.3 MB of state, 24 576 B a token
}

TEST(MemoryFit, TheVerdictSaysWhatFp16CouldNotServe) {
    SimulationInputs inputs = inputsOf("llama-3.1-8b", "RTX4090");
    inputs.policy = {};
    inputs.policy.memoryShare = 0.9;
    inputs.arrivals.order = TurnOrder::Replayed;
    const auto shortfallOf = [&](Tokens context, std::int64_t users, Tokens longest) {
        Workload workload;
        workload.kind = WorkloadKind::Sessions;
        workload.sessions.resize(1);
        const auto add = [&](Tokens tokens) {
            WorkloadTurn turn;
            turn.context = tokens;
            turn.input = 300;
            turn.output = 100;
            workload.sessions[0].turns.push_back(turn);
        };
        for (int i = 0; i < 99; ++i) {
            add(context);
        }
        add(longest);
        inputs.workload = std::make_shared<const Workload>(std::move(workload));
        inputs.arrivals.users = users;
        return fp16ShortfallOf(memoryFitOf(inputs));
    };
    EXPECT_EQ(shortfallOf(20'000, 2, 20'000), "");
    // 0.9 x 24 GiB less 15.0 and 5.4 GiB, 128 KiB a token
    EXPECT_EQ(
        shortfallOf(89'000, 4, 89'000),
        "fp16 could not serve this: fp16's weights leave at most 54.4 k tokens of KV (k = 4: 133 k), and "
        "conversations average 89.4 k");
    EXPECT_NE(shortfallOf(20'000, 4, 20'000).find("fp16 could not serve 4 conversations at once: "),
              std::string::npos);
    EXPECT_TRUE(shortfallOf(20'000, 4, 20'000).ends_with(", and together they average 81.6 k"));
    EXPECT_EQ(shortfallOf(50'000, 4, 50'000), "") << "neither has room for four at once";
    EXPECT_NE(shortfallOf(10'000, 1, 100'000).find("fp16 could not serve all of this: "), std::string::npos);
    EXPECT_TRUE(shortfallOf(10'000, 1, 100'000).ends_with(", and the longest turn takes 100 k"));
    inputs.policy.maxModelLen = 20'000; // requests end before that
    EXPECT_EQ(shortfallOf(10'000, 1, 100'000), "");
    inputs.policy.memoryShare = 0.6;
    EXPECT_EQ(shortfallOf(10'000, 1, 10'000), "fp16 could not serve this: it does not fit");
    inputs.policy.memoryShare.reset(); // as many blocks as it takes
    EXPECT_EQ(shortfallOf(89'000, 4, 89'000), "");
}

TEST(MemoryFit, WeightsThatLeaveNothingOfTheirShareDoNotFit) {
    SimulationInputs inputs = inputsOf("llama-3.1-70b", "RTX4090", 2);
    EXPECT_FALSE(memoryFitOf(inputs).isTooLarge()); // 21.8 of 24 GiB
    inputs.policy = {};
    inputs.policy.memoryShare = 0.9; // 21.6
    EXPECT_TRUE(memoryFitOf(inputs).isTooLarge());
    EXPECT_EQ(memoryFitOf(inputs).fits(), false);
    EXPECT_EQ(misfitSentence(memoryFitOf(inputs))
                  .find("Llama-3.1-70B at k = 2 does not fit: its weights take 21.8 GiB, "
                        "more than 90.0 % of the RTX4090's 24 GiB."),
              0U)
        << misfitSentence(memoryFitOf(inputs));
}

TEST(MemoryFit, TheBaselineIsSaidToo) {
    const MemoryFit fit = memoryFitOf(inputsOf("llama-3.1-70b", "H100-SXM"));
    EXPECT_EQ(fp16SentenceOf(memoryFitOf(inputsOf("llama-3.1-8b", "RTX4090"), 12 * gib)),
              "fp16 does not fit: weights of 15.0 GiB and up to 12.0 GiB of KV cache take 27.0 GiB of the "
              "RTX4090's 24 GiB, so its times are only what they would be.");
    EXPECT_EQ(fp16SentenceOf(fit), "fp16 does not fit: its weights take 131 GiB of the H100-SXM's 79.2 GiB, so "
                                   "its times are only what they would be.");
    EXPECT_EQ(fp16SentenceOf(memoryFitOf(inputsOf("llama-3.1-8b", "H100-SXM"))), "");
    EXPECT_EQ(fp16SentenceOf(memoryFitOf(inputsOf("llama-3.1-70b", "RTX4090"))), ""); // nor does k
}

SimulatorFigure figureOf(const SimulationInputs& inputs) {
    const auto figure = simulatorFigure({.base = inputs, .users = {1, 4, 16}, .chunks = {}});
    EXPECT_TRUE(figure) << figure.error().sentence();
    return *figure;
}

TEST(MemoryFit, TheWindowsFiguresCountTheBlocksThatWereUsed) {
    SimulationInputs inputs = inputsOf("llama-3.1-70b", "L40S");
    inputs.policy = {};
    inputs.policy.kvBlocks = 40'000; // more than the memory has room for
    inputs.arrivals.users = 200;
    EXPECT_EQ(memoryFitOf(inputs).fits(), true); // the weights alone
    const SimulatorFigure figure = figureOf(inputs);
    EXPECT_EQ(figure.memory.kvBytes, kvBytesOfBlocks(inputs, figure.present.peakKvBlocks));
    EXPECT_EQ(figure.memory.fits(), false);
    EXPECT_NE(figure.sentence.find("of KV cache take"), std::string::npos) << figure.sentence;
    EXPECT_NE(figure.sentence.find("With 200 users"), std::string::npos)
        << figure.sentence; // still an answer
    const auto recording = recordBatch(inputs, 300);
    ASSERT_TRUE(recording) << recording.error().sentence();
    EXPECT_NE(batchStepSentence(*recording, batchStepOf(*recording, 100)).find("of KV cache take"),
              std::string::npos);
    inputs.policy.kvBlocks.reset(); // nobody counts them
    EXPECT_EQ(figureOf(inputs).memory.kvBytes, 0);
}

TEST(MemoryFit, IsTheAnswersHeadline) {
    const SimulationInputs tooLarge = inputsOf("llama-3.1-70b", "RTX4090");
    const SimulatorFigure figure = figureOf(tooLarge);
    EXPECT_EQ(figure.sentence.find("Llama-3.1-70B at k = 4 does not fit: "), 0U) << figure.sentence;
    EXPECT_EQ(figure.sentence.find("fp16 ("), std::string::npos) << figure.sentence; // no ratio pretends
    for (const Quantity& quantity : quantitiesOf(figure)) {
        EXPECT_FALSE(quantity.value) << quantity.name;
    }
    SweepInputs inputs;
    inputs.base = tooLarge;
    inputs.users = {1, 16};
    inputs.weights = {Storage::K2, Storage::K4};
    const auto swept = sweep(inputs);
    ASSERT_TRUE(swept);
    const auto crossovers = crossoversOf(*swept, StepScope::GemmOnly);
    ASSERT_EQ(crossovers.size(), 2U);
    EXPECT_EQ(crossovers[0].memory.fits(), true);
    EXPECT_EQ(crossovers[0].sentence.find("Quantised kernels (k = 2)"), 0U) << crossovers[0].sentence;
    EXPECT_EQ(crossovers[1].memory.fits(), false);
    EXPECT_EQ(crossovers[1].sentence.find("Llama-3.1-70B at k = 4 does not fit"), 0U);

    const SimulatorFigure baseline = figureOf(inputsOf("llama-3.1-70b", "H100-SXM"));
    EXPECT_NE(baseline.sentence.find("fp16 does not fit: "), std::string::npos) << baseline.sentence;
    EXPECT_EQ(baseline.sentence.find("With 8 users"), 0U);
    const SimulatorFigure study = figureOf(madeInputs());
    EXPECT_EQ(study.sentence.find("fit"), std::string::npos) << study.sentence;
}

TEST(MemoryFit, Fp16sShortfallStandsInTheFirstSentence) {
    SimulationInputs inputs = inputsOf("llama-3.1-8b", "RTX4090");
    inputs.policy = {};
    inputs.policy.memoryShare = 0.9;
    inputs.workload = std::make_shared<const Workload>(
        *workloadOfTrace(std::vector<TraceRequest>(100, {0, 60'000, 60, 0}), "made", "Made up", "a test"));
    inputs.length.iterations = 200;
    const SimulatorFigure figure = figureOf(inputs);
    const std::string clause = fp16ShortfallOf(figure.memory);
    ASSERT_NE(clause.find("conversations average 60.1 k"), std::string::npos) << clause;
    const std::size_t at = figure.sentence.find("; fp16 could not serve this");
    ASSERT_NE(at, std::string::npos) << figure.sentence;
    EXPECT_EQ(figure.sentence.substr(0, at).find(". "), std::string::npos) << figure.sentence;
    EXPECT_EQ(figure.sentence.find("fp16 could not", at + 3), std::string::npos) << "once";
    EXPECT_NE(figure.sentence.find(". " + clause.substr(clause.find(": ") + 2) + "."), std::string::npos)
        << figure.sentence;
    SweepInputs swept;
    swept.base = inputs;
    swept.users = {1, 8};
    const auto result = sweep(swept);
    ASSERT_TRUE(result) << result.error().sentence();
    for (const Crossover& crossover : crossoversOf(*result, StepScope::GemmOnly)) {
        EXPECT_NE(crossover.sentence.find("; fp16 could not serve this: "), std::string::npos)
            << crossover.sentence;
    }
}

TEST(Remarks, OfRulesThatAreCut) {
    SimulationInputs inputs = madeInputs();
    inputs.cost.rule.key = "scalar:64,dequant_cublas";
    inputs.cost.rule.dense = {{.kernel = Kernel::Scalar, .toM = 64},
                              {.kernel = Kernel::DequantCublas, .fromM = 65}};
    const auto run = simulate(inputs);
    ASSERT_TRUE(run) << run.error().sentence();
    const auto said = std::ranges::find_if(run->provenance, [](const std::string& line) {
        return line.starts_with("dispatch: scalar GEMV serves up to M = 4, the most that it was timed at");
    });
    EXPECT_NE(said, run->provenance.end());
    ASSERT_EQ(remarksOf(inputs).size(), 1U);
    EXPECT_EQ(remarksOf(inputs)[0].find("Scalar GEMV serves up to M = 4"), 0U);
    EXPECT_NE(figureOf(inputs).sentence.find("Scalar GEMV serves up to M = 4"), std::string::npos);
    EXPECT_TRUE(remarksOf(madeInputs()).empty());
}

TEST(Remarks, OfOutputsThatAreMostlyLowerBounds) {
    SimulationInputs inputs = madeInputs();
    Workload workload = *inputs.workload;
    workload.outputs = {
        .calls = 10, .bounds = 4, .notes = {"the output of 4 of 10 API calls is a lower bound"}};
    inputs.workload = std::make_shared<const Workload>(workload);
    EXPECT_TRUE(remarksOf(inputs).empty()); // fewer than half
    workload.outputs = {
        .calls = 10, .bounds = 5, .notes = {"the output of 5 of 10 API calls is a lower bound"}};
    inputs.workload = std::make_shared<const Workload>(workload);
    ASSERT_EQ(remarksOf(inputs).size(), 1U);
    EXPECT_EQ(remarksOf(inputs)[0], "The output of 5 of 10 API calls is a lower bound.");
}

} // namespace
} // namespace loadline
