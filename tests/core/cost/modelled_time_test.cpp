// The model of our kernels on GPUs that nobody measured: its parts, its limits, and that it never looks
// measured.
#include "core/cost/analytic/kernel_counts.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/analytic/modelled_words.h"
#include "core/cost/device/hardware.h"
#include "core/cost/estimate/roofline.h"
#include "core/cost/estimate/served_time.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/profile/profile_place.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace loadline {
namespace {

constexpr GemmSize gateup{.k = 4096, .n = 14336};
constexpr GemmSize sizes[] = {
    {.k = 512, .n = 2048}, {.k = 2048, .n = 5120}, gateup, {.k = 8192, .n = 8192}, {.k = 14336, .n = 4096}};
constexpr int allKBits[] = {2, 3, 4, 5};

double partOf(const ModelledTime& time, KernelLimit limit) {
    return time.partUs.at(static_cast<std::size_t>(limit));
}

/// visit(gpu, kernel, size, rows, k, time) for every time that is modelled.
template <typename Visit>
void eachTime(const Visit& visit) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const GemmSize size : sizes) {
            for (const int k : allKBits) {
                for (const Kernel kernel :
                     {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::Dequantise, Kernel::CublasFp16}) {
                    for (const int rows : {1, 4, 8, 9, 16, 17, 33, 64}) {
                        if (rows > designedRows(kernel)) {
                            continue;
                        }
                        const int bits = readsKBits(kernel) ? k : fp16Bits;
                        const auto time = modelledTime(gpu, kernel, size, rows, bits);
                        ASSERT_TRUE(time) << gpu.hardware;
                        visit(gpu, kernel, size, rows, bits, *time);
                    }
                }
            }
        }
    }
}

TEST(GpuTable, HasEveryNvidiaGpuOfTheHardwareTable) {
    for (const Hardware& hardware : hardwareTable()) {
        const bool isApple = hardware.key.starts_with("M3") || hardware.key.starts_with("M4");
        const GpuFacts* const gpu = findGpu(hardware.key);
        ASSERT_EQ(gpu != nullptr, !isApple) << hardware.key;
        if (gpu != nullptr) {
            EXPECT_FALSE(gpu->source.empty() || architectureOf(*gpu).source.empty()) << hardware.key;
            const std::size_t number = hardware.key.find_first_of("0123456789");
            EXPECT_EQ(findGpu(hardware.key.substr(0, hardware.key.find('-', number))), gpu)
                << "by its first words";
        }
    }
    EXPECT_EQ(findGpu("Abacus"), nullptr);
    EXPECT_EQ(findGpu("RTX"), nullptr) << "of several GPUs";
}

TEST(GpuTable, HasEveryNvidiaGpuOfTheSharedTable) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/hardware.json");
    const auto gpus = nlohmann::json::parse(text)["gpus"];
    for (const auto& [key, gpu] : gpus.items()) {
        EXPECT_EQ(findGpu(key) != nullptr, !key.starts_with('M')) << key;
    }
}

TEST(GpuTable, RatesFollowFromMultiprocessorsAndClock) {
    // The tensor cores' operations a clock and multiprocessor are a power of two, within the clocks' doubt.
    for (const GpuFacts& gpu : gpuTable()) {
        const double perClock =
            findHardware(gpu.hardware)->fp16Tflops * 1e12 / (gpu.multiprocessors * gpu.clockMhz * 1e6) / 2;
        const double power = std::exp2(std::round(std::log2(perClock)));
        EXPECT_NEAR(perClock / power, 1, 0.12) << gpu.hardware;
    }
}

TEST(KernelCounts, AreThereForEveryArchitectureKAndInstance) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const int k : allKBits) {
            for (const int rows : {1, 8, 9, 16, 17, 32, 33, 64}) {
                const SwapAbLoop* const loop = swapAbLoop(architectureOf(gpu).counted, k, rows);
                ASSERT_NE(loop, nullptr) << gpu.hardware << k << rows;
                EXPECT_GE(loop->tileRows, rows);
                EXPECT_LT(loop->alu, loop->issued);
                ASSERT_NE(swapAbTile(k, rows), nullptr);
                EXPECT_EQ(swapAbTile(k, rows)->tileRows, loop->tileRows);
            }
            EXPECT_NE(dequantiseWarp(architectureOf(gpu).counted, k), nullptr);
        }
    }
    EXPECT_EQ(swapAbLoop(90, 4, 65), nullptr);
}

TEST(ModelledTime, IsByHandWhatItIs) {
    // H100, k = 4, 8192 x 8192: 128 units of 16 steps over 264 blocks: 8 steps at most, two blocks a
    // multiprocessor, eight warps: 128 turns of 104 wavefronts. Eight steps that begin anywhere touch 1 +
    // 7/16 units: 7/16 ends of 104 instructions more than one, of 16 warps.
    const auto time = modelledTime(*findGpu("H100"), Kernel::SwapAb, {.k = 8192, .n = 8192}, 1, 4);
    ASSERT_TRUE(time);
    EXPECT_EQ(time->blocks, 2);
    EXPECT_NEAR(partOf(*time, KernelLimit::Shared), 128 * 104 / 0.8 / 1980, 1e-9);
    EXPECT_NEAR(partOf(*time, KernelLimit::Issue), (128.0 * 251 + 16 * 7.0 / 16 * 104) / 4 / 0.8 / 1980,
                1e-9);
    EXPECT_NEAR(partOf(*time, KernelLimit::Alu), 128.0 * 108 / 2 / 0.8 / 1980, 1e-9);
    const double bytes = 8192.0 * 8192 * 4.25 / 8 + 2 * 2 * 8192;
    EXPECT_NEAR(partOf(*time, KernelLimit::Memory), bytes / (3350e3 * 0.87), 1e-9);
    EXPECT_NEAR(time->readShare, bytes / (3350e3 * 0.91) / time->us, 1e-12);
    EXPECT_NEAR(time->imbalance, 16 / (2048.0 / 132), 1e-12);
    EXPECT_EQ(time->limit, KernelLimit::Memory);
    // fp16 is the default roofline.
    const auto fp16 = modelledTime(*findGpu("H100"), Kernel::CublasFp16, gateup, 1, fp16Bits);
    EXPECT_NEAR(
        fp16->us,
        defaultRoofline(*findHardware("H100-SXM")).timeUs(workOf(Kernel::CublasFp16, gateup, 1, 1, fp16Bits)),
        1e-9);
}

TEST(ModelledTime, IsFixedPartsAndTheLongestOfTheOthers) {
    eachTime(
        [](const GpuFacts& gpu, Kernel kernel, GemmSize size, double rows, int k, const ModelledTime& time) {
            const double fixed = partOf(time, KernelLimit::Fixed);
            double longest = 0;
            for (std::size_t i = 0; i < kernelLimitCount; ++i) {
                EXPECT_GE(time.partUs.at(i), 0);
                longest = i == static_cast<std::size_t>(KernelLimit::Fixed)
                              ? longest
                              : std::max(longest, time.partUs.at(i));
            }
            EXPECT_DOUBLE_EQ(time.us, fixed + longest)
                << gpu.hardware << keyOf(kernel) << textOf(size) << rows << k;
            EXPECT_DOUBLE_EQ(partOf(time, time.limit), std::max(fixed, longest));
        });
}

TEST(ModelledTime, IsNeverFasterThanItsBytesAtTheBandwidth) {
    eachTime(
        [](const GpuFacts& gpu, Kernel kernel, GemmSize size, double rows, int k, const ModelledTime& time) {
            const double rowsOf = kernel == Kernel::Dequantise ? 0 : rows;
            const double bytes = workOf(kernel, size, 1, rowsOf, k).bytes;
            EXPECT_GE(time.us, bytes / (findHardware(gpu.hardware)->bandwidthGbS * 1e3)) << gpu.hardware;
            EXPECT_GT(time.readShare, 0);
            EXPECT_LT(time.readShare, 1) << gpu.hardware << keyOf(kernel);
        });
}

TEST(ModelledTime, GrowsWithRowsAndWithBytes) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const int k : allKBits) {
            double before = 0;
            for (int rows = 1; rows <= 64; ++rows) {
                const double us = modelledTime(gpu, Kernel::SwapAb, gateup, rows, k)->us;
                const bool other =
                    rows == 9 || rows == 17 || rows == 33; // cut otherwise: a piece may be smaller
                EXPECT_GE(us, before * (other ? 0.98 : 1)) << gpu.hardware << " k = " << k << " M = " << rows;
                before = us;
            }
            for (const int rows : {1, 16, 64}) {
                double smaller = 0;
                for (std::int64_t n = 256; n <= 65536; n *= 2) {
                    const double us = modelledTime(gpu, Kernel::SwapAb, {.k = 4096, .n = n}, rows, k)->us;
                    EXPECT_GE(us, smaller) << gpu.hardware << " N = " << n;
                    smaller = us;
                }
            }
        }
    }
}

TEST(ModelledTime, L2ServesEveryUnitItsRowsOfX) {
    constexpr GemmSize square{.k = 8192, .n = 8192};
    const double weights = 8192.0 * 8192 * 4.25 / 8;
    for (const int rows : {1, 8}) { // 128 units of 64 rows of weights
        const auto time = modelledTime(*findGpu("H100"), Kernel::SwapAb, square, rows, 4);
        const double bytes = weights + 128.0 * rows * 2 * 8192 + rows * 2.0 * 8192;
        EXPECT_NEAR(partOf(*time, KernelLimit::Cache), bytes / 5120 / 0.8 / 1980, 1e-9);
    }
    EXPECT_NEAR(128.0 * 8 * 2 * 8192 / 1e6, 16.8, 0.1) << "MB of x at M = 8";
    // At 64 rows a unit is 256 rows of weights; each of eight experts has its own x.
    const auto many = modelledTime(*findGpu("A100"), Kernel::GroupedSwapAb, square, 64, 4, 8);
    const double each = weights + 32.0 * 64 * 2 * 8192 + 64 * 2.0 * 8192;
    EXPECT_NEAR(partOf(*many, KernelLimit::Cache), 8 * each / 5120 / 0.8 / 1410, 1e-6);
    // No source gives the bandwidth of these.
    for (const char* gpu : {"RTX4090", "L40S", "B200", "RTX5090"}) {
        EXPECT_EQ(partOf(*modelledTime(*findGpu(gpu), Kernel::SwapAb, square, 8, 4), KernelLimit::Cache), 0);
    }
}

TEST(ModelledTime, MoreBandwidthHelpsOnlyWhereMemoryTakesLongest) {
    // The H200 is the H100 with faster memory.
    const auto at = [](const char* gpu, int k, double rows) {
        return *modelledTime(*findGpu(gpu), Kernel::SwapAb, gateup, rows, k);
    };
    EXPECT_EQ(at("H100", 4, 1).limit, KernelLimit::Memory);
    EXPECT_LT(at("H200", 4, 1).us, at("H100", 4, 1).us);
    EXPECT_EQ(at("H100", 2, 1).limit, KernelLimit::Alu);
    EXPECT_DOUBLE_EQ(at("H200", 2, 1).us, at("H100", 2, 1).us);
    EXPECT_EQ(at("B200", 4, 1).limit, KernelLimit::Shared);
    EXPECT_EQ(at("RTX4090", 4, 64).limit, KernelLimit::Tensor);
    EXPECT_EQ(at("RTX4090", 4, 1).blocks, 1); // 100 KB of shared memory hold one block of k = 4
    EXPECT_EQ(at("RTX4090", 2, 1).blocks, 2);
}

TEST(ModelledTime, IsNotOfferedWhereNothingIsCounted) {
    const GpuFacts& gpu = *findGpu("B200");
    for (const Kernel kernel : {Kernel::BatchedFp16, Kernel::DequantCublas, Kernel::GroupedDequant}) {
        EXPECT_FALSE(modelledTime(gpu, kernel, gateup, 1, 4)) << keyOf(kernel);
    }
    EXPECT_FALSE(modelledTime(gpu, Kernel::SwapAb, gateup, 65, 4));
    EXPECT_FALSE(modelledTime(gpu, Kernel::GroupedSwapAb, gateup, 65, 4, 8));
    EXPECT_FALSE(modelledTime(gpu, Kernel::Mma, gateup, 65, 4));
    EXPECT_FALSE(modelledTime(gpu, Kernel::Scalar, gateup, 5, 4));
}

TEST(ModelledTime, SaysWhatTakesLongest) {
    EXPECT_EQ(limitsText(*findGpu("B200"), gateup, 1, 4), "shared memory up to M = 64");
    EXPECT_EQ(limitsText(*findGpu("RTX4090"), gateup, 1, 4),
              "memory up to M = 32, the tensor cores up to 64");
    const auto time = modelledTime(*findGpu("B200"), Kernel::SwapAb, gateup, 1, 4);
    const std::string parts = partsText(*time);
    EXPECT_TRUE(parts.starts_with("launch and latencies ")) << parts;
    EXPECT_LT(parts.find("shared memory"), parts.find("memory 4")) << "the longest first: " << parts;
}

TEST(ModelledProfile, NeverLooksMeasured) {
    const Profile profile = modelledProfile(*findGpu("B200"));
    EXPECT_EQ(profile.name, "Model of B200-HGX, unvalidated");
    EXPECT_TRUE(isUnvalidated(profile));
    EXPECT_FALSE(isMeasuredHere(profile, {.machine = "00000000", .processor = profile.device}));
    EXPECT_EQ(seenFrom(profile, {}), profile);
    for (const ProfilePoint& point : profile.points) {
        EXPECT_EQ(point.origin, PointOrigin::Modelled);
        EXPECT_EQ(relativeErrorOf(point), 0);
        EXPECT_EQ(point.samples, 0);
    }
    const std::vector<std::string> lines = provenanceLines(profile);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].starts_with("modelled: ")) << lines[0];
    EXPECT_NE(lines[0].find("unvalidated: no measured GPU compared"), std::string::npos) << lines[0];
    const auto again = profileFromJson(toJson(profile), "model.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, profile);
}

TEST(ModelledProfile, HasNoErrorBarAnywhere) {
    const Profile profile = modelledProfile(*findGpu("H100"));
    const KernelTimes times(profile, nullptr);
    const auto errorOf = [&](Kernel kernel, GemmSize size, double rows) {
        const auto time = servedTime(times, kernel, size, 1, rows, 4);
        return time ? time->sum().relativeError : -1;
    };
    constexpr GemmSize qkv{.k = 4096, .n = 6144}; // of a preset
    EXPECT_EQ(errorOf(Kernel::SwapAb, qkv, 8), 0);
    EXPECT_EQ(errorOf(Kernel::SwapAb, qkv, 5), 0);                    // between points
    EXPECT_EQ(errorOf(Kernel::SwapAb, {.k = 4096, .n = 6000}, 1), 0); // another shape
    EXPECT_EQ(errorOf(Kernel::DequantCublas, qkv, 300), 0);           // a pair
    EXPECT_EQ(servedTime(times, Kernel::DequantCublas, qkv, 1, 300, 4)->sum().origin, PointOrigin::Modelled);
    Profile measured = profile;
    for (ProfilePoint& point : measured.points) {
        point.flags.clear();
    }
    EXPECT_GT(KernelTimes(measured, nullptr).time(Kernel::SwapAb, qkv, 1, 8, 4)->relativeError, 0);
}

/// What a dispatch rule names on a GPU that nobody measured.
TEST(ModelledProfile, HasTheReferenceDesignsAndExperts) {
    const Profile profile = modelledProfile(*findGpu("H200"));
    const std::vector<Kernel> kernels = kernelsIn(profile, 3);
    for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::GroupedScalar,
                                Kernel::GroupedMma, Kernel::GroupedSwapAb}) {
        EXPECT_NE(std::ranges::find(kernels, kernel), kernels.end()) << keyOf(kernel);
    }
    EXPECT_EQ(std::ranges::find(kernels, Kernel::BatchedFp16), kernels.end());
    for (const ProfilePoint& point : profile.points) {
        EXPECT_TRUE(isGrouped(point.kernel) ? point.experts > 1
                                            : point.experts == 1 || point.kernel == Kernel::Dequantise);
    }
    const KernelTimes times(profile, nullptr);
    constexpr GemmSize ofExpert{.k = 2048, .n = 512}; // of a preset: 8 of 512
    const auto few = times.time(Kernel::GroupedSwapAb, ofExpert, 8, 1, 4);
    const auto all = times.time(Kernel::GroupedSwapAb, ofExpert, 512, 1, 4);
    ASSERT_TRUE(few && all);
    EXPECT_EQ(few->kind, EstimateKind::AtPoint);
    EXPECT_GT(all->us, 8 * few->us);
    // Times of MMA are steps of 16 rows.
    EXPECT_EQ(times.time(Kernel::Mma, {.k = 4096, .n = 6144}, 1, 17, 4)->us,
              times.time(Kernel::Mma, {.k = 4096, .n = 6144}, 1, 32, 4)->us);
}

TEST(ModelledProfile, OfExpertsTheFigureSaysWhatTakesLongest) {
    KernelFigureInputs inputs;
    inputs.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("B200")));
    inputs.shape = {{.k = 2048, .n = 512}, 512};
    EXPECT_NE(kernelFigure(inputs).sentence.find("What takes longest in grouped swap-AB MMA: shared memory"),
              std::string::npos)
        << kernelFigure(inputs).sentence;
}

TEST(ModelledProfile, TheFigureSaysSoAndWhatTakesLongest) {
    KernelFigureInputs inputs;
    inputs.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("B200")));
    inputs.shape = {{.k = 4096, .n = 28672}, 1};
    const KernelFigure figure = kernelFigure(inputs);
    EXPECT_TRUE(figure.sentence.starts_with("Modelled, unvalidated: ")) << figure.sentence;
    EXPECT_NE(figure.sentence.find("What takes longest in swap-AB MMA: shared memory"), std::string::npos)
        << figure.sentence;
    EXPECT_EQ(figure.sentence.find("timed"), std::string::npos) << figure.sentence;
    EXPECT_TRUE(figure.againstModel.empty());
    ASSERT_FALSE(figure.curves.empty());
    for (const KernelMark& mark : figure.curves.front().marks) {
        EXPECT_EQ(mark.low, mark.us);
        EXPECT_EQ(mark.high, mark.us);
    }
}

TEST(ModelledProfile, StandsBesideAMeasuredOneOfTheSameGpu) {
    Profile measured = modelledProfile(*findGpu("RTX4090"));
    measured.source.clear(); // as if this program had measured it, a quarter slower than modelled
    for (ProfilePoint& point : measured.points) {
        point.origin = PointOrigin::Measured;
        point.flags.clear();
        point.timeUs *= 1.25;
    }
    const std::vector<AgainstModel> ratios = againstModel(measured, {.k = 4096, .n = 28672}, 1, 4);
    ASSERT_EQ(ratios.size(), 5U);
    for (const AgainstModel& one : ratios) {
        EXPECT_NEAR(one.ratio, 1.25, 1e-9) << keyOf(one.kernel);
        EXPECT_GT(one.points, 0);
    }
    KernelFigureInputs inputs;
    inputs.profile = std::make_shared<const Profile>(measured);
    inputs.shape = {{.k = 4096, .n = 28672}, 1};
    EXPECT_NE(kernelFigure(inputs).sentence.find(
                  "Measured over modelled (medians): fp16 cuBLAS 1.25, scalar GEMV 1.25, MMA 1.25, swap-AB "
                  "MMA 1.25, dequantise 1.25"),
              std::string::npos)
        << kernelFigure(inputs).sentence;
    // Others' kernels are not ours, and of an unknown GPU there is no model.
    EXPECT_TRUE(againstModel(test::bundledProfile(), {.k = 2048, .n = 5120}, 1, 4).empty());
    measured.hardware.clear();
    EXPECT_TRUE(againstModel(measured, {.k = 4096, .n = 28672}, 1, 4).empty());
}

} // namespace
} // namespace loadline
