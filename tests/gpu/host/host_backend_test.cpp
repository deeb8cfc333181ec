// The CPU behind the protocol's interface: what it has, that its checks see what is wrong, and a whole run.
#include "gpu/host/host_backend.h"

#include "core/cost/profile/bench_run.h"
#include "gpu/host/host_check.h"
#include "gpu/host/machine/host_facts.h"
#include "gpu/host/reference.h"
#include "gpu/protocol/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace loadline::gpu {
namespace {

constexpr std::int64_t smallPool = std::int64_t{8} << 20;

HostOptions smallOptions() {
    return {.threads = 2, .int8Activations = false, .rotateBytes = smallPool, .seed = 3};
}

TEST(WeightPool, HasNeighboursThatDoNotOverlap) {
    WeightPool pool(std::size_t{1} << 20, 5);
    for (int bits = 2; bits <= 5; ++bits) {
        const KBitShape shape{96, 37, bits};
        pool.reserve(shape, 1);
        const std::int64_t count = pool.matricesOf(shape);
        ASSERT_GT(count, 50);
        const PackedView first = pool.packed(shape, 0);
        const PackedView next = pool.packed(shape, 1);
        const PackedSize size = packedSizeOf(shape, Layout::Lanes);
        EXPECT_GE(next.words - first.words, size.words);
        EXPECT_GE(next.absmaxBytes - first.absmaxBytes, size.scales);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(next.words) % 64, 0U);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(next.absmaxBytes) % 64, 0U);
        const PackedView last = pool.packed(shape, count - 1);
        EXPECT_LE(last.words + size.words, pool.words().data() + pool.words().size());
    }
}

TEST(WeightPool, HoldsEveryCodeAndScalesWithinBounds) {
    WeightPool pool(std::size_t{1} << 16, 5);
    const KBitShape shape{1024, 16, 3};
    pool.reserve(shape, 1);
    const std::vector<double> row = referenceRow(pool.packed(shape, 0), 7);
    const std::set<double> values(row.begin(), row.end());
    EXPECT_GE(values.size(), 8U);
    for (const double value : row) {
        EXPECT_LE(std::abs(value), 0.5);
    }
    pool.reserveDense(64, 64, 2);
    const DenseView dense = pool.dense(64, 64, 1);
    const std::vector<double> product = referenceProduct(dense, std::vector<float>(64, 1.0F), 1);
    EXPECT_TRUE(std::all_of(product.begin(), product.end(), [](double v) { return std::abs(v) <= 64; }));
}

TEST(WeightPool, GrowsForAMatrixThatIsLarger) {
    WeightPool pool(1024, 5);
    const KBitShape shape{4096, 512, 4};
    pool.reserve(shape, 8);
    EXPECT_GE(pool.matricesOf(shape), 16);
}

TEST(HostCheck, PassesEveryKernelInTheShapeThatIsTimed) {
    HostRunner runner(2);
    WeightPool pool(smallPool, 9);
    const Cpu cpu = thisCpu();
    for (const Kernel kernel :
         {Kernel::CublasFp16, Kernel::Scalar, Kernel::Mma, Kernel::Dequantise, Kernel::DequantCublas,
          Kernel::BatchedFp16, Kernel::GroupedScalar, Kernel::GroupedMma, Kernel::GroupedDequant}) {
        for (const int bits : {2, 3, 4, 5}) {
            const int experts = isGrouped(kernel) ? 3 : 1;
            const PointSpec spec{kernel,
                                 {160, 300},
                                 experts,
                                 kernel == Kernel::Dequantise ? 0 : 3,
                                 readsKBits(kernel) ? bits : fp16Bits};
            const CheckOutcome outcome =
                checkHostKernel(runner, pool, {*hostMethodOf(kernel), cpu.best()}, spec, 11);
            EXPECT_TRUE(outcome.passed) << keyOf(kernel) << " k = " << bits << ": " << outcome.what;
            EXPECT_GT(outcome.relativeError, 0);
        }
    }
}

TEST(HostWork, APairMultipliesByTheWeightsThatItHasJustDequantised) {
    HostRunner runner(2);
    WeightPool pool(smallPool, 9);
    const HostKernel first{HostMethod::DequantiseFp16, thisCpu().best()};
    for (const int experts : {1, 3}) {
        const Kernel kernel = experts > 1 ? Kernel::GroupedDequant : Kernel::DequantCublas;
        const PointSpec spec{kernel, {96, 48}, experts, 40, 3};
        const auto rows = static_cast<std::size_t>(spec.rowsM * experts);
        std::vector<float> x(rows * 96);
        fillUniform(x, 4);
        AlignedVector<std::uint16_t> weights(static_cast<std::size_t>(96 * 48 * experts));
        std::vector<float> y(rows * 48);
        std::vector<float> apart(rows * 48);
        reserveFor(pool, spec);
        HostWork pair(runner, pool, first, spec, {x.data(), y.data(), weights.data()}, 64);
        for (const std::int64_t place : {5, 6}) { // another copy, the same buffer
            pair.run(place);
            HostWork alone(runner, pool, first, {Kernel::Dequantise, spec.size, experts, 0, 3},
                           {nullptr, nullptr, weights.data()}, 64);
            std::fill(weights.begin(), weights.end(), std::uint16_t{0});
            alone.run(place);
            for (int expert = 0; expert < experts; ++expert) {
                HostProblem problem;
                problem.dense.k = 96;
                problem.dense.n = 48;
                problem.dense.fp16 = weights.data() + static_cast<std::ptrdiff_t>(expert) * 96 * 48;
                problem.rowsM = spec.rowsM;
                problem.x = x.data() + expert * spec.rowsM * 96;
                problem.y = apart.data() + expert * spec.rowsM * 48;
                runner.run(HostKernel{HostMethod::DenseFp16, first.set}, problem);
            }
            EXPECT_EQ(y, apart) << experts << " at " << place;
        }
    }
}

TEST(HostCheck, SeesAKernelThatIsLessExactThanItSays) {
    HostRunner runner(1);
    WeightPool pool(smallPool, 9);
    const InstructionSet set = thisCpu().best();
    if (kernelTable(set).gemvInt8 == nullptr) {
        GTEST_SKIP() << "this CPU has no kernel with bytes as activations";
    }
    const PointSpec spec{Kernel::Scalar, {256, 64}, 1, 2, 4};
    const CheckOutcome bytes = checkHostKernel(runner, pool, {HostMethod::KBitGemvInt8, set}, spec, 1);
    EXPECT_TRUE(bytes.passed) << bytes.what;
    EXPECT_GT(bytes.relativeError, specOf(HostMethod::KBitGemv).tolerance); // as fp32 it would not pass
    EXPECT_FALSE(judged(bytes.relativeError, specOf(HostMethod::KBitGemv).tolerance, true, true).passed);
}

/// Bytes at large M only where a set says that they pay there.
TEST(HostMethods, ReadActivationsAsBytesWhereAsked) {
    for (const InstructionSet set : thisCpu().sets) {
        const KernelTable& table = kernelTable(set);
        EXPECT_EQ(hostMethodOf(Kernel::Mma), HostMethod::KBitGemm);
        EXPECT_EQ(hostMethodOf(Kernel::Mma, &table),
                  set == InstructionSet::Avx512 ? HostMethod::KBitGemmInt8 : HostMethod::KBitGemm);
        EXPECT_EQ(hostMethodOf(Kernel::Scalar, &table),
                  set == InstructionSet::Portable ? HostMethod::KBitGemv : HostMethod::KBitGemvInt8);
        EXPECT_EQ(hostMethodOf(Kernel::Dequantise, &table), HostMethod::DequantiseFp16);
    }
    for (const HostMethodSpec& spec : hostMethods()) {
        EXPECT_EQ(&specOf(spec.method), &spec) << spec.key; // in the order of HostMethod
    }
}

TEST(HostCheck, FailsInWords) {
    EXPECT_TRUE(judged(1e-7, 1e-5, true, true).passed);
    EXPECT_NE(judged(1e-7, 1e-5, true, false).what.find("beside"), std::string::npos);
    EXPECT_NE(judged(1e-7, 1e-5, false, true).what.find("unwritten"), std::string::npos);
    EXPECT_NE(judged(0.1, 1e-5, true, true).what.find("0.1"), std::string::npos);
    EXPECT_FALSE(judged(std::numeric_limits<double>::quiet_NaN(), 1e-5, true, true).passed);
}

TEST(HostBackend, HasTheKernelsThatItSays) {
    const auto backend = openHostBackend(smallOptions());
    const GemmSize size{256, 512};
    EXPECT_TRUE(backend->supports({Kernel::CublasFp16, size, 1, 8192, fp16Bits}));
    EXPECT_TRUE(backend->supports({Kernel::Scalar, size, 1, 16, 4}));
    EXPECT_FALSE(backend->supports({Kernel::Scalar, size, 1, 17, 4}));
    EXPECT_TRUE(backend->supports({Kernel::Mma, size, 1, 256, 2}));
    EXPECT_FALSE(backend->supports({Kernel::Mma, size, 1, 257, 2}));
    EXPECT_TRUE(backend->supports({Kernel::Dequantise, size, 1, 0, 5}));
    EXPECT_TRUE(backend->supports({Kernel::GroupedMma, size, 8, 4, 5}));
    EXPECT_FALSE(backend->supports({Kernel::SwapAb, size, 1, 1, 4}));
    EXPECT_TRUE(backend->supports({Kernel::DequantCublas, size, 1, 8192, 4}));
    EXPECT_TRUE(backend->supports({Kernel::GroupedDequant, size, 8, 64, 2}));
    EXPECT_FALSE(backend->supports({Kernel::DequantCublas, size, 1, 0, 4}));
    EXPECT_FALSE(backend->supports({Kernel::DequantCublas, size, 1, 64, fp16Bits}));
    EXPECT_EQ(backend->kernelName(Kernel::DequantCublas),
              backend->kernelName(Kernel::Dequantise) + ", then " + backend->kernelName(Kernel::CublasFp16));
    EXPECT_FALSE(backend->supports({Kernel::Scalar, size, 1, 1, 6}));
    EXPECT_FALSE(backend->supports({Kernel::Scalar, {250, 512}, 1, 1, 4}));
    EXPECT_FALSE(backend->supports({Kernel::CublasFp16, {1 << 20, 1 << 20}, 1, 1 << 20, fp16Bits})); // memory
}

TEST(HostBackend, HasAttentionOfUsualHeads) {
    const auto backend = openHostBackend(smallOptions());
    const auto supports = [&](AttentionPhase phase, const AttentionHeads& heads, int batch,
                              std::int64_t tokens) {
        return backend->supportsAttention({phase, heads, batch, tokens});
    };
    for (const int headDim : {64, 80, 96, 128, 256, 512}) {
        EXPECT_TRUE(supports(AttentionPhase::Decode, {32, 8, headDim}, 4, 1000)) << headDim;
        EXPECT_TRUE(supports(AttentionPhase::Prefill, {32, 32, headDim}, 1, 1000)) << headDim;
    }
    EXPECT_FALSE(supports(AttentionPhase::Decode, {32, 8, 72}, 1, 1000));
    EXPECT_FALSE(supports(AttentionPhase::Decode, {32, 8, 1024}, 1, 1000));
    EXPECT_FALSE(supports(AttentionPhase::Decode, {32, 12, 128}, 1, 1000)); // no whole groups
    EXPECT_FALSE(supports(AttentionPhase::Decode, {4096, 4096, 128}, 1, maxAttentionTokens)); // memory
    EXPECT_FALSE(supports(AttentionPhase::Prefill, {4096, 8, 128}, 1 << 16, 1 << 20));
    for (const AttentionPhase phase : {AttentionPhase::Decode, AttentionPhase::Prefill}) {
        EXPECT_NE(backend->attentionName(phase).find("(not FlashAttention)"), std::string::npos);
        EXPECT_GT(backend->guessAttentionUs({phase, {32, 8, 128}, 1, 4096}), 5);
        EXPECT_GT(backend->guessAttentionUs({phase, {32, 8, 128}, 1, 4096}),
                  2 * backend->guessAttentionUs({phase, {32, 8, 128}, 1, 1024}));
    }
}

TEST(HostBackend, ChecksAttentionOnTheContextsThatAreTimed) {
    const auto backend = openHostBackend(smallOptions());
    double before = 0;
    for (const std::uint64_t seed : {1U, 2U}) {
        for (const AttentionCall& call : {AttentionCall{AttentionPhase::Decode, {8, 2, 128}, 3, 777},
                                          AttentionCall{AttentionPhase::Prefill, {8, 2, 128}, 2, 131}}) {
            const Result<CheckOutcome> outcome = backend->checkAttention(call, seed);
            ASSERT_TRUE(outcome);
            EXPECT_TRUE(outcome->passed) << textOf(call) << ": " << outcome->what;
            EXPECT_GT(outcome->relativeError, 0);
            EXPECT_NE(outcome->relativeError, before); // other inputs each time
            before = outcome->relativeError;
        }
    }
}

/// 6 MB for each sequence, in a pool of 8: contexts come again, and the pool does not grow.
TEST(HostBackend, TimesMoreSequencesThanItsPoolHolds) {
    const auto backend = openHostBackend(smallOptions());
    const AttentionCall call{AttentionPhase::Decode, {4, 4, 128}, 5, 2999};
    ASSERT_TRUE(backend->supportsAttention(call));
    const auto point = backend->prepareAttention(call, {1, 2});
    ASSERT_TRUE(point);
    const Result<Sample> sample = (*point)->sample();
    ASSERT_TRUE(sample);
    EXPECT_GT(sample->us, 0);
    const auto isolated = (*point)->isolatedUs();
    ASSERT_TRUE(isolated);
    EXPECT_GT(isolated->value_or(0), 0);
    EXPECT_TRUE(backend->checkAttention(call, 7)->passed);
}

TEST(HostBackend, TellsWhereItsFiguresComeFrom) {
    const DeviceInfo info = openHostBackend(smallOptions())->device();
    EXPECT_EQ(info.key, "host");
    EXPECT_FALSE(info.madeUp);
    for (const char* key :
         {"architecture", "processors", "threads", "instruction_set", "compiler", "openblas",
          "virtual_machine", "last_level_cache_bytes", "weights_rotate_over_bytes"}) {
        EXPECT_EQ(info.facts.count(key), 1U) << key;
    }
    EXPECT_FALSE(operatingSystem().empty());
    EXPECT_EQ(info.facts.at("threads"), "2");
    EXPECT_EQ(
        hostDevice({.threads = 3, .int8Activations = false, .rotateBytes = 0, .seed = 1}).facts.at("threads"),
        "3");
}

TEST(HostBackend, MeasuresCeilingsAboveZero) {
    const auto backend = openHostBackend(smallOptions());
    const Result<Facts> ceilings = backend->measureCeilings({});
    ASSERT_TRUE(ceilings);
    for (const char* key : {"read_gb_s", "copy_gb_s", "write_gb_s", "gemm_tflop_s", "empty_call_us"}) {
        ASSERT_EQ(ceilings->count(key), 1U) << key;
        EXPECT_GT(std::stod(ceilings->at(key)), 0) << key;
    }
    EXPECT_GE(std::stod(ceilings->at("read_gb_s")), std::stod(ceilings->at("read_median_gb_s")));
    for (const char* which : {"", "_median"}) { // copying reads half of what it moves
        const auto rate = [&](const char* name) {
            return std::stod(ceilings->at(name + std::string(which) + "_gb_s"));
        };
        EXPECT_GE(rate("read"), rate("copy") / 2 * (1 - 1e-5));
    }
}

TEST(HostBackend, GivesAWholeProfileOfSmallShapes) {
    const auto backend = openHostBackend(smallOptions());
    ModelShapes model;
    model.key = model.name = "small";
    model.gemms = {{.name = "up", .size = {128, 256}},
                   {.name = "expert", .size = {64, 96}, .experts = 4, .expertsPerRow = 2}};
    model.attention = AttentionFacts{.layers = 1, .qHeads = 4, .kvHeads = 2, .headDim = 64};
    Plan plan = makePlan(*backend, model, {2, 4}, Preset::Quick);
    std::erase_if(plan.points, [](const PlannedPoint& point) { return point.spec.rowsM > 128; });
    const auto begin = std::chrono::steady_clock::now();
    const MeasureContext context{
        "1", "2026-01-01T00:00:00Z",
        [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); },
        [](double) {}};
    const Result<Profile> profile = measure(*backend, plan, context, {});
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(static_cast<std::ptrdiff_t>(profile->points.size()),
              std::ranges::count(plan.points, PointRole::Point, &PlannedPoint::role));
    EXPECT_EQ(profile->attention.size(), plan.attention.calls.size());
    EXPECT_FALSE(profile->attention.empty());
    EXPECT_EQ(profile->methodFacts.count("failed_checks"), 0U);
    EXPECT_EQ(cutOf(*profile), "");
    std::set<Kernel> kernels;
    for (const ProfilePoint& point : profile->points) {
        EXPECT_GT(point.timeUs, 0);
        EXPECT_EQ(point.origin, PointOrigin::Measured);
        kernels.insert(point.kernel);
    }
    EXPECT_EQ(kernels.count(Kernel::DequantCublas) + kernels.count(Kernel::GroupedDequant), 2U);
    EXPECT_EQ(profile->methodFacts.at("pairs_timed"), "4"); // M = 128, two k, two shapes
    EXPECT_GT(std::stod(profile->methodFacts.at("pair_over_parts_median")), 0);
}

} // namespace
} // namespace loadline::gpu
