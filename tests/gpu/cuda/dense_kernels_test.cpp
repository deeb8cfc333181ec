// The CUDA kernels' own source, run thread by thread on the host, against float64: dense GEMMs and
// dequantising.
#include "tests/gpu/cuda/emulated_kernels.h"

namespace loadline::gpu {
namespace {

template <int Rows>
void checkScalar(std::int64_t k, std::int64_t n, Order order) {
    forEachK([&](auto of) {
        constexpr int bits = decltype(of)::bits;
        const GemmCase gemm = makeGemmCase(bits, k, n, Rows, 1, 100 + bits + Rows);
        PoisonedOutput y(static_cast<std::size_t>(Rows * n));
        ASSERT_EQ((runScalar<bits, Rows>(gemm, y, order)), "");
        EXPECT_EQ(compareGemm(gemm, denseRoutes(Rows), y, fp32SumBound), "")
            << bits << " bits, " << k << " x " << n;
    });
}

TEST(ScalarGemv, MatchesFloat64) {
    checkScalar<1>(32, 3, Order::Rising);    // most threads have no block
    checkScalar<1>(2112, 5, Order::Falling); // two rounds, the second not full
    checkScalar<2>(512, 8, Order::Rising);
    checkScalar<3>(4096, 2, Order::Falling); // every thread two blocks
    checkScalar<4>(96, 17, Order::Rising);
}

template <int RowTiles>
void checkPlaneMma(std::int64_t k, std::int64_t n, int rows, int splits, Order order) {
    forEachK([&](auto of) {
        constexpr int bits = decltype(of)::bits;
        const GemmCase gemm = makeGemmCase(bits, k, n, rows, 1, 200 + bits + static_cast<unsigned>(rows));
        PoisonedOutput y(static_cast<std::size_t>(rows * n));
        ASSERT_EQ((runPlaneMma<bits, RowTiles>(gemm, splits, y, order)), "");
        EXPECT_EQ(compareGemm(gemm, denseRoutes(rows), y, fp16TableBound), "")
            << bits << " bits, " << k << " x " << n << ", M " << rows;
    });
}

TEST(PlaneMma, MatchesFloat64) {
    checkPlaneMma<1>(128, 128, 1, 1, Order::Rising);
    checkPlaneMma<1>(320, 128, 3, 2, Order::Falling);
    checkPlaneMma<1>(96, 200, 8, 2, Order::Rising); // neither K nor N fills its tiles
    checkPlaneMma<2>(256, 128, 17, 4, Order::Falling);
    checkPlaneMma<4>(128, 128, 64, 2, Order::Rising);
}

template <int Tokens, int Stages>
void checkSwapAb(std::int64_t k, std::int64_t n, int rows, int blocks, Order order) {
    forEachK([&](auto of) {
        constexpr int bits = decltype(of)::bits;
        const GemmCase gemm = makeGemmCase(bits, k, n, rows, 1, 300 + bits + static_cast<unsigned>(rows));
        PoisonedOutput y(static_cast<std::size_t>(rows * n));
        ASSERT_EQ((runSwapAb<bits, Tokens, Stages>(gemm, blocks, y, order)), "");
        EXPECT_EQ(compareGemm(gemm, denseRoutes(rows), y, fp16TableBound), "")
            << bits << " bits, " << k << " x " << n << ", M " << rows << ", " << blocks << " blocks";
    });
}

TEST(SwapAb, MatchesFloat64UpToEightRows) {
    checkSwapAb<1, 3>(512, 64, 1, 1, Order::Rising);    // one unit, one step
    checkSwapAb<1, 2>(4160, 192, 3, 2, Order::Falling); // pieces that cut units, a last step not full
    checkSwapAb<1, 4>(2048, 128, 8, 5, Order::Mixed);   // more cuts than units
    checkSwapAb<1, 3>(96, 40, 8, 4, Order::Falling);    // N fills no unit, K no tile; blocks without work
    checkSwapAb<1, 2>(1088, 72, 2, 64, Order::Mixed);   // more blocks than steps
    checkSwapAb<1, 3>(1184, 136, 5, 3, Order::Mixed);   // warps with and without tiles in the last step
}

TEST(SwapAb, MatchesFloat64UpToSixtyFourRows) {
    checkSwapAb<2, 2>(608, 80, 16, 3, Order::Falling);
    checkSwapAb<4, 2>(320, 160, 30, 5, Order::Rising);
    checkSwapAb<2, 4>(1024, 128, 9, 3, Order::Rising);
    checkSwapAb<2, 3>(608, 80, 16, 2, Order::Mixed);
    checkSwapAb<4, 3>(512, 160, 17, 3, Order::Mixed);
    checkSwapAb<8, 3>(320, 272, 64, 3, Order::Falling);
    checkSwapAb<8, 2>(192, 256, 33, 2, Order::Mixed);
}

/// Blocks that share units, in many orders.
TEST(SwapAb, DoesNotDependOnTheOrderOfBlocks) {
    const GemmCase gemm = makeGemmCase(4, 1600, 104, 3, 1, 77);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        PoisonedOutput y(3 * 104);
        ASSERT_EQ((runSwapAb<4, 1, 3>(gemm, 7, y, Order::Mixed, {}, 1, seed)), "");
        EXPECT_EQ(compareGemm(gemm, denseRoutes(3), y, fp16TableBound), "") << "seed " << seed;
    }
}

TEST(Dequantise, IsTheProductRoundedOnce) {
    forEachK([&](auto of) {
        constexpr int bits = decltype(of)::bits;
        for (const std::int64_t n : {1, 40}) {
            const GemmCase gemm = makeGemmCase(bits, 416, n, 1, 1, 400 + bits);
            AlignedVector<std::uint16_t> weights(static_cast<std::size_t>(416 * n), 0x7fff);
            ASSERT_EQ((runDequantise<bits>(gemm, weights, n == 1 ? Order::Rising : Order::Falling)), "");
            const std::vector<float> expected = dequantise(gemm.experts[0]);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                ASSERT_EQ(weights[i], emulate::halfFromDouble(expected[i])) << bits << " bits, weight " << i;
            }
        }
    });
}

/// A block's first unit is found by a multiplication: it is the quotient for every number of steps.
TEST(SwapAbLine, BeginsAtTheUnitThatADivisionGives) {
    constexpr int most = (1 << 30) - 1;
    for (const int steps : {1, 2, 3, 5, 7, 8, 63, 64, 65, 1000, 4095, 16384}) {
        SwapAbArgs args;
        args.k = steps * fragmentK * 8;
        args.n = 64;
        cutSwapAb<SwapAbShape<4, 1, 3>>(args, 1);
        for (const int near : {0, steps, 2 * steps, 1 << 16, 1 << 29, most - steps - 2}) {
            for (int begin = std::max(0, near - 2); begin <= std::min(most, near + steps + 2);
                 begin += 1 + steps / 7) {
                SwapAbLine line = swapAbLine<SwapAbShape<4, 1, 3>>(args, 1);
                ASSERT_EQ(line.steps, steps);
                line.perBlock = begin; // where block 1 begins
                const SwapAbCursor cursor = swapAbCursor(line, 1);
                ASSERT_EQ(cursor.unit, begin / steps) << begin << " in steps of " << steps;
                ASSERT_EQ(cursor.step, begin % steps) << begin << " in steps of " << steps;
            }
        }
    }
}

} // namespace
} // namespace loadline::gpu
