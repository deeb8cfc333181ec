// The reference designs on GPUs that nobody measured, by counts: scalar GEMV and MMA, dense and over experts.
#include "core/cost/analytic/modelled_time.h"
#include "core/cost/analytic/reference_counts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

constexpr GemmSize upProjectionSize{.k = 4096, .n = 14336};
constexpr int kBitsOfAll[] = {2, 3, 4, 5};

double shareOf(const ModelledTime& time, KernelLimit limit) {
    return time.partUs.at(static_cast<std::size_t>(limit));
}

TEST(ReferenceCounts, AreThereForEveryArchitectureKAndInstance) {
    for (const GpuFacts& gpu : gpuTable()) {
        const int counted = architectureOf(gpu).counted;
        for (const int k : kBitsOfAll) {
            for (const int rows : {1, 2, 3, 4}) {
                ASSERT_NE(scalarLoop(counted, k, rows), nullptr) << counted << k << rows;
                EXPECT_EQ(scalarLoop(counted, k, rows)->rows, rows);
            }
            for (const int rows : {1, 16, 17, 32, 33, 48, 49, 64}) {
                ASSERT_NE(mmaLoop(counted, k, rows), nullptr) << counted << k << rows;
                EXPECT_EQ(mmaLoop(counted, k, rows)->rows, (rows + 15) / 16 * 16);
            }
            EXPECT_EQ(scalarLoop(counted, k, 5), nullptr);
            EXPECT_EQ(mmaLoop(counted, k, 65), nullptr);
        }
        EXPECT_GT(routingLoop(counted).issued, 0);
    }
}

TEST(ReferenceTime, OfScalarIsByHandWhatItIs) {
    // H100, k = 4, M = 1, 8192 x 8192: 8192 blocks of two warps, 63 on the busiest multiprocessor; four turns
    // of 466 instructions and 185 outside. 40 registers leave room for 25 blocks of 64 x 17 bytes under way.
    const auto time = modelledTime(*findGpu("H100"), Kernel::Scalar, {.k = 8192, .n = 8192}, 1, 4);
    ASSERT_TRUE(time);
    EXPECT_EQ(time->blocks, 25);
    EXPECT_NEAR(shareOf(*time, KernelLimit::Issue), 63 * 2 * (4 * 466.0 + 185) / 4 / 0.8 / 1980, 1e-9);
    EXPECT_NEAR(shareOf(*time, KernelLimit::Alu), 63 * 2 * (4 * 254.0 + 33) / 2 / 0.8 / 1980, 1e-9);
    EXPECT_NEAR(shareOf(*time, KernelLimit::InFlight), time->bytes / 132 / (25 * 64 * 17) * 0.6, 1e-9);
    EXPECT_NEAR(shareOf(*time, KernelLimit::Fixed), 1 + (700 + 291 + 6 * 30 + 30) / 1980.0, 1e-9);
    EXPECT_NEAR(time->imbalance, 63 / (8192 / 132.0), 1e-12);
    // Half of a turn's K: as many instructions, half of the bytes under way.
    const auto half = modelledTime(*findGpu("H100"), Kernel::Scalar, {.k = 1024, .n = 8192}, 1, 4);
    EXPECT_NEAR(shareOf(*half, KernelLimit::InFlight), half->bytes / 132 / (25 * 32 * 17) * 0.6, 1e-9);
}

TEST(ReferenceTime, OfMmaIsByHandWhatItIs) {
    // H100, k = 4, M = 16, 8192 x 8192: 128 tiles of 64 columns, K in 5 pieces of at most 26 tiles: 640
    // blocks of four warps, 5 on the busiest multiprocessor. The last block of a piece adds up 16 x 64 sums.
    const auto time = modelledTime(*findGpu("H100"), Kernel::Mma, {.k = 8192, .n = 8192}, 16, 4);
    ASSERT_TRUE(time);
    EXPECT_EQ(time->blocks, 5);
    EXPECT_NEAR(shareOf(*time, KernelLimit::Alu), 5 * 4 * (26 * 281.0 + 345) / 2 / 0.8 / 1980, 1e-9);
    EXPECT_NEAR(shareOf(*time, KernelLimit::Fixed),
                1 + (700 + 3 * 30 + 2 * 30 + (3 + 8) * 291 + 2 * 30) / 1980.0, 1e-9);
    // Of so many columns that no K is cut, nothing is added up in L2.
    const auto wide = modelledTime(*findGpu("H100"), Kernel::Mma, {.k = 4096, .n = 65536}, 16, 4);
    EXPECT_NEAR(shareOf(*wide, KernelLimit::Fixed), 1 + (700 + 3 * 30 + 2 * 30) / 1980.0, 1e-9);
}

/// visit(gpu, k, kernel, experts, most rows)
template <typename Visit>
void eachReference(const Visit& visit) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const int k : kBitsOfAll) {
            for (const double experts : {1, 8, 128}) {
                const bool grouped = experts > 1;
                visit(gpu, k, formOf(Kernel::Scalar, grouped), experts, 4);
                visit(gpu, k, formOf(Kernel::Mma, grouped), experts, 64);
            }
        }
    }
}

TEST(ReferenceTime, MoreRowsAreNeverFasterAndNothingIsAboveTheReadCeiling) {
    for (const GemmSize size : {GemmSize{.k = 512, .n = 2048}, {.k = 2048, .n = 768}, upProjectionSize}) {
        eachReference([&](const GpuFacts& gpu, int k, Kernel kernel, double experts, int most) {
            double before = 0;
            for (int rows = 1; rows <= most; ++rows) {
                const auto time = modelledTime(gpu, kernel, size, rows, k, experts);
                ASSERT_TRUE(time);
                // Another instance is cut otherwise: a piece may be smaller.
                const double least = kernel != Kernel::Scalar && rows % 16 == 1 ? 0.9 : 1;
                EXPECT_GE(time->us, before * least)
                    << gpu.hardware << ' ' << keyOf(kernel) << ' ' << textOf(size) << " k = " << k
                    << " M = " << rows << " experts " << experts;
                EXPECT_LT(time->readShare, 1) << gpu.hardware << ' ' << keyOf(kernel);
                before = time->us;
            }
        });
    }
}

TEST(ReferenceTime, MoreBitsAreNeverFaster) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const auto& [kernel, rows] :
             {std::pair{Kernel::Scalar, 1}, {Kernel::Scalar, 4}, {Kernel::Mma, 1}, {Kernel::Mma, 64}}) {
            double before = 0;
            for (const int k : kBitsOfAll) {
                const double us = modelledTime(gpu, kernel, upProjectionSize, rows, k)->us;
                EXPECT_GE(us, before) << gpu.hardware << ' ' << keyOf(kernel) << " k = " << k;
                before = us;
            }
        }
    }
}

/// What the reference designs are kept to show: on GPUs with HBM instructions bind them, not memory; swap-AB
/// is faster at every M (with GDDR memory may bind all three); of the two, scalar is for few rows, and MMA
/// pays from a few rows on.
TEST(ReferenceTime, TheOrderOfTheKernelsIsPlausible) {
    for (const GpuFacts& gpu : gpuTable()) {
        const bool gddr = architectureOf(gpu).number % 10 == 9 || architectureOf(gpu).number == 120;
        for (const int k : kBitsOfAll) {
            const auto us = [&](Kernel kernel, int rows) {
                return modelledTime(gpu, kernel, upProjectionSize, rows, k)->us;
            };
            const std::string where = std::string(gpu.hardware) + " k = " + std::to_string(k);
            EXPECT_LT(us(Kernel::Scalar, 1), us(Kernel::Mma, 1)) << where;
            // A row more costs the scalar kernel, and nearly nothing the other up to 16; of 188
            // multiprocessors, each with less to do, a little more.
            const double most = gpu.multiprocessors > 170 ? 1.06 : 1.05;
            EXPECT_LT(us(Kernel::Mma, 16), most * us(Kernel::Mma, 1)) << where;
            EXPECT_GT(us(Kernel::Scalar, 4), us(Kernel::Scalar, 1) * (gddr ? 1 : 1.3)) << where;
            for (const int rows : {1, 2, 4}) {
                EXPECT_LT(us(Kernel::SwapAb, rows), (gddr ? 1.05 : 0.7) * us(Kernel::Scalar, rows)) << where;
            }
            for (const int rows : {8, 16, 64}) {
                EXPECT_LT(us(Kernel::SwapAb, rows), (gddr ? 1.05 : 1) * us(Kernel::Mma, rows)) << where;
            }
            if (!gddr) {
                const KernelLimit limit = modelledTime(gpu, Kernel::Scalar, upProjectionSize, 1, k)->limit;
                EXPECT_TRUE(limit == KernelLimit::Issue || limit == KernelLimit::Alu) << where;
            }
        }
    }
}

} // namespace
} // namespace loadline
