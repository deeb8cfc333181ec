// Checks: a bound for each value, and blocks that go through all of a kernel's loop.
#include "gpu/cuda/cuda_check.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/analytic/swap_ab_time.h"
#include "gpu/cuda/cuda_attention.h"
#include "gpu/cuda/cuda_work.h"
#include "gpu/cuda/kernel/attention_shape.cuh"
#include "gpu/cuda/kernel/swap_ab_shape.cuh"
#include "gpu/host/kernel/half.h"
#include "gpu/host/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace loadline::gpu {
namespace {

constexpr std::int64_t depth = 512;

/// 64 rows of x by 512 rows of W: 32,768 values, and what a right kernel gives.
struct Product {
    Expected expected;
    std::vector<float> values;
};

Product madeUpProduct() {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::vector<double> w(static_cast<std::size_t>(512 * depth));
    std::vector<float> x(static_cast<std::size_t>(64 * depth));
    std::generate(w.begin(), w.end(),
                  [&] { return floatOfHalf(halfOfFloat(static_cast<float>(normal(random)))); });
    std::generate(x.begin(), x.end(),
                  [&] { return floatOfHalf(halfOfFloat(static_cast<float>(normal(random)))); });
    Product product{expectedProduct(w, x, depth), {}};
    for (const double value : product.expected.values) {
        product.values.push_back(floatOfHalf(halfOfFloat(static_cast<float>(value))));
    }
    return product;
}

TEST(CheckBounds, OneWrongValueOf32768DoesNotPass) {
    Product product = madeUpProduct();
    ASSERT_EQ(product.values.size(), 32768U);
    ASSERT_TRUE(outcomeOf(product.values, product.expected).passed);
    const double ofOne = std::sqrt(static_cast<double>(depth)); // how large a value is
    int underTheNorm = 0;
    for (std::size_t i = 5; i < product.values.size(); i += 97) {
        const float right = product.values[i];
        if (std::abs(right) < 0.01 * ofOne) {
            continue; // a flipped sign is hardly wrong
        }
        product.values[i] = -right;
        const CheckOutcome outcome = outcomeOf(product.values, product.expected);
        EXPECT_FALSE(outcome.passed) << "value " << i << " is " << right;
        underTheNorm += relativeError(product.values, product.expected.values) < 2e-3 ? 1 : 0;
        product.values[i] = right;
    }
    EXPECT_GT(underTheNorm, 10) << "the norm of all of them does not see these";
    EXPECT_TRUE(outcomeOf(product.values, product.expected).passed);
}

TEST(CheckBounds, SaysWhichValueIsWrong) {
    Product product = madeUpProduct();
    const auto largest = std::max_element(product.values.begin(), product.values.end());
    *largest *= 0.99F;
    const CheckOutcome outcome = outcomeOf(product.values, product.expected);
    EXPECT_FALSE(outcome.passed);
    const std::string place = "value " + std::to_string(largest - product.values.begin()) + " is";
    EXPECT_NE(outcome.what.find("1 of 32768 values"), std::string::npos) << outcome.what;
    EXPECT_NE(outcome.what.find(place), std::string::npos) << outcome.what;
}

TEST(CheckBounds, RoundingToFp16IsAllowed) {
    const std::vector<double> weights = {1, -0.333333333, 3.1e-5, 1e-7, 0};
    const Expected expected = expectedWeights(weights);
    std::vector<float> values;
    for (const double value : weights) {
        values.push_back(floatOfHalf(halfOfFloat(static_cast<float>(value))));
    }
    EXPECT_TRUE(outcomeOf(values, expected).passed);
    values[1] *= 1.001F; // one step of fp16
    EXPECT_FALSE(outcomeOf(values, expected).passed);
}

TEST(CheckBounds, OneWrongValueOfAttentionDoesNotPass) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    std::vector<double> right(64 * 128);
    std::generate(right.begin(), right.end(), [&] { return 0.02 * normal(random); });
    const Expected expected = expectedAttention(right, 128);
    std::vector<float> values(right.begin(), right.end());
    ASSERT_TRUE(outcomeOf(values, expected).passed);
    values[700] += 0.002F; // a tenth of what values are
    EXPECT_FALSE(outcomeOf(values, expected).passed);
}

/// How the blocks of a launch cut the line of steps, walked as the kernel walks it.
struct Walk {
    std::int64_t fewest = 0; ///< steps of a block
    bool changes = false;    ///< a block changes its unit
    bool shares = false;     ///< a unit is shared by blocks
};

template <int Tokens>
Walk walkOf(const PointSpec& spec, int blocks) {
    using Shape = SwapAbShape<2, Tokens, 2>; // of another k or depth, the same line
    SwapAbArgs args;
    args.k = static_cast<int>(spec.size.k);
    args.n = static_cast<int>(spec.size.n);
    const int groups = spec.experts;
    Groups groupsOfAll;
    groupsOfAll.count = isGrouped(spec.kernel) ? &groups : nullptr;
    args.groups = groupsOfAll;
    cutSwapAb<Shape>(args, blocks);
    const SwapAbLine line = swapAbLine<Shape>(args, blocks);
    Walk walk{std::int64_t{1} << 40, false, false};
    for (int block = 0; block < blocks; ++block) {
        SwapAbCursor cursor = swapAbCursor(line, block);
        walk.fewest = std::min<std::int64_t>(walk.fewest, cursor.left);
        for (int units = 0; cursor.left > 0; ++units) {
            walk.changes = walk.changes || units > 0;
            walk.shares = walk.shares || cursor.steps(line) < line.steps;
            cursor.toNextUnit(line);
        }
    }
    return walk;
}

Walk walkOf(const PointSpec& spec, int blocks) {
    return spec.rowsM <= 8    ? walkOf<1>(spec, blocks)
           : spec.rowsM <= 16 ? walkOf<2>(spec, blocks)
           : spec.rowsM <= 32 ? walkOf<4>(spec, blocks)
                              : walkOf<8>(spec, blocks);
}

/// Matrices of models, and those that are checked under compute-sanitizer and by emulation
/// (on_device_test.cpp, checks_test.cpp).
const std::vector<GemmSize> checkedSizes = {
    {.k = 1568, .n = 328},   {.k = 1056, .n = 264},  {.k = 2048, .n = 5120},  {.k = 4096, .n = 4096},
    {.k = 4096, .n = 14336}, {.k = 8192, .n = 8192}, {.k = 14336, .n = 4096}, {.k = 28672, .n = 8192},
};

TEST(CheckBlocks, SwapAbGoesTwiceThroughItsRingAndChangesUnit) {
    for (const GemmSize& size : checkedSizes) {
        for (const int bits : {2, 3, 4, 5}) {
            for (const std::int64_t m : {1, 8, 9, 16, 17, 32, 33, 64}) {
                for (const Kernel kernel : {Kernel::SwapAb, Kernel::GroupedSwapAb}) {
                    const PointSpec spec = checkable({.kernel = kernel,
                                                      .size = size,
                                                      .experts = isGrouped(kernel) ? 8 : 1,
                                                      .rowsM = m,
                                                      .kBits = bits});
                    const Walk walk = walkOf(spec, checkBlocks(spec));
                    SCOPED_TRACE(textOf(size) + ", k = " + std::to_string(bits) +
                                 ", M = " + std::to_string(m));
                    EXPECT_TRUE(walk.changes);
                    for (const int number : {80, 89, 90, 100, 120}) { // of both depths what it launches
                        GpuArchitecture architecture;
                        for (const GpuFacts& gpu : gpuTable()) {
                            architecture = gpu.architecture == number ? architectureOf(gpu) : architecture;
                        }
                        ASSERT_EQ(architecture.number, number);
                        const int stages =
                            swapAbResidence(architecture, *swapAbTile(bits, static_cast<double>(m))).stages;
                        EXPECT_GE(stages, 2);
                        EXPECT_GE(walk.fewest, 2 * stages + 1) << number;
                    }
                }
            }
        }
    }
}

/// Before, a check had as many blocks as steps: none went through its ring.
TEST(CheckBlocks, AllTheDevicesBlocksWouldDoOneStepEach) {
    const PointSpec spec =
        checkable({.kernel = Kernel::SwapAb, .size = {4096, 4096}, .rowsM = 8, .kBits = 4});
    const SwapAbSteps steps = swapAbSteps(spec.size.k, spec.size.n, 1);
    const auto all = static_cast<int>(steps.units * steps.ofUnit);
    EXPECT_LT(all, 132) << "fewer than an H100 has multiprocessors";
    EXPECT_EQ(walkOf(spec, all).fewest, 1);
    EXPECT_GT(checkBlocks(spec), 1) << "and still blocks share their sums";
    EXPECT_TRUE(walkOf(spec, checkBlocks(spec)).shares);
}

TEST(CheckBlocks, OneBlockWhereThereAreFewSteps) {
    EXPECT_EQ(checkBlocks({.kernel = Kernel::SwapAb, .size = {32, 8}, .rowsM = 1, .kBits = 2}), 1);
    EXPECT_EQ(checkBlocks({.kernel = Kernel::Scalar, .size = {4096, 256}, .rowsM = 1, .kBits = 2}), 0);
}

TEST(CheckBlocks, TheOtherDesignsGoTwiceThroughTheirStages) {
    for (const GemmSize& size : checkedSizes) {
        for (const int m : {1, 16, 17, 64}) {
            const PointSpec spec = checkable({.kernel = Kernel::Mma, .size = size, .rowsM = m, .kBits = 3});
            const std::int64_t columns = tilesOf(spec.size.n, planesTileN) * (m <= 16 ? 2 : 1);
            const std::int64_t splits = checkBlocks(spec) / columns;
            EXPECT_GT(splits, 1);
            EXPECT_GE(tilesOf(spec.size.k, planesTileK) / splits, 5);
        }
    }
    const AttentionCall decode{AttentionPhase::Decode, {40, 2, 128}, 2, 4097};
    const std::int64_t splits = checkBlocks(decode) / (2 * 2 * 2); // sequences, KV heads, tiles of 16 heads
    EXPECT_GT(splits, 1);
    EXPECT_GE(tilesOf(decode.keys(), attentionTile) / splits, 5);
    EXPECT_EQ(checkBlocks(AttentionCall{AttentionPhase::Decode, {4, 2, 64}, 2, 63}), 0);
    EXPECT_EQ(checkBlocks(AttentionCall{AttentionPhase::Prefill, {4, 2, 64}, 2, 640}), 0);
}

} // namespace
} // namespace loadline::gpu
