// The protocol's work by the plugin's own code: prepared points, replays, ceilings, a whole profile.
#include "gpu/cuda/cuda_attention.h"
#include "gpu/cuda/cuda_check.h"
#include "gpu/protocol/measure.h"
#include "tests/gpu/rehearse/rehearsal.h"

#include <algorithm>

namespace loadline::gpu::rehearse {
namespace {

class ProtocolRehearsal : public Rehearsal {};

/// Replayed nodes compute, and leave sums and counters as the next node needs them: after the replays the
/// same session still gives right answers, and the launches are those of the graph.
TEST_F(ProtocolRehearsal, PointsReplay) {
    const auto backend = open();
    for (const Kernel kernel :
         {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::Dequantise, Kernel::GroupedMma,
          Kernel::GroupedSwapAb, Kernel::CublasFp16, Kernel::DequantCublas, Kernel::GroupedDequant}) {
        const PointSpec spec{.kernel = kernel,
                             .size = {.k = 576, .n = 40},
                             .experts = isGrouped(kernel) ? 2 : 1,
                             .rowsM = kernel == Kernel::Dequantise ? 0 : 4,
                             .kBits = kernel == Kernel::CublasFp16 ? fp16Bits : 4};
        auto point = backend->prepare(spec, {.copies = 3, .calls = 4});
        ASSERT_TRUE(point) << nameOf(kernel) << ": " << point.error().sentence();
        const int replays = counts().replays;
        for (int i = 0; i < 2; ++i) {
            const auto sample = (*point)->sample();
            ASSERT_TRUE(sample) << nameOf(kernel) << ": " << sample.error().sentence();
            EXPECT_GT(sample->us, 0);
            EXPECT_NEAR(sample->clockMhz, 1777, 2);
        }
        EXPECT_EQ(counts().replays, replays + 2);
        const auto timed = (*point)->checkOutput();
        ASSERT_TRUE(timed) << nameOf(kernel) << ": " << timed.error().sentence();
        EXPECT_TRUE(timed->passed) << nameOf(kernel) << ": " << timed->what;
        const std::size_t before = launches().size();
        const auto alone = (*point)->isolatedUs();
        ASSERT_TRUE(alone) << nameOf(kernel);
        EXPECT_TRUE(std::any_of(
            launches().begin() + static_cast<std::ptrdiff_t>(before), launches().end(),
            [](const SeenLaunch& launch) { return launch.kernel == "readKernel" && !launch.inGraph; }))
            << "the cache is flushed by reading";
        EXPECT_GT(**alone, 0);
        if (kernel != Kernel::CublasFp16) {
            EXPECT_TRUE(std::any_of(launches().begin(), launches().end(),
                                    [](const SeenLaunch& launch) { return launch.inGraph; }));
        }
        const auto right = backend->check(spec, 3);
        ASSERT_TRUE(right);
        EXPECT_TRUE(right->passed) << nameOf(kernel) << ": " << right->what;
    }
}

/// Weights that the device makes keep to their format where K ends within a tile: what fills it up has scales
/// of 0, and a kernel may multiply it by whatever it has. Few blocks, so that these have several tiles.
TEST_F(ProtocolRehearsal, MadeWeightsThatEndWithinATileAreRight) {
    stageOf({cut(rtx3050(), 1)});
    const auto backend = open();
    for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::GroupedScalar,
                                Kernel::GroupedMma, Kernel::GroupedSwapAb}) {
        for (const int bits : {2, 5}) {
            for (const int m : {3, 17}) {
                const PointSpec spec{.kernel = kernel,
                                     .size = {.k = 544, .n = 72},
                                     .experts = isGrouped(kernel) ? 2 : 1,
                                     .rowsM = m,
                                     .kBits = bits};
                if (m > designedRows(kernel)) {
                    continue;
                }
                auto point = backend->prepare(spec, {.copies = 1, .calls = 1});
                ASSERT_TRUE(point) << nameOf(kernel) << ": " << point.error().sentence();
                ASSERT_TRUE((*point)->sample());
                const auto outcome = (*point)->checkOutput();
                ASSERT_TRUE(outcome) << nameOf(kernel) << ": " << outcome.error().sentence();
                EXPECT_TRUE(outcome->passed)
                    << nameOf(kernel) << ", k = " << bits << ", M = " << m << ": " << outcome->what;
            }
        }
    }
}

/// The output that is compared is a sample's: where the graph computed nothing, it is missing.
TEST_F(ProtocolRehearsal, AnOutputThatNoSampleWroteIsWrong) {
    const auto backend = open();
    const PointSpec spec{.kernel = Kernel::SwapAb, .size = {.k = 576, .n = 40}, .rowsM = 4, .kBits = 4};
    auto point = backend->prepare(spec, {.copies = 3, .calls = 5});
    ASSERT_TRUE(point);
    const auto first = (*point)->checkOutput();
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->passed) << "of the fifth node's set, which nobody has written";
    ASSERT_TRUE((*point)->sample());
    EXPECT_TRUE((*point)->checkOutput()->passed);
    stage().replaysCompute = false;
    auto again = backend->prepare(spec, {.copies = 3, .calls = 5});
    ASSERT_TRUE(again);
    ASSERT_TRUE((*again)->sample());
    EXPECT_TRUE((*again)->checkOutput()->passed) << "the last node computed";
}

/// Occupancy and attributes are asked for once a kernel, not with every launch.
TEST_F(ProtocolRehearsal, KernelsAreAskedAboutOnce) {
    const auto backend = open();
    const PointSpec spec{.kernel = Kernel::SwapAb, .size = {.k = 576, .n = 40}, .rowsM = 4, .kBits = 4};
    ASSERT_TRUE(backend->prepare(spec, {.copies = 2, .calls = 4}));
    const int questions = counts().questions;
    EXPECT_GT(questions, 0);
    EXPECT_LE(questions, 2 * 3) << "two depths of the ring: permission, occupancy, the memory set apart";
    ASSERT_TRUE(backend->prepare(spec, {.copies = 2, .calls = 32}));
    EXPECT_EQ(counts().questions, questions);
}

TEST_F(ProtocolRehearsal, AttentionReplays) {
    const auto backend = open();
    for (const AttentionPhase phase : {AttentionPhase::Decode, AttentionPhase::Prefill}) {
        const AttentionCall call{phase, {4, 2, 64}, 2, 70};
        auto point = backend->prepareAttention(call, {.copies = 2, .calls = 3});
        ASSERT_TRUE(point) << point.error().sentence();
        const int replays = counts().replays;
        const auto sample = (*point)->sample();
        ASSERT_TRUE(sample) << sample.error().sentence();
        EXPECT_GT(sample->us, 0);
        EXPECT_EQ(counts().replays, replays + 1);
        const auto timed = (*point)->checkOutput();
        ASSERT_TRUE(timed) << timed.error().sentence();
        EXPECT_TRUE(timed->passed) << timed->what;
        EXPECT_GT(timed->relativeError, 0);
        const auto right = backend->checkAttention(call, 3);
        ASSERT_TRUE(right);
        EXPECT_TRUE(right->passed) << right->what;
    }
}

/// Timed attention is compared with float64 from the keys and values of its own copy, of every sequence and
/// KV head.
TEST_F(ProtocolRehearsal, TimedAttentionIsCompared) {
    CudaSession* session = nullptr;
    char message[256] = {};
    ASSERT_EQ(plugin().openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    for (const AttentionPhase phase : {AttentionPhase::Decode, AttentionPhase::Prefill}) {
        const AttentionCall call{phase, {4, 2, 64}, 3, 70};
        CudaWork work = cudaWorkOf(call, {.copies = 2, .calls = 3});
        work.activationSets = 1;
        CudaPrepared prepared = {};
        ASSERT_EQ(plugin().prepare(session, &work, &prepared), CudaStatus::Ok) << plugin().lastError(session);
        CudaSample sample = {};
        std::int32_t taken = 0;
        ASSERT_EQ(plugin().sample(session, CudaSampling::Graph, 1, &sample, &taken), CudaStatus::Ok);
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const auto last = checkPrepared(plugin(), session, call, work, 2, seed);
            ASSERT_TRUE(last) << last.error().sentence();
            EXPECT_TRUE(last->passed) << last->what;
            const auto other = checkPrepared(plugin(), session, call, work, 1, seed);
            ASSERT_TRUE(other) << other.error().sentence();
            EXPECT_FALSE(other->passed) << "the output is not that of the other copy";
        }
    }
    plugin().closeSession(session);
}

/// What a node says it reads are its sequences' keys and values, once for all query heads, and nothing of
/// what lies behind their ends in the last KV block.
TEST_F(ProtocolRehearsal, AttentionCountsKeysAndValuesOnce) {
    CudaSession* session = nullptr;
    char message[256] = {};
    ASSERT_EQ(plugin().openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    for (const AttentionPhase phase : {AttentionPhase::Decode, AttentionPhase::Prefill}) {
        const AttentionCall call{phase, {8, 2, 64}, 3, 70};
        const CudaWork work = cudaWorkOf(call, {1, 1});
        CudaPrepared prepared = {};
        ASSERT_EQ(plugin().prepare(session, &work, &prepared), CudaStatus::Ok) << plugin().lastError(session);
        EXPECT_EQ(static_cast<double>(prepared.weightBytes), contextBytes(call));
        EXPECT_GT(prepared.allocatedBytes, prepared.weightBytes);
    }
    plugin().closeSession(session);
}

double emptyNodesUs(int nodes) {
    CudaSession* session = nullptr;
    char message[256] = {};
    EXPECT_EQ(plugin().openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    CudaWork work = {};
    work.operation = CudaOperation::EmptyNode;
    work.copies = work.activationSets = 1;
    work.nodes = nodes;
    CudaPrepared prepared = {};
    EXPECT_EQ(plugin().prepare(session, &work, &prepared), CudaStatus::Ok) << plugin().lastError(session);
    CudaSample sample = {};
    std::int32_t taken = 0;
    EXPECT_EQ(plugin().sample(session, CudaSampling::Graph, 1, &sample, &taken), CudaStatus::Ok);
    EXPECT_EQ(taken, 1);
    plugin().closeSession(session);
    return sample.timeUs;
}

/// A sample is the device's time alone, however long the host takes to launch a graph: an empty node takes 2
/// us here.
TEST_F(ProtocolRehearsal, TheHostIsAheadOfTheDevice) {
    EXPECT_NEAR(emptyNodesUs(256), 512, 0.01);
    stage().usPerReplayedNode = 1; // slower than the device
    EXPECT_NEAR(emptyNodesUs(256), 512, 0.01);
    stage().usPerLaunch = 60;
    EXPECT_NEAR(emptyNodesUs(8), 16, 0.01);
    stage().usPerReplayedNode = 100; // no wait is long enough: the longest is taken, once
    EXPECT_GT(emptyNodesUs(256), 512);
}

TEST_F(ProtocolRehearsal, CeilingsAreAllMeasured) {
    stageOf({h100()});
    const auto backend = open();
    const auto ceilings = backend->measureCeilings({});
    ASSERT_TRUE(ceilings) << ceilings.error().sentence();
    EXPECT_EQ(ceilings->at("empty_call_us"), "2");
    for (const char* name : {"read_gb_s", "read_4_gib_gb_s", "write_gb_s", "copy_gb_s", "host_to_device_gb_s",
                             "device_to_host_gb_s", "both_ways_gb_s", "host_to_device_pageable_gb_s",
                             "device_to_host_pageable_gb_s", "host_to_device_latency_us",
                             "device_to_host_us_of_65536_bytes", "gemm_tflop_s", "gemm_bf16_tflop_s"}) {
        EXPECT_EQ(ceilings->count(name), 1U) << name;
    }
    // Both directions overlap on their two streams.
    EXPECT_GT(std::stod(ceilings->at("both_ways_gb_s")),
              0.9 * std::stod(ceilings->at("host_to_device_gb_s")));
    const auto clock = backend->warmUp(50, {});
    ASSERT_TRUE(clock);
    EXPECT_NEAR(*clock, 1980, 2);
}

/// What does not fit on a small device is left out, not failed.
TEST_F(ProtocolRehearsal, CeilingsOfADeviceWithLittleMemory) {
    StagedDevice device = cut(rtx3050(), 4);
    device.memoryBytes = std::int64_t{1536} << 20;
    stageOf({device});
    const auto backend = open();
    const auto ceilings = backend->measureCeilings({});
    ASSERT_TRUE(ceilings) << ceilings.error().sentence();
    EXPECT_EQ(ceilings->count("read_gb_s"), 1U);
    EXPECT_EQ(ceilings->count("copy_gb_s"), 0U);
    EXPECT_EQ(ceilings->count("gemm_tflop_s"), 1U);
}

/// A point that cannot fit is not planned; one with large outputs rotates over fewer of them.
TEST_F(ProtocolRehearsal, PointsFitIntoTheMemoryThatIsFree) {
    StagedDevice device = cut(rtx3050(), 4);
    device.memoryBytes = 256 << 20;
    stageOf({device});
    stage().replaysCompute = false;
    const auto backend = open();
    const GemmSize wide{.k = 64, .n = 1 << 19}; // 67 MB in fp16
    const auto fp16 = [&](std::int64_t m) {
        return PointSpec{.kernel = Kernel::CublasFp16, .size = wide, .rowsM = m};
    };
    EXPECT_TRUE(backend->supports(fp16(1)));
    EXPECT_FALSE(backend->supports(fp16(128))) << "an output of twice as many bytes, and two copies";
    ASSERT_TRUE(backend->supports(fp16(48)));
    const auto point = backend->prepare(fp16(48), {.copies = 2, .calls = 2});
    ASSERT_TRUE(point) << point.error().sentence();
    EXPECT_TRUE((*point)->sample());
}

ModelShapes tinyModel() {
    ModelShapes model;
    model.name = "tiny";
    LayerGemm dense;
    dense.size = {.k = 64, .n = 32};
    LayerGemm experts;
    experts.size = {.k = 32, .n = 32};
    experts.experts = 8;
    experts.expertsPerRow = 2;
    model.gemms = {dense, experts};
    return model;
}

TEST_F(ProtocolRehearsal, AWholeMeasurementGivesAProfile) {
    stage().replaysCompute = false; // thousands of nodes
    const auto backend = open();
    const Plan plan = makePlan(*backend, tinyModel(), {3}, Preset::Quick, 5);
    double now = 0;
    const MeasureContext context = {"1.2.3", "2026-01-01T00:00:00Z", [&now] { return now += 0.001; },
                                    [&now](double s) { now += s; }};
    const auto profile = measure(*backend, plan, context, {});
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->methodFacts.count("failed_checks"), 0U) << profile->methodFacts.at("failed_checks");
    EXPECT_TRUE(plan.leftOut.empty());
    const auto once = std::ranges::count(plan.points, PointRole::Point, &PlannedPoint::role);
    EXPECT_EQ(std::ssize(profile->points), once);
    EXPECT_EQ(profile->hardware, "");
    EXPECT_EQ(profile->deviceFacts.at("driver"), "\"580.65.06\"");
    EXPECT_EQ(profile->deviceFacts.at("ecc"), "true");
    EXPECT_EQ(profile->deviceFacts.at("cublas"), "130100");
    EXPECT_EQ(profile->methodFacts.at("power_mw_mean"), "350000");
    for (const ProfilePoint& point : profile->points) {
        EXPECT_GT(point.timeUs, 0);
        EXPECT_TRUE(point.flags.empty()) << nameOf(point.kernel) << ": " << point.flags.front();
    }
}

} // namespace
} // namespace loadline::gpu::rehearse
