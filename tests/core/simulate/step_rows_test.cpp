// Rows of steps: quantiles of the histograms.
#include "core/simulate/answer/step_rows.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(StepRows, OfAllAndOfThoseThatOnlyDecode) {
    RowsHistogram rows;
    rows.steps = {0, 50, 0, 40, 0, 0, 0, 0, 0, 0, 0, 11};
    rows.decodeOnly = {0, 50, 0, 1};
    const StepRows found = stepRowsOf(rows);
    EXPECT_EQ(found.all,
              (Quantiles{.n = 101, .mean = (50 + 120 + 121) / 101.0, .p50 = 3, .p90 = 11, .p99 = 11}));
    EXPECT_EQ(found.decodeOnly.n, 51U);
    EXPECT_DOUBLE_EQ(found.decodeOnly.mean, 53.0 / 51);
    EXPECT_EQ(found.decodeOnly.p90, 1);
    EXPECT_EQ(stepRowsOf({}), StepRows());
}

} // namespace
} // namespace loadline
