// Two formats, each with its own weights, KV room and runs.
#include "core/simulate/study/format_pair.h"

#include "core/cost/estimate/attention.h"
#include "core/simulate/answer/served_facts.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/plot/simulation_plots.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/setup/server_defaults.h"
#include "core/simulate/study/format_pair_words.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace loadline {
namespace {

/// The reference workload on Llama-3.1-8B and the RTX 4090, as the program asks it by default.
SimulationInputs pairInputs(std::int64_t users) {
    SimulationRequest request;
    request.arrivals.users = users;
    request.replicas = 2;
    request.length = {.iterations = 30'000, .turns = std::nullopt};
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(referenceWorkload());
    sources.profile = std::make_shared<const Profile>(test::bundledProfile());
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = *findDispatchPreset("code");
    return inputsOf(request, sources);
}

std::size_t wordsIn(const std::string& sentence) {
    std::istringstream words(sentence);
    std::size_t count = 0;
    for (std::string word; words >> word;) {
        ++count;
    }
    return count;
}

TEST(Formats, ARowTellsBytesKernelsAndKey) {
    for (const StorageSpec& spec : storageSpecs) {
        EXPECT_EQ(&specOf(spec.storage), &spec);
        EXPECT_EQ(keyOf(Format(spec.storage)), spec.key);
        EXPECT_EQ(nameOf(Format(spec.storage)), spec.name);
        EXPECT_EQ(storageFrom(spec.key), spec.storage);
        EXPECT_EQ(kOf(spec.storage).has_value(), spec.kernels != WeightKernels::Library) << spec.key;
        EXPECT_EQ(quantisedK(spec.storage).has_value(), spec.kernels == WeightKernels::Rule) << spec.key;
        if (const auto k = kOf(spec.storage)) {
            EXPECT_EQ(storageOfBits(*k), spec.storage);
            EXPECT_DOUBLE_EQ(bytesEach(spec.storage), bytesPerWeight(*k));
        }
    }
    EXPECT_EQ(storageFrom("bf16"), Storage::Fp16);
    EXPECT_FALSE(storageFrom("fp4"));
    EXPECT_EQ(nameOf(Format(4)), "k = 4");
    EXPECT_EQ(nameOf(fp16Format), "fp16");
    Format mixed(4);
    mixed.experts = Storage::Fp16;
    EXPECT_EQ(keyOf(mixed), "k4,experts=fp16");
    const ModelShapes& moe = *findShapePreset("gpt-oss-120b");
    EXPECT_GT(weightBytes(moe, mixed), 2 * weightBytes(moe, Format(4)));
    EXPECT_LT(weightBytes(moe, mixed), weightBytes(moe, fp16Format));
}

TEST(Formats, Fp16IsServedByItsOwnColumn) {
    const KernelTimes times(test::bundledProfile(), findHardware("RTX4090"));
    const ModelShapes& llama = *findShapePreset("llama-3.1-8b");
    const auto k4 = makeCostTable(times, {.model = llama, .format = 4, .maxRows = 300});
    const auto fp16 = makeCostTable(times, {.model = llama, .format = fp16Format, .maxRows = 300});
    ASSERT_TRUE(k4 && fp16);
    for (const std::int64_t rows : {1, 16, 17, 64, 300}) {
        EXPECT_DOUBLE_EQ(fp16->us(rows), k4->fp16Us(rows)) << rows;
        EXPECT_DOUBLE_EQ(fp16->us(rows), fp16->fp16Us(rows)) << rows;
        EXPECT_DOUBLE_EQ(fp16->kernelUs(rows, Kernel::CublasFp16), fp16->us(rows)) << rows;
    }
}

/// MLX-LM lets the cache grow with the requests: what needs more than the device has does not fit, whatever
/// steps its weights would allow.
TEST(FormatPair, ACacheThatOutgrowsTheDeviceDoesNotFit) {
    SimulationInputs many = pairInputs(64);
    many.policy.policy = Policy::Mlx;
    many.policy.maxSeqs = 32;
    const auto refused = serveFormats(many);
    ASSERT_TRUE(refused) << refused.error().sentence();
    EXPECT_FALSE(refused->own.fits);
    EXPECT_FALSE(refused->against.fits);
    EXPECT_TRUE(refused->own.runs.replicas.empty() && refused->against.runs.replicas.empty());
    EXPECT_FALSE(refused->turnsPerS);
    EXPECT_GT(refused->own.memory.neededBytes(), refused->own.memory.memoryBytes);
    EXPECT_EQ(refused->own.memory.fits(), std::optional(false));
    EXPECT_NE(servingSentenceOf(*refused).find("does not fit: needs "), std::string::npos)
        << servingSentenceOf(*refused);
    SimulatorFigureInputs asked;
    asked.base = many;
    const auto figure = simulatorFigure(asked);
    ASSERT_TRUE(figure);
    const std::string headline = headlineOf(*figure);
    const std::string first = headline.substr(0, headline.find(". "));
    EXPECT_NE(first.find(" does not fit: needs "), std::string::npos) << headline;
    EXPECT_LE(std::ranges::count(first, ' '), 19) << "else it is cut before its numbers";
    const ask::Report plot = usersReport(SettingShown(std::make_shared<const SimulatorFigure>(*figure)));
    EXPECT_TRUE(plot.plots.front().empty.starts_with("does not fit: needs ")) << plot.plots.front().empty;
    EXPECT_EQ(figure->present.rows.iterations(), 0U);

    SimulationInputs one = many;
    one.arrivals.users = 2;
    const auto served = serveFormats(one);
    ASSERT_TRUE(served && served->turnsPerS);
    EXPECT_TRUE(served->own.fits && served->against.fits);
    EXPECT_GT(served->own.memory.kvBytes, 0) << "it is counted";
}

TEST(FormatPair, GivenBlocksThatOutgrowTheDeviceDoNotFit) {
    SimulationInputs many = pairInputs(64);
    many.policy.kvBlocks = 1'000'000;
    many.length.iterations = 3000;
    many.replicas = 2;
    const auto refused = serveFormats(many);
    ASSERT_TRUE(refused) << refused.error().sentence();
    EXPECT_FALSE(refused->own.fits);
    EXPECT_FALSE(refused->against.fits);
    EXPECT_EQ(refused->own.memory.fits(), std::optional(false));
    EXPECT_GT(refused->own.memory.kvTurns, 0U);
    EXPECT_FALSE(refused->turnsPerS);
    EXPECT_NE(servingSentenceOf(*refused).find("does not fit: needs "), std::string::npos)
        << servingSentenceOf(*refused);

    many.arrivals.users = 2;
    const auto served = serveFormats(many);
    ASSERT_TRUE(served && served->turnsPerS);
    EXPECT_TRUE(served->own.fits && served->against.fits);
}

TEST(Formats, EachHasItsOwnRoomForKv) {
    SimulationInputs inputs = pairInputs(64);
    EXPECT_EQ(longestRequestOf(inputs), 132'608);
    const std::int64_t blocks = *kvBlocksOf(inputs);
    inputs.cost.format = fp16Format;
    EXPECT_EQ(longestRequestOf(inputs), 54'400);
    EXPECT_LT(2 * *kvBlocksOf(inputs), blocks);
}

TEST(FormatPair, TheSignFlipsWhereFp16LacksRoom) {
    // On the same batches k = 4 takes longer, served by themselves it serves more.
    SimulationInputs inputs = pairInputs(64);
    inputs.length.iterations = 100'000;
    inputs.replicas = 4;
    const auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    ASSERT_TRUE(pair->turnsPerS);
    EXPECT_GT(pair->own.all.timeVsFp16(), 1.1);
    EXPECT_GT(*pair->turnsPerS->low, 1);
    EXPECT_LT(10 * pair->own.all.ttftS.p50, pair->against.all.ttftS.p50);
    EXPECT_EQ(pair->longestRequest, 54'400);
    EXPECT_NEAR(pair->refusedShare, 0.001279 + 2 * 4.1e-5, 1e-5);
    EXPECT_NEAR(pair->own.refusedShare, 4.1e-5, 1e-6);
    const std::string headline = servingSentenceOf(*pair);
    EXPECT_EQ(headline.find("k = 4 serves "), 0U) << headline;
    EXPECT_NE(headline.find(" more turns per second than fp16; TTFT p50 "), std::string::npos) << headline;
    EXPECT_LE(wordsIn(headline), 20U) << headline;
    EXPECT_NE(comparedOnText(*pair).find("54\u202f400"), std::string::npos) << comparedOnText(*pair);
}

TEST(FormatPair, IsTwoSimulationsWithTheSameSeeds) {
    const SimulationInputs inputs = pairInputs(8);
    const auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    SimulationInputs one = inputs;
    one.policy.maxModelLen = pair->longestRequest;
    for (const ServedFormat* served : {&pair->own, &pair->against}) {
        one.cost.format = served->format;
        const auto runs = simulate(one);
        ASSERT_TRUE(runs);
        ASSERT_EQ(runs->replicas.size(), served->runs.replicas.size());
        for (std::size_t i = 0; i < runs->replicas.size(); ++i) {
            EXPECT_EQ(runs->replicas[i].turns, served->runs.replicas[i].turns);
            EXPECT_EQ(runs->replicas[i].simulatedS, served->runs.replicas[i].simulatedS);
            EXPECT_EQ(runs->replicas[i].ttftS, served->runs.replicas[i].ttftS);
        }
    }
    // With room enough for all both hold the same steps: the ratio is that of their time.
    EXPECT_NEAR(pair->turnsPerS->value, 1 / pair->own.all.timeVsFp16(), 0.02);
}

TEST(FormatPair, AFormatAgainstItselfIsEven) {
    SimulationInputs inputs = pairInputs(16);
    inputs.cost.format = fp16Format;
    const auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair && pair->turnsPerS);
    EXPECT_EQ(pair->turnsPerS->value, 1);
    EXPECT_EQ(pair->turnsPerS->low, 1);
    EXPECT_EQ(pair->turnsPerS->high, 1);
    EXPECT_EQ(servingSentenceOf(*pair).find("fp16 serves as many turns per second as fp16; TTFT"), 0U)
        << servingSentenceOf(*pair);
}

TEST(FormatPair, AFormatThatDoesNotFitIsAnAnswer) {
    SimulationInputs inputs = pairInputs(4);
    inputs.length.iterations = 3000;
    inputs.cost.model = *findShapePreset("llama-3.1-70b");
    inputs.profile = nullptr;
    inputs.hardware = findHardware("L40S");
    auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    EXPECT_TRUE(pair->own.fits);
    EXPECT_FALSE(pair->against.fits);
    EXPECT_FALSE(pair->turnsPerS);
    EXPECT_TRUE(pair->against.runs.replicas.empty());
    EXPECT_EQ(usersThatFit(pair->against.memory), 0);
    EXPECT_GT(usersThatFit(pair->own.memory), 4);
    EXPECT_EQ(pair->longestRequest, longestRequestOf(inputs));
    const std::string headline = servingSentenceOf(*pair);
    EXPECT_NE(headline.find("; fp16 does not fit: needs 131 GiB of 48 GiB."), std::string::npos) << headline;
    inputs.hardware = findHardware("RTX4090");
    pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    EXPECT_FALSE(pair->own.fits);
    EXPECT_EQ(servingSentenceOf(*pair), "Llama-3.1-70B at k = 4 does not fit: needs 37.8 GiB of 24 GiB.");
    inputs.cost.format = 2; // 21.8 GiB of 21.6 GiB: no Error, an answer
    pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    EXPECT_FALSE(pair->own.fits);
}

TEST(FormatPair, TurnsThatNobodyCanServeLeaveNothingToCompare) {
    SimulationInputs inputs = pairInputs(1);
    inputs.workload = std::make_shared<const Workload>(
        *workloadOfTrace(std::vector<TraceRequest>(20, {0, 60'000, 60, 0}), "made", "Made up", "a test"));
    inputs.length.iterations = 200;
    const auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    EXPECT_TRUE(pair->own.fits);
    EXPECT_FALSE(pair->against.fits) << "no turn is as short as its room";
    EXPECT_NE(
        servingSentenceOf(*pair).find("fp16 does not fit: its KV room of 54\u202f400 tokens holds no turn"),
        std::string::npos)
        << servingSentenceOf(*pair);
}

TEST(FormatPair, WhatTheWiderFormatTakesAloneIsSaid) {
    SimulationInputs inputs = pairInputs(4);
    std::vector<TraceRequest> requests(20, {0, 1000, 20, 0});
    requests.resize(40, {0, 60'000, 80, 0}); // longer than fp16's room
    inputs.workload =
        std::make_shared<const Workload>(*workloadOfTrace(std::move(requests), "made", "Made up", "a test"));
    inputs.length.iterations = 3000;
    auto pair = serveFormats(inputs);
    ASSERT_TRUE(pair) << pair.error().sentence();
    EXPECT_NEAR(pair->against.refusedShare, 0.5, 1e-9);
    EXPECT_NEAR(pair->against.servedOutputShare, 0.2, 1e-9);
    EXPECT_EQ(pair->own.servedOutputShare, 1);
    EXPECT_EQ(takesMoreOf(*pair), &pair->own);
    const std::string headline = servingSentenceOf(*pair);
    EXPECT_NE(headline.find(", on the 50.0 % of turns that both serve (k = 4 alone 100 %)"),
              std::string::npos)
        << headline;
    EXPECT_FALSE(pair->whole);
    ASSERT_TRUE(serveWhole(*pair, inputs));
    ASSERT_TRUE(pair->whole);
    EXPECT_EQ(pair->whole->format, Format(4));
    const auto alone = simulate(inputs);
    ASSERT_TRUE(alone);
    EXPECT_EQ(pair->whole->all.throughputTokensPerS(), pooled(alone->replicas).throughputTokensPerS());
    EXPECT_GT(pair->whole->all.ttftS.p50, pair->own.all.ttftS.p50);
    const std::vector<CountedFact> facts = servedFactsOf(*pair);
    EXPECT_EQ(facts.back().key, "compared_on");
    EXPECT_NE(facts.back().more.find("On all 100 % of turns that it takes, with 100 % of the output"),
              std::string::npos)
        << facts.back().more;

    auto same = serveFormats(pairInputs(4)); // fp16 refuses a thousandth of the reference
    ASSERT_TRUE(same);
    EXPECT_EQ(takesMoreOf(*same), nullptr);
    ASSERT_TRUE(serveWhole(*same, pairInputs(4)));
    EXPECT_FALSE(same->whole);
}

TEST(FormatPair, SweepsAndTheFigureSayTheSame) {
    SweepInputs inputs;
    inputs.base = pairInputs(8);
    inputs.base.length.iterations = 4000;
    inputs.users = {2, 8, 64};
    inputs.weights = {Storage::K2, Storage::K4};
    const auto swept = sweep(inputs);
    ASSERT_TRUE(swept) << swept.error().sentence();
    ASSERT_EQ(swept->pairs.size(), 2U);
    EXPECT_EQ(swept->pairs[1].longestRequest(), 54'400);
    const auto pair = serveFormats(inputs.base);
    ASSERT_TRUE(pair && pair->turnsPerS);
    const SweepPoint& point = swept->at(1, 0, 1);
    ASSERT_TRUE(point.against);
    EXPECT_EQ(point.against->turnsPerS, *pair->turnsPerS);
    EXPECT_EQ(point.turnsPerS.value, pair->own.all.turnsPerS());
    EXPECT_DOUBLE_EQ(point.measure().value, pair->turnsPerS->value);
    EXPECT_DOUBLE_EQ(point.pace().value, 1 / pair->turnsPerS->value);
    const auto figure = simulatorFigure({.base = inputs.base, .users = {2, 8}, .chunks = {}});
    ASSERT_TRUE(figure && figure->pair);
    EXPECT_EQ(figure->sentence.find(servingSentenceOf(*figure->pair, true)), 0U) << figure->sentence;
}

TEST(FormatPair, CrossoversAreOfTurnsPerSecond) {
    SweepInputs inputs;
    inputs.base = pairInputs(8);
    inputs.base.length.iterations = 4000;
    inputs.users = {2, 8, 24};
    const auto swept = sweep(inputs);
    ASSERT_TRUE(swept) << swept.error().sentence();
    const std::vector<Crossover> crossovers = crossoversOf(*swept, StepScope::WholeStep);
    ASSERT_EQ(crossovers.size(), 1U);
    EXPECT_TRUE(crossovers[0].byTurns);
    std::vector<double> paces;
    for (const SweepPoint& point : swept->points) {
        paces.push_back(1 / point.against->turnsPerS.value);
    }
    EXPECT_EQ(crossovers[0].crossings.size(), crossingsOf(swept->users, paces).size());
    EXPECT_NE(crossovers[0].sentence.find("turns per second"), std::string::npos) << crossovers[0].sentence;
    EXPECT_NE(crossovers[0].sentence.find("TTFT p50 "), std::string::npos) << crossovers[0].sentence;
    EXPECT_LE(wordsIn(crossovers[0].sentence.substr(0, crossovers[0].sentence.find(". "))), 20U)
        << crossovers[0].sentence;
    const auto drawn = crossoversOf(inputs, *swept, {.draws = 4});
    ASSERT_TRUE(drawn) << drawn.error().sentence();
    if (!drawn->front().crossings.empty()) {
        EXPECT_TRUE(drawn->front().all.low || drawn->front().all.high);
    }
}

TEST(FormatPair, TheStudysDefinitionStays) {
    SimulationInputs inputs = pairInputs(8);
    EXPECT_TRUE(comparesFormats(inputs));
    inputs.scope = StepScope::GemmOnly;
    EXPECT_FALSE(comparesFormats(inputs));
}

TEST(PairedRatio, HasStudentsIntervalOfTheLogarithms) {
    const std::vector<double> own = {2, 4, 8};
    const std::vector<double> against = {1, 1, 1};
    const PairedRatio ratio = pairedRatioOf(4.5, own, against);
    const double half = 4.303 * std::log(2.0) / std::sqrt(3.0); // standard deviation of the logs is log 2
    EXPECT_NEAR(*ratio.low, 4.5 * std::exp(-half), 1e-9);
    EXPECT_NEAR(*ratio.high, 4.5 * std::exp(half), 1e-9);
    EXPECT_FALSE(pairedRatioOf(2, std::vector<double>{2}, std::vector<double>{1}).low);
    EXPECT_EQ(moreTurnsText({.value = 1.124, .low = 1.11, .high = 1.14}), "12 % more");
    EXPECT_EQ(moreTurnsText({.value = 0.876, .low = 0.87, .high = 0.88}), "12 % fewer");
    EXPECT_EQ(moreTurnsText({.value = 1.02, .low = 0.98, .high = 1.06}), "as many");
    EXPECT_EQ(moreTurnsText({.value = 2.8, .low = 2.7, .high = 2.9}), "2.8 times as many");
}

TEST(ServerDefaults, AreVllmsByMemory) {
    const auto of = [](const char* key) { return serverDefaultsOf(findHardware(key)); };
    EXPECT_EQ(of("RTX4090"), (ServerDefaults{2048, 256}));
    EXPECT_EQ(of("L40S"), (ServerDefaults{2048, 256}));
    EXPECT_EQ(of("A100-SXM-80"), (ServerDefaults{2048, 256}));
    EXPECT_EQ(of("H100-SXM"), (ServerDefaults{8192, 1024}));
    EXPECT_EQ(of("B200-HGX"), (ServerDefaults{16'384, 1024}));
    EXPECT_EQ(of("M3-Ultra-80c"), (ServerDefaults{2048, 256}));
    EXPECT_EQ(serverDefaultsOf(nullptr), (ServerDefaults{2048, 256}));
    const SimulationInputs inputs = pairInputs(8);
    EXPECT_EQ(inputs.policy.budgetTokens, 2048);
    EXPECT_EQ(inputs.policy.maxSeqs, 256);
    SimulationRequest request;
    EXPECT_FALSE(request.policy.budgetTokens);
    EXPECT_EQ(resolved(request, inputs).policy.budgetTokens, 2048);
}

} // namespace
} // namespace loadline
