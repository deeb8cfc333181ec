// Which kernel the rule `fastest` takes in a profile of a model with timings of others beside it.
#include "core/cost/estimate/cost_model.h"
#include "core/cost/figure/kernel_figure.h"
#include "tests/core/cost/timed_points.h"

#include <gtest/gtest.h>

#include <memory>

namespace loadline {
namespace {

constexpr GemmSize fastestSize{.k = 2048, .n = 5120};

/// MMA, dequantise and fp16 as calculated; swap-AB timed by others: slower than MMA from M = 8 on.
Profile mixedProfile(bool unvalidated) {
    Profile profile;
    profile.name = "mixed";
    const auto add = [&](Kernel kernel, std::int64_t rowsM, double us, PointOrigin origin) {
        ProfilePoint point = test::timedPoint(kernel, {fastestSize, 1}, rowsM, us);
        point.origin = origin;
        if (origin == PointOrigin::Modelled && unvalidated) {
            point.flags = {unvalidatedFlag};
        }
        profile.points.push_back(point);
    };
    add(Kernel::Dequantise, 0, 30, PointOrigin::Modelled);
    for (const std::int64_t m : {1, 8, 64}) {
        add(Kernel::CublasFp16, m, 40, PointOrigin::Modelled);
        add(Kernel::Mma, m, m == 1 ? 20 : 10, PointOrigin::Modelled);
        add(Kernel::SwapAb, m, 15, PointOrigin::Published);
    }
    return profile;
}

Kernel servingAt(const Profile& profile, std::int64_t rowsM) {
    CostSetup setup;
    setup.model.key = setup.model.name = "one";
    setup.model.gemms = {{.name = "up", .size = fastestSize}};
    setup.maxRows = 64;
    setup.rule = *findDispatchPreset("fastest");
    const auto table = makeCostTable(KernelTimes(profile, nullptr), setup);
    EXPECT_TRUE(table) << (table ? "" : table.error().sentence());
    return table ? table->services(rowsM).front().kernel : Kernel::Scalar;
}

TEST(FastestRule, TakesTheKernelThatTheKernelsPageCallsTheFastest) {
    const Profile profile = mixedProfile(true);
    EXPECT_EQ(servingAt(profile, 1), Kernel::SwapAb);
    EXPECT_EQ(servingAt(profile, 8), Kernel::Mma);
    EXPECT_EQ(servingAt(profile, 64), Kernel::Mma);
    const KernelFigure figure =
        kernelFigure({std::make_shared<const Profile>(profile), nullptr, {fastestSize, 1}, 4});
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.fastestFirst, Kernel::SwapAb);
    EXPECT_EQ(figure.crossings[0].to, Kernel::Mma);
}

TEST(FastestRule, ATimingStillComesBeforeWhatItsSourceCalculated) {
    EXPECT_EQ(servingAt(mixedProfile(false), 8), Kernel::SwapAb);
}

} // namespace
} // namespace loadline
