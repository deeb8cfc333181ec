// Simulations in the kernels of an engine: their steps are the step model's.
#include "core/simulate/setup/served_engine.h"

#include "core/cost/analytic/modelled_profile.h"
#include "core/simulate/answer/nearest_fact.h"
#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace loadline {
namespace {

const std::shared_ptr<const AtlasSurfaces>& engineSurfaces() {
    static const auto surfaces = [] {
        const std::string folder = std::string(LOADLINE_TEST_DATA) + "/../../resources/atlas";
        return std::make_shared<const AtlasSurfaces>(
            std::make_shared<const Atlas>("h200-sxm", shelfInFolder(folder)), *findHardware("H200-SXM"));
    }();
    return surfaces;
}

SimulationInputs engineInputs(const std::string& model, const Format& format, Parallel parallel) {
    SimulationInputs inputs;
    inputs.hardware = findHardware("H200-SXM");
    inputs.engine = {.surfaces = engineSurfaces(),
                     .model = std::make_shared<const ModelShapes>(*findShapePreset(model)),
                     .parallel = parallel};
    const auto share = shardOf(*inputs.engine.model, parallel);
    inputs.cost.model = share ? *share : *inputs.engine.model;
    inputs.cost.format = format;
    inputs.scope = StepScope::WholeStep;
    inputs.policy.memoryShare = 0.9;
    return inputs;
}

std::shared_ptr<const CostTables> engineTables(const SimulationInputs& inputs,
                                               const std::vector<Format>& formats) {
    auto tables = CostTables::make(inputs, formats, 4096);
    EXPECT_TRUE(tables) << tables.error().what;
    return tables ? *tables : nullptr;
}

TEST(ServedEngine, AStepIsTheStepModels) {
    Format format(Storage::Fp8);
    for (const int gpus : {1, 4}) {
        for (const Storage kv : {Storage::Fp16, Storage::Fp8}) {
            format.kv = kv;
            const SimulationInputs inputs = engineInputs("llama-3.1-70b", format, {.tensor = gpus});
            const auto tables = engineTables(inputs, {format});
            const auto attention = attentionOf(inputs);
            ASSERT_TRUE(tables && attention);
            auto model =
                StepModel::make(engineSurfaces(), *stepSetupOf(inputs.engine, inputs.policy, format));
            ASSERT_TRUE(model);
            const CostTable& table = tables->at(format).table();
            const auto both = [&](std::int64_t decodes, Tokens context, std::vector<WorkChunk> chunks,
                                  std::int64_t sampled) {
                StepWork work{.decodes = decodes,
                              .decodeContext = decodes * context,
                              .chunks = std::move(chunks),
                              .sampledRows = sampled,
                              .rows = decodes};
                AttentionWork attended;
                attention->addDecodes(attended, decodes, static_cast<double>(decodes * (context - 1)));
                for (const WorkChunk& chunk : work.chunks) {
                    work.rows += chunk.added;
                    attention->addPrefill(attended, static_cast<double>(chunk.cached),
                                          static_cast<double>(chunk.added));
                }
                const PaddedRows padded =
                    paddedRows(engineSettingsOf(inputs.policy, kv), work.rows, work.chunks.empty());
                work.paddedRows = padded.rows;
                work.isCaptured = padded.isCaptured;
                return std::pair(table.us({work.rows, sampled}) + attention->us(attended),
                                 (*model)->us(work));
            };
            for (const auto& [priced, wanted] :
                 {both(1, 500, {}, 1), both(37, 9000, {}, 37),
                  both(200, 3000, {{.added = 56, .cached = 0}}, 201),
                  both(12, 4000, {{.added = 2000, .cached = 0}, {.added = 48, .cached = 100'000}}, 13)}) {
                EXPECT_NEAR(priced, wanted, 1e-5 * wanted);
            }
        }
    }
}

TEST(ServedEngine, ExpertsAndLogitsAreTheStepModels) {
    Format format(Storage::Fp16);
    format.experts = Storage::Mxfp4;
    const SimulationInputs inputs = engineInputs("gpt-oss-120b", format, {.tensor = 2});
    const auto tables = engineTables(inputs, {format});
    ASSERT_TRUE(tables);
    auto model = StepModel::make(engineSurfaces(), *stepSetupOf(inputs.engine, inputs.policy, format));
    ASSERT_TRUE(model);
    const StepBreakdown parts =
        (*model)->parts({.chunks = {}, .sampledRows = 24, .rows = 24, .paddedRows = 24, .isCaptured = true});
    const CostTable& table = tables->at(format).table();
    EXPECT_NEAR(table.us({24, 24}), parts.total(), 1e-5 * parts.total());
    EXPECT_NEAR(table.kernelUs({24, 24}, Kernel::LibraryExperts), parts.of(ServedPart::Experts),
                1e-5 * parts.total());
    EXPECT_GT(table.kernelUs({24, 24}, Kernel::Transfers), parts.of(ServedPart::AllReduce)); // and gathers
    EXPECT_GT(table.kernelUs({24, 24}, Kernel::SmallKernels), 0);
}

TEST(ServedEngine, GemmsAloneLeaveOutWhatRunsBeside) {
    const Format format(Storage::Fp8);
    SimulationInputs inputs = engineInputs("llama-3.1-8b", format, {});
    const double whole = engineTables(inputs, {format})->at(format).table().us(64);
    inputs.scope = StepScope::GemmOnly;
    const auto tables = engineTables(inputs, {format});
    const CostTable& table = tables->at(format).table();
    EXPECT_LT(table.us(64), whole);
    EXPECT_EQ(table.kernelUs(64, Kernel::SmallKernels), 0);
    inputs.tables = tables;
    inputs.scope = StepScope::WholeStep; // tables of another scope do not fit
    EXPECT_NEAR(engineTables(inputs, {format})->at(format).table().us(64), whole, 1e-9 * whole);
}

TEST(ServedEngine, OurKernelsMeetItsFp16) {
    SimulationInputs inputs = engineInputs("llama-3.1-8b", Format(4), {});
    inputs.cost.rule = *findDispatchPreset("code");
    inputs.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("H200-SXM")));
    const auto tables = engineTables(inputs, {Format(4), fp16Format, Format(Storage::Fp8)});
    ASSERT_TRUE(tables);
    const CostTable& ours = tables->at(Format(4)).table();
    const CostTable& fp16 = tables->at(fp16Format).table();
    for (const std::int64_t rows : {1, 32, 2000}) {
        EXPECT_EQ(ours.fp16Us(rows), fp16.us(rows)) << rows;
        EXPECT_NE(ours.us(rows), fp16.us(rows)) << rows;
    }
    // At many rows the k-bit weights are brought to fp16 first.
    EXPECT_GT(ours.us(2000), fp16.us(2000));
    EXPECT_LT(tables->at(Format(Storage::Fp8)).table().us(2000), fp16.us(2000));
    EXPECT_LT(fp16.modelledShare(64), 0.3); // small kernels
    EXPECT_GT(ours.modelledShare(64), fp16.modelledShare(64));
}

/// Experts that were asked for stay, those that follow do not.
TEST(ServedEngine, ExpertsFollowUnlessAskedFor) {
    Format format(4);
    EXPECT_EQ(withWeights(format, Storage::Fp8).experts, Storage::Fp8);
    format.expertsFollow = false;
    EXPECT_EQ(withWeights(format, Storage::Fp8).experts, Storage::K4);
    EXPECT_EQ(format, Format(4)); // what is stored is the same
}

TEST(ServedEngine, KBitExpertsStandBesideItsFp16Ones) {
    Format format(Storage::Fp16);
    format.experts = Storage::K4;
    SimulationInputs inputs = engineInputs("qwen3-coder-next", format, {.tensor = 2});
    inputs.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("H200-SXM")));
    inputs.cost.rule = *findDispatchPreset("fastest");
    const auto tables = engineTables(inputs, {format});
    ASSERT_TRUE(tables);
    const CostTable& table = tables->at(format).table();
    EXPECT_GT(table.kernelUs(4000, Kernel::GroupedDequant), 0); // 78 rows of each expert
    EXPECT_GT(table.us(4000), table.fp16Us(4000));              // dequantised first
    EXPECT_EQ(table.kernelUs(4000, Kernel::LibraryExperts), 0);
}

TEST(ServedEngine, SaysWhatCannotBeServed) {
    const auto wordsOf = [](const SimulationInputs& inputs) {
        const auto tables = CostTables::make(inputs, {inputs.cost.format}, 64);
        return tables ? std::string() : tables.error().what;
    };
    EXPECT_EQ(wordsOf(engineInputs("llama-3.1-8b", Format(Storage::Mxfp4), {})),
              "no tables hold dense layers in mxfp4");
    EXPECT_NE(wordsOf(engineInputs("llama-3.1-8b", Format(Storage::Fp8), {.tensor = 3})).find("3"),
              std::string::npos);
    SimulationInputs dense = engineInputs("llama-3.1-8b", Format(Storage::Fp8), {});
    dense.workload = std::make_shared<const Workload>(referenceWorkload());
    dense.cost.format.experts = Storage::Nvfp4;
    EXPECT_EQ(problemOf(dense)->what, "Llama-3.1-8B has no experts to store as nvfp4");
    dense.cost.format = Format(Storage::Fp8);
    EXPECT_FALSE(problemOf(dense));
    dense.against = Format(Storage::Mxfp4); // told before memory is looked at
    EXPECT_EQ(problemOf(dense)->what, "no tables hold dense layers in mxfp4");
    EXPECT_EQ(wordsOf(engineInputs("gpt-oss-120b", fp16Format, {.tensor = 2, .expert = 4})),
              "experts cannot be spread over 4 of 2 GPUs");
    SimulationInputs alone = engineInputs("llama-3.1-8b", Format(4), {.tensor = 2});
    alone.engine.surfaces = nullptr;
    EXPECT_EQ(wordsOf(alone), "transfers among GPUs are known of the atlas's GPUs alone");
    alone.engine.parallel = {};
    alone.cost.format = Format(Storage::Fp8);
    EXPECT_EQ(wordsOf(alone), "the kernel times hold no fp8 kernels");
}

TEST(ServedEngine, KvBlocksAreThoseThatItResolves) {
    const SimulationInputs inputs = engineInputs("llama-3.1-70b", Format(Storage::Fp8), {.tensor = 2});
    const auto setup = stepSetupOf(inputs.engine, inputs.policy, inputs.cost.format);
    ASSERT_TRUE(setup);
    EXPECT_LE(std::abs(*kvBlocksOf(inputs) - *kvBlocksOf(*setup, inputs.cost.model, *inputs.hardware)), 1);
    EXPECT_LT(memoryShareInForce(inputs), 0.9);
    EXPECT_GT(memoryShareInForce(inputs), 0.8);
    SimulationInputs tooMany = engineInputs("llama-3.1-70b", fp16Format, {});
    EXPECT_TRUE(leavesNoRoom(tooMany));
    std::int64_t before = 0; // the smaller the weights, the more room
    for (const Format& format : {fp16Format, Format(Storage::Fp8), Format(4)}) {
        const auto blocks = kvBlocksOf(engineInputs("llama-3.1-8b", format, {}));
        ASSERT_TRUE(blocks);
        EXPECT_GT(*blocks, before + 1000) << nameOf(format);
        before = *blocks;
    }
}

/// A run of singly drawn turns on an engine, beside one judged server that is as it is.
TEST(ServedEngine, ServersLikeItSayHowWrongItMayBe) {
    SimulationInputs inputs = engineInputs("llama-3.1-8b", Format(Storage::Fp8), {});
    inputs.workload = std::make_shared<const Workload>(referenceWorkload());
    inputs.arrivals.users = 4;
    inputs.length.turns = 5000;
    const auto runs = simulate(inputs);
    ASSERT_TRUE(runs) << runs.error().what;
    const SimulationResult& run = runs->replicas.front();
    EXPECT_EQ(nearestFactOf(inputs, &run), std::nullopt); // nothing was judged
    const ServerPoint point = serverPointOf(inputs, run);
    EXPECT_EQ(point.gpu, "h200-sxm");
    EXPECT_NEAR(point.batch, 4, 1); // users without think time
    EXPECT_EQ(point.cachedShare, 0);
    EXPECT_NEAR(point.totalBytes, 9.08e9, 1e8); // 7 G weights in fp8; embedding and head in bf16

    JudgedServers judged;
    judged.servers = {{.model = "meta-llama/Llama-3.1-8B",
                       .at = point,
                       .tier = "A",
                       .ttftError = 0.25,
                       .tpotError = -0.04}};
    inputs.judged = std::make_shared<const JudgedServers>(judged);
    const auto near = nearestFactOf(inputs, &run);
    ASSERT_TRUE(near);
    EXPECT_TRUE(near->words.starts_with("TPOT 4 % on 1 server") || near->words.starts_with("TPOT 4 % median"))
        << near->words;
    EXPECT_FALSE(near->warns);

    judged.servers.front().at.context *= 8;
    inputs.judged = std::make_shared<const JudgedServers>(judged);
    const auto far = nearestFactOf(inputs, &run);
    ASSERT_TRUE(far);
    EXPECT_TRUE(far->words.starts_with("no server with this context")) << far->words;
    EXPECT_TRUE(far->warns);
    inputs.judged = std::make_shared<const JudgedServers>();
    EXPECT_EQ(nearestFactOf(inputs, &run)->words, "the list of measured servers cannot be read");
    inputs.engine.surfaces = nullptr; // rooflines: no server was judged by them
    EXPECT_EQ(nearestFactOf(inputs, &run), std::nullopt);
}

} // namespace
} // namespace loadline
