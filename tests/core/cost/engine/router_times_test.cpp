// Times of FP32 routers against the measurements that they come from.
#include "core/cost/engine/router_times.h"

#include "core/base/file/read_file.h"
#include "core/text/parse_number.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

constexpr auto hopper = GpuGeneration::Hopper;
constexpr auto blackwell = GpuGeneration::BlackwellDataCentre;

double fp32Us(GpuGeneration generation, const RouterShape& shape, double rows) {
    return routerTime(generation, RouterArithmetic::Fp32, shape, rows).value_or(RouterTime{}).us;
}

TEST(RouterTimes, areTheMeasuredOnesOnHopper) {
    const auto text =
        readWholeFile(std::string(LOADLINE_TEST_DATA) + "/kernels/h100_router.csv", "the measured routers");
    ASSERT_TRUE(text);
    TraceLines lines(*text);
    ASSERT_TRUE(lines.next());
    CsvRow row;
    int compared = 0;
    while (const auto line = lines.next()) {
        row.split(line->text);
        if (row.at(0) == "bf16") {
            continue;
        }
        const auto arithmetic = row.at(0) == "tf32" ? RouterArithmetic::Tf32 : RouterArithmetic::Fp32;
        const RouterShape shape{.hidden = parseNumber<double>(row.at(1)).value_or(0),
                                .experts = parseNumber<double>(row.at(2)).value_or(0)};
        const auto time = routerTime(hopper, arithmetic, shape, parseNumber<double>(row.at(3)).value_or(0));
        ASSERT_TRUE(time);
        EXPECT_TRUE(time->isOwnShape);
        EXPECT_DOUBLE_EQ(time->us, parseNumber<double>(row.at(4)).value_or(0)) << line->text;
        ++compared;
    }
    EXPECT_EQ(compared, 192);
}

TEST(RouterTimes, areLinearBetweenRowsAndHiddenSizes) {
    EXPECT_DOUBLE_EQ(fp32Us(hopper, {.hidden = 3072, .experts = 256}, 48), (12.53 + 13.378) / 2);
    const RouterShape between{.hidden = 4608, .experts = 256};
    EXPECT_DOUBLE_EQ(fp32Us(hopper, between, 32), (12.53 + 16.437) / 2);
    EXPECT_FALSE(routerTime(hopper, RouterArithmetic::Fp32, between, 32)->isOwnShape);
}

TEST(RouterTimes, areScaledFromTheNearestShapeBeyond) {
    const double first = 5.5603; // hidden 4096, 128 experts, 1 row
    EXPECT_DOUBLE_EQ(fp32Us(hopper, {.hidden = 8192, .experts = 128}, 1024), first + 2 * (39.374 - first));
}

TEST(RouterTimes, areThePublishedOnesOnBlackwell) {
    EXPECT_DOUBLE_EQ(fp32Us(blackwell, {.hidden = 6144, .experts = 256}, 32), 63.2);
    EXPECT_DOUBLE_EQ(fp32Us(blackwell, {.hidden = 3072, .experts = 256}, 32), 31.6);
    // 2 * 8192 * 3072 * 256 / (0.8 * 75e6) us
    EXPECT_NEAR(fp32Us(blackwell, {.hidden = 3072, .experts = 256}, 8192), 214.7, 0.1);
}

TEST(RouterTimes, areUnknownOnOlderGpus) {
    EXPECT_FALSE(
        routerTime(GpuGeneration::Ampere, RouterArithmetic::Fp32, {.hidden = 3072, .experts = 256}, 1));
    EXPECT_FALSE(routerTime(GpuGeneration::Ada, RouterArithmetic::Fp32, {.hidden = 3072, .experts = 256}, 1));
}

} // namespace
} // namespace loadline
