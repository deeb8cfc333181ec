// The head's rows, by hand.
#include "tests/core/simulate/exact_runs.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace loadline {
namespace {

TEST(HeadRows, AreOneRowOfEachSequence) {
    SimulationInputs inputs = withHead(tracedInputs({{0, 100, 3, 0}}));
    inputs.policy.budgetTokens = 64;
    const auto chunked = exact(inputs); // 64, then 36 and a token, then two decodes
    ASSERT_TRUE(chunked);
    const auto tables = tablesOf(inputs);
    const CostTable& table = tables->at(4).table();
    EXPECT_NEAR(chunked->simulatedS, (table.us({64, 1}) + table.us({36, 1}) + 2 * table.us(1)) * 1e-6, 1e-12);
    EXPECT_NEAR(chunked->gemm.us, chunked->simulatedS * 1e6, 1e-6);
    EXPECT_EQ(chunked->rows.head, (std::vector<std::uint64_t>{0, 4}));
    EXPECT_LT(chunked->simulatedS, (table.us(64) + table.us(36) + 2 * table.us(1)) * 1e-6);
    double kernels = 0;
    for (const double us : chunked->gemm.kernelUs) {
        kernels += us;
    }
    EXPECT_NEAR(kernels, chunked->gemm.us, 1e-6);

    // 99 tokens of prefill, whose logits nobody asks for; the last prompt token and three decodes have a row
    // each
    inputs.policy.policy = Policy::Mlx;
    const auto mlx = exact(inputs);
    ASSERT_TRUE(mlx);
    EXPECT_EQ(mlx->rows.head, (std::vector<std::uint64_t>{1, 4}));
    EXPECT_NEAR(mlx->simulatedS, (table.us({99, 0}) + 4 * table.us(1)) * 1e-6, 1e-12);
}

} // namespace
} // namespace loadline
