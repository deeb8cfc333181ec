// What a figure of kernels claims: never of another kernel, never where nothing was timed.
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/import/import_kernels.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/profile/profile_naming.h"
#include "tests/core/cost/timed_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr TimedShape claimed{{.k = 4096, .n = 28672}, 1};

/// The model of a GPU with a kernel of one's own in the place of swap-AB.
KernelFigure modelWithMarlin(const char* csvKernel = "marlin_v9") {
    KernelNames names;
    names.otherwise = Kernel::SwapAb;
    std::string csv = "kernel,K,N,M,k_bits,time_us\n";
    for (const int m : {1, 8, 16, 32, 64}) {
        csv += std::string(csvKernel) + ",4096,28672," + std::to_string(m) + ",4,30\n";
    }
    const Profile mine = *profileFromKernelCsv(csv, "marlin.csv", names);
    KernelFigureInputs inputs;
    inputs.profile =
        std::make_shared<const Profile>(withKernelsOf(modelledProfile(*findGpu("H100-SXM")), mine));
    inputs.shape = claimed;
    return kernelFigure(inputs);
}

TEST(KernelClaims, OurModelExplainsNoKernelOfAnother) {
    const KernelFigure figure = modelWithMarlin();
    EXPECT_EQ(figure.limits, "");
    EXPECT_THAT(figure.sentence, Not(HasSubstr("What takes longest")));
    EXPECT_THAT(figure.sentence, Not(HasSubstr("No measured GPU was compared")));
    EXPECT_THAT(figure.sentence, HasSubstr("Modelled, unvalidated but for marlin_v9: "));
    EXPECT_THAT(modelWithMarlin("swap_ab").sentence, Not(HasSubstr("What takes longest")))
        << "a file may call its kernel as ours is called";
    KernelFigureInputs ours = figure.inputs;
    ours.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("H100-SXM")));
    EXPECT_THAT(kernelFigure(ours).sentence, HasSubstr("What takes longest in swap-AB MMA: "));
    ours.profile = figure.inputs.profile;
    ours.kBits = 3; // where no point is another's
    EXPECT_THAT(kernelFigure(ours).sentence, HasSubstr("What takes longest in swap-AB MMA: "));
}

TEST(KernelClaims, OfAMixedProfileTheTableNamesTheCodeOfEachPoint) {
    Profile measured;
    measured.device = measured.name = "a device";
    measured.methodFacts["kernels"] = R"({"mma": "our MMA for sm_90"})";
    for (const GemmSize size : {GemmSize{64, 64}, GemmSize{128, 64}}) {
        ProfilePoint point;
        point.kernel = Kernel::Mma;
        point.size = size;
        point.kBits = 4;
        point.timeUs = 5;
        measured.points.push_back(point);
    }
    const Profile both = withKernelsOf(
        measured, *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,5\n", "mine.csv"));
    const Table table = timesTable(
        kernelFigure({std::make_shared<const Profile>(both), nullptr, TimedShape{{.k = 64, .n = 64}, 1}, 4}));
    const auto column = std::ranges::find(table.columns, "kernel_name") - table.columns.begin();
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(std::get<std::string>(table.rows[0].at(static_cast<std::size_t>(column))), "MMA");
    EXPECT_EQ(codeNameOf(both.points[0], both), "our MMA for sm_90");
}

ProfilePoint claimedPoint(Kernel kernel, std::int64_t rowsM, double us) {
    return test::timedPoint(kernel, claimed, rowsM, us);
}

std::string claimsOf(std::vector<ProfilePoint> points, bool cut = true) {
    Profile profile;
    profile.name = "cut run";
    profile.points = std::move(points);
    if (cut) {
        markCut(profile, "stopped by the user");
    }
    return kernelFigure({std::make_shared<const Profile>(profile), nullptr, claimed, 4}).sentence;
}

TEST(KernelClaims, AHeadlineSaysOnlyWhatWasTimed) {
    // k-bit at M = 2 alone, fp16 at 64 and 128 alone: no M has both.
    const std::string apart =
        claimsOf({claimedPoint(Kernel::Mma, 2, 60), claimedPoint(Kernel::CublasFp16, 64, 700),
                  claimedPoint(Kernel::CublasFp16, 128, 900)});
    EXPECT_THAT(apart, Not(HasSubstr("overtakes")));
    EXPECT_THAT(apart, Not(HasSubstr("faster")));
    EXPECT_THAT(apart, Not(HasSubstr("M = 1 ")));
    const std::string alone =
        claimsOf({claimedPoint(Kernel::CublasFp16, 64, 700), claimedPoint(Kernel::CublasFp16, 128, 900)});
    EXPECT_THAT(alone, HasSubstr("fp16 cuBLAS takes 700 \u00b5s at M = 64 on"));
    const std::string once =
        claimsOf({claimedPoint(Kernel::Mma, 1, 60), claimedPoint(Kernel::Mma, 8, 62),
                  claimedPoint(Kernel::Mma, 64, 90), claimedPoint(Kernel::CublasFp16, 8, 700)});
    EXPECT_THAT(once, HasSubstr("At M = 8, the only one at which both were timed, fp16 cuBLAS is not "
                                "faster."));
    const std::string some =
        claimsOf({claimedPoint(Kernel::Mma, 1, 60), claimedPoint(Kernel::Mma, 64, 90),
                  claimedPoint(Kernel::CublasFp16, 8, 700), claimedPoint(Kernel::CublasFp16, 64, 710)});
    EXPECT_THAT(some, HasSubstr("From M = 8 to 64, where both were timed, fp16 cuBLAS is never "
                                "faster."));
    const std::string whole =
        claimsOf({claimedPoint(Kernel::Mma, 1, 60), claimedPoint(Kernel::Mma, 64, 90),
                  claimedPoint(Kernel::CublasFp16, 1, 700), claimedPoint(Kernel::CublasFp16, 64, 710)},
                 false);
    EXPECT_THAT(whole, HasSubstr("From M = 1 to 64, where both were timed, fp16 cuBLAS is never "
                                 "faster."));
}

TEST(KernelClaims, AKernelThatWasNotTimedBelowMayHaveBeenFasterThere) {
    const std::string said =
        claimsOf({claimedPoint(Kernel::Scalar, 1, 60), claimedPoint(Kernel::Scalar, 8, 65),
                  claimedPoint(Kernel::Mma, 4, 30), claimedPoint(Kernel::Mma, 64, 90)});
    EXPECT_THAT(said, HasSubstr("Up to M = 3 scalar GEMV is the fastest k-bit kernel, from 4 MMA (not timed "
                                "below)."));
}

TEST(ProfileLabels, TellRunsOfOneDeviceApart) {
    Profile before;
    before.device = before.name = "AMD EPYC";
    before.date = "2026-11-25T20:41:07Z";
    before.methodFacts["program_revision"] = "\"8a6fcf90bb\"";
    EXPECT_EQ(labelOf(before), "AMD EPYC, 2026-11-25 20:41, 8a6fcf9");
    Profile after = before;
    after.name = "with prefetch";
    EXPECT_EQ(labelOf(after), "with prefetch");
    before.points = {claimedPoint(Kernel::Mma, 1, 50)};
    after.points = {claimedPoint(Kernel::Mma, 1, 25)};
    KernelFigureInputs inputs{std::make_shared<const Profile>(after), std::make_shared<const Profile>(before),
                              claimed, 4};
    const KernelFigure figure = kernelFigure(inputs);
    EXPECT_TRUE(figure.sentence.starts_with(
        "Compared with AMD EPYC, 2026-11-25 20:41, 8a6fcf9, MMA takes 0.5 times as long"))
        << figure.sentence;
    const Table table = timesTable(figure);
    EXPECT_EQ(std::get<std::string>(table.rows.at(0).at(0)), "with prefetch");
    EXPECT_EQ(std::get<std::string>(table.rows.at(1).at(0)), "AMD EPYC, 2026-11-25 20:41, 8a6fcf9");
    inputs.compared = inputs.profile;
    EXPECT_NE(profileLabelIn(kernelFigure(inputs), 0), profileLabelIn(kernelFigure(inputs), 1));
}

} // namespace
} // namespace loadline
