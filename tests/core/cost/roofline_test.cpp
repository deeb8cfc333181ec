// Rooflines by hand, and fits to made-up devices.
#include "core/cost/estimate/roofline.h"

#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace loadline {
namespace {

const Hardware madeUpDevice{
    .key = "made up", .memoryGb = 10, .bandwidthGbS = 1000, .fp16Tflops = 100, .source = "here"};

ProfilePoint timed(Kernel kernel, GemmSize size, std::int64_t rowsM, int kBits, double timeUs) {
    return {.kernel = kernel,
            .size = size,
            .rowsM = rowsM,
            .kBits = kBits,
            .timeUs = timeUs,
            .p25Us = {},
            .p75Us = {},
            .repeatUs = {},
            .flags = {},
            .source = {}};
}

TEST(Roofline, WorkByHand) {
    const KernelWork fp16 = workOf(Kernel::CublasFp16, {.k = 1000, .n = 2000}, 1, 10, fp16Bits);
    EXPECT_DOUBLE_EQ(fp16.bytes, 4e6 + 2 * 10 * 3000);
    EXPECT_DOUBLE_EQ(fp16.flop, 2 * 10 * 2e6);
    const KernelWork mma = workOf(Kernel::GroupedMma, {.k = 1000, .n = 2000}, 8, 1, 4);
    EXPECT_DOUBLE_EQ(mma.bytes, 8 * 2e6 * 4.25 / 8 + 2 * 8 * 3000);
    EXPECT_DOUBLE_EQ(mma.flop, 2 * 8 * 2e6);
    EXPECT_DOUBLE_EQ(workOf(Kernel::Dequantise, {.k = 1000, .n = 2000}, 1, 99, 4).bytes,
                     2e6 * (4.25 / 8 + 2));
}

TEST(Roofline, DefaultByHand) {
    const Roofline roofline = defaultRoofline(madeUpDevice);
    EXPECT_DOUBLE_EQ(roofline.timeUs({.bytes = 8.7e6, .flop = 0}), 5 + 10);
    EXPECT_DOUBLE_EQ(roofline.timeUs({.bytes = 8.7e6, .flop = 7e9}), 5 + 100);
    EXPECT_TRUE(roofline.computeBound({.bytes = 8.7e6, .flop = 7e9}));
    EXPECT_FALSE(roofline.source.empty());
    EXPECT_EQ(roofline.fittedPoints, 0);
}

TEST(Roofline, FitFindsWhatMadeThePoints) {
    Profile profile;
    for (const std::int64_t n : {512, 2048, 8192, 32768}) {
        for (const std::int64_t m : {1, 4, 4096, 8192}) {
            const GemmSize size{.k = 4096, .n = n};
            const KernelWork work = workOf(Kernel::CublasFp16, size, 1, static_cast<double>(m), fp16Bits);
            const double us = 4 + std::max(work.bytes / (0.8 * 1000e3), work.flop / (0.6 * 100e6));
            profile.points.push_back(timed(Kernel::CublasFp16, size, m, fp16Bits, us));
        }
    }
    const Roofline roofline = fitRoofline(madeUpDevice, profile, Kernel::CublasFp16);
    EXPECT_NEAR(roofline.t0Us, 4, 1e-6);
    EXPECT_NEAR(roofline.bandwidthShare, 0.8, 1e-6);
    EXPECT_NEAR(roofline.peakShare, 0.6, 1e-6);
    EXPECT_DOUBLE_EQ(roofline.cachedBytes, 0);
    EXPECT_DOUBLE_EQ(roofline.memoryError, 0.1);
    EXPECT_DOUBLE_EQ(roofline.computeError, 0.1);
    EXPECT_EQ(roofline.fittedPoints, 16);
    EXPECT_EQ(fitRoofline(madeUpDevice, profile, Kernel::Mma), defaultRoofline(madeUpDevice));
}

TEST(Roofline, TimesFasterThanMemoryHoldOnlyForWhatFitsTheCache) {
    Profile profile;
    for (const std::int64_t n : {1000, 2000, 4000}) { // 2 bytes x 1000 x n at twice the bandwidth, and 3 us
        const KernelWork work = workOf(Kernel::CublasFp16, {.k = 1000, .n = n}, 1, 1, fp16Bits);
        profile.points.push_back(
            timed(Kernel::CublasFp16, {.k = 1000, .n = n}, 1, fp16Bits, 3 + work.bytes / (2 * 1000e3)));
    }
    const Roofline roofline = fitRoofline(madeUpDevice, profile, Kernel::CublasFp16);
    const double most = workOf(Kernel::CublasFp16, {.k = 1000, .n = 4000}, 1, 1, fp16Bits).bytes;
    EXPECT_NEAR(roofline.t0Us, 3, 1e-6);
    EXPECT_NEAR(roofline.cachedShare, 2, 1e-6);
    EXPECT_DOUBLE_EQ(roofline.cachedBytes, most);
    EXPECT_NEAR(roofline.memoryUs(most + 8.7e6) - roofline.memoryUs(most), 10, 1e-9);
}

TEST(Roofline, GrowsWithWorkAndIsFiniteWhateverTheFit) {
    for (const Kernel kernel : allKernels) {
        const Roofline roofline = fitRoofline(*findHardware("RTX4090"), test::bundledProfile(), kernel);
        double last = 0;
        for (double rows = 1; rows < 1e7; rows *= 1.7) {
            const double us = roofline.timeUs(workOf(kernel, {.k = 2048, .n = 4096}, 1, rows, 4));
            EXPECT_TRUE(std::isfinite(us)) << keyOf(kernel);
            EXPECT_GE(us, last) << keyOf(kernel) << ' ' << rows;
            last = us;
        }
        EXPECT_GT(roofline.bandwidthShare, 0);
        EXPECT_LE(roofline.bandwidthShare, 1);
        EXPECT_LE(roofline.peakShare, 1);
        EXPECT_GE(roofline.memoryError, 0.1);
    }
}

TEST(Hardware, IsTheSharedTable) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/hardware.json");
    const auto gpus = nlohmann::json::parse(text)["gpus"];
    EXPECT_EQ(gpus.size(), hardwareTable().size());
    for (const auto& [key, gpu] : gpus.items()) {
        const Hardware* known = findHardware(key);
        ASSERT_NE(known, nullptr) << key;
        EXPECT_EQ(known->memoryGb, gpu["mem_gb"].get<double>()) << key;
        EXPECT_EQ(known->bandwidthGbS, gpu["bw_gbs"].get<double>()) << key;
        EXPECT_EQ(known->fp16Tflops, gpu["fp16"].get<double>()) << key;
        EXPECT_FALSE(known->source.empty()) << key;
    }
}

} // namespace
} // namespace loadline
