// How far kernels serve: by times, by what they are built for, and what is left of rules.
#include "core/cost/kernel/dispatch_reach.h"

#include "core/cost/estimate/cost_model.h"
#include "core/cost/import/import_kernels.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/cost/profile/profile_reach.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

std::int64_t reachOf(const KernelReaches& reaches, Kernel kernel) {
    return reaches.at(static_cast<std::size_t>(kernel)).rowsM;
}

DispatchRule ruleOf(const char* text) {
    return *dispatchRuleFromText(text);
}

/// A device with known rooflines, one size, and these times.
Profile profileOf(const std::string& rows) {
    Profile profile = *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\n" + rows, "made.csv");
    profile.hardware = "RTX4090";
    profile.source = "a test";
    for (ProfilePoint& point : profile.points) {
        point.source.clear(); // as if this program had measured them
    }
    return profile;
}

CostSetup oneGemm(const char* rule, std::int64_t maxRows = 600) {
    CostSetup setup;
    setup.model = {"one", "One", "a test", {{.name = "up", .size = {2048, 2048}}}, std::nullopt};
    setup.rule = ruleOf(rule);
    setup.maxRows = maxRows;
    return setup;
}

constexpr const char* allKinds = "scalar,2048,2048,1,4,5\nscalar,2048,2048,4,4,6\n"
                                 "mma,2048,2048,1,4,9\nmma,2048,2048,128,4,20\n"
                                 "dequantise,2048,2048,0,4,10\n"
                                 "cublas_fp16,2048,2048,1,,12\ncublas_fp16,2048,2048,16,,13\n";

TEST(KernelReach, IsWhatWasTimedOrWhatTheKernelIsBuiltFor) {
    const KernelReaches built = reachesOf(nullptr);
    EXPECT_EQ(reachOf(built, Kernel::Scalar), 4);
    EXPECT_EQ(reachOf(built, Kernel::Mma), 64);
    EXPECT_EQ(reachOf(built, Kernel::GroupedSwapAb), 64);
    for (const Kernel kernel : {Kernel::CublasFp16, Kernel::Dequantise, Kernel::DequantCublas,
                                Kernel::BatchedFp16, Kernel::GroupedDequant}) {
        EXPECT_EQ(reachOf(built, kernel), unboundedM) << keyOf(kernel);
    }
    const KernelReaches published = reachesOf(&test::bundledProfile());
    EXPECT_EQ(reachOf(published, Kernel::Scalar), 4);
    EXPECT_EQ(reachOf(published, Kernel::Mma), 512);
    EXPECT_EQ(reachOf(published, Kernel::GroupedMma), 4096);
    EXPECT_EQ(reachOf(published, Kernel::SwapAb), 64); // not timed
    EXPECT_EQ(reachOf(published, Kernel::DequantCublas), unboundedM);
    EXPECT_TRUE(published.at(static_cast<std::size_t>(Kernel::Mma)).timed);
    EXPECT_FALSE(published.at(static_cast<std::size_t>(Kernel::SwapAb)).timed);
    EXPECT_TRUE(reaches(published, Kernel::Scalar, 4));
    EXPECT_FALSE(reaches(published, Kernel::Scalar, 4.1)); // rows of an expert
    EXPECT_TRUE(reaches(published, Kernel::DequantCublas, 1e9));
}

TEST(KernelReach, OfImportedTimesIsAsFarAsTheyGo) {
    const auto imported = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\nmine,64,64,1,4,3\n"
                                               "mine,64,64,16,4,5\nscalar,64,64,2,4,3\n",
                                               "mine.csv", {.byName = {}, .otherwise = Kernel::SwapAb});
    ASSERT_TRUE(imported);
    const KernelReaches reaches = reachesOf(&*imported);
    EXPECT_EQ(reachOf(reaches, Kernel::SwapAb), 16); // nobody knows that it could do 64
    EXPECT_EQ(reachOf(reaches, Kernel::Scalar), 2);
    EXPECT_EQ(reachOf(reaches, Kernel::Mma), 64); // not imported
    const Profile both = withKernelsOf(test::bundledProfile(), *imported);
    const KernelReaches joined = reachesOf(&both);
    EXPECT_EQ(reachOf(joined, Kernel::SwapAb), 16);
    EXPECT_EQ(reachOf(joined, Kernel::Mma), 512);
}

TEST(KernelReach, OfAnImportedKernelIsNotThatOfTheOneInWhosePlaceItStands) {
    const auto imported = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\nmine,4096,4096,1,4,3\n"
                                               "mine,4096,4096,128,4,5\n",
                                               "mine.csv", {.byName = {}, .otherwise = Kernel::Mma});
    ASSERT_TRUE(imported);
    const Profile both = withKernelsOf(test::bundledProfile(), *imported);
    EXPECT_EQ(reachOf(reachesOf(&both), Kernel::Mma), 128); // 512 is the published one's, at another shape
    EXPECT_EQ(reachOf(reachesOf(&both), Kernel::Scalar), 4);
    Profile turned = both;
    std::ranges::reverse(turned.points);
    EXPECT_EQ(reachesOf(&turned), reachesOf(&both));
}

struct Cut {
    const char* rule;
    const char* served;
    std::size_t lines;
};

TEST(KernelReach, CutsRules) {
    const KernelReaches reaches = reachesOf(&test::bundledProfile());
    for (const Cut& cut : {
             Cut{"published", "published", 0},
             Cut{"code", "code", 0},
             Cut{"fastest", "fastest", 0},
             Cut{"scalar:64,dequant_cublas;grouped_scalar:64,grouped_dequant",
                 "scalar:4,dequant_cublas;grouped_scalar:4,grouped_dequant", 1},
             Cut{"scalar:64,mma:100,dequant_cublas;grouped_scalar:64,grouped_mma:100,grouped_dequant",
                 "scalar:4,mma:100,dequant_cublas;grouped_scalar:4,grouped_mma:100,grouped_dequant", 1},
             Cut{"scalar:2,mma;grouped_scalar:2,grouped_mma",
                 "scalar:2,mma:512,dequant_cublas;grouped_scalar:2,grouped_mma:4096,"
                 "grouped_dequant",
                 1},
             Cut{"scalar;grouped_scalar", "scalar:4,dequant_cublas;grouped_scalar:4,grouped_dequant", 1},
             Cut{"mma:8,scalar:9,dequant_cublas;grouped_mma:8,grouped_scalar:9,grouped_dequant",
                 "mma:8,dequant_cublas;grouped_mma:8,grouped_dequant", 1},
             Cut{"scalar:4,mma:600,swap_ab:800,dequant_cublas;grouped_swap_ab",
                 "scalar:4,mma:512,dequant_cublas;grouped_swap_ab:64,grouped_dequant", 2},
         }) {
        const DispatchRule rule = ruleOf(cut.rule);
        const DispatchRule served = within(rule, reaches);
        EXPECT_EQ(textOf(served), textOf(ruleOf(cut.served))) << cut.rule;
        EXPECT_FALSE(problemOf(served)) << cut.rule;
        EXPECT_EQ(cutsOf(rule, reaches, false, KernelNaming::Role).size(), cut.lines) << cut.rule;
        EXPECT_GE(cutsOf(rule, reaches, true, KernelNaming::Role).size(), cut.lines) << cut.rule;
    }
    EXPECT_EQ(cutsOf(ruleOf("scalar:64,dequant_cublas"), reaches, false, KernelNaming::Role).front(),
              "scalar GEMV serves up to M = 4, the most that it was timed at, and not up to 64 as the rule "
              "says: dequantise + fp16 GEMM above");
    EXPECT_EQ(cutsOf(ruleOf("swap_ab"), reaches, false, KernelNaming::Role).front(),
              "swap-AB MMA serves up to M = 64, the most that it is built for, and not at every M as the "
              "rule says: dequantise + fp16 GEMM above");
}

/// Properties of any rule: a kernel never serves beyond its reach, and every M is served.
TEST(KernelReach, HoldsInEveryTable) {
    const Profile& profile = test::bundledProfile();
    const KernelReaches reaches = reachesOf(&profile);
    const KernelTimes timed(profile, nullptr, {.modelMissingKernels = true});
    const KernelTimes modelled = KernelTimes::rooflineOnly(*findHardware("RTX4090"));
    for (const char* rule : {"published", "code", "fastest", "scalar;grouped_scalar", "mma;grouped_mma",
                             "scalar:64,dequant_cublas;grouped_scalar:64,grouped_dequant",
                             "scalar:16,mma:1000,swap_ab;grouped_scalar:32,grouped_mma"}) {
        for (const auto& [k, roofline] : {std::pair(2, false), {4, false}, {4, true}}) {
            const CostSetup setup{
                .model = *findShapePreset("study-moe"), .format = k, .rule = ruleOf(rule), .maxRows = 700};
            const auto table = makeCostTable(roofline ? modelled : timed, setup);
            ASSERT_TRUE(table) << rule << ": " << table.error().sentence();
            const KernelReaches here = roofline ? reachesOf(nullptr) : reaches;
            for (std::int64_t m = 1; m <= setup.maxRows; ++m) {
                const auto services = table->services(m);
                for (std::size_t g = 0; g < services.size(); ++g) {
                    const LayerGemm& gemm = setup.model.gemms[g];
                    const double rows = expertLoad(gemm, static_cast<double>(m)).rowsPerExpert;
                    EXPECT_TRUE(loadline::reaches(here, services[g].kernel, rows))
                        << rule << " k = " << k << " M = " << m << ' ' << keyOf(services[g].kernel);
                }
            }
        }
    }
}

TEST(KernelReach, TheFastestOfTheStudyHasNoScalarBeyondFourRows) {
    const KernelTimes times(test::bundledProfile(), nullptr);
    for (int k = minKBits; k <= maxKBits; ++k) {
        const auto table = makeCostTable(times, {.model = *findShapePreset("study"),
                                                 .format = k,
                                                 .rule = *findDispatchPreset("fastest"),
                                                 .maxRows = 2000});
        ASSERT_TRUE(table);
        EXPECT_GT(table->kernelUs(4, Kernel::Scalar), 0);
        for (std::int64_t m = 5; m <= 2000; ++m) {
            EXPECT_EQ(table->kernelUs(m, Kernel::Scalar), 0) << k << ' ' << m;
        }
        EXPECT_EQ(table->kernelUs(600, Kernel::Mma), 0);
        EXPECT_GT(table->modelledShare(600), 0); // said: only models are left there
    }
}

TEST(KernelReach, AModelNeverWinsAgainstTimes) {
    // The MMA is timed to 128 rows. A scalar of half a microsecond, extended, would win everywhere.
    Profile profile = profileOf(std::string(allKinds) + "cublas_fp16,2048,2048,600,,60\n");
    for (ProfilePoint& point : profile.points) {
        point.timeUs = point.kernel == Kernel::Scalar ? 0.5 : point.timeUs;
    }
    const auto table = makeCostTable(KernelTimes(profile, nullptr), oneGemm("fastest"));
    ASSERT_TRUE(table) << table.error().sentence();
    EXPECT_EQ(table->services(4)[0].kernel, Kernel::Scalar);
    for (std::int64_t m = 5; m <= 600; ++m) {
        EXPECT_EQ(table->modelledShare(m), 0) << m;
        EXPECT_NE(table->services(m)[0].kernel, Kernel::Scalar) << m;
    }
    // A point that its source calls modelled is a model, too: the MMA of 20 us stands against 11 us.
    for (ProfilePoint& point : profile.points) {
        if (point.kernel == Kernel::Dequantise) {
            point.timeUs = 0.1;
            point.origin = PointOrigin::Modelled;
        }
    }
    const auto mixed = makeCostTable(KernelTimes(profile, nullptr), oneGemm("fastest"));
    ASSERT_TRUE(mixed);
    EXPECT_EQ(mixed->services(100)[0].kernel, Kernel::Mma);
    EXPECT_EQ(mixed->services(129)[0].kernel, Kernel::DequantCublas); // nothing else is left
    EXPECT_GT(mixed->modelledShare(129), 0);
}

TEST(KernelReach, AFasterKernelStaysWithinIt) {
    CostSetup setup{
        .model = *findShapePreset("study"), .rule = *findDispatchPreset("fastest"), .maxRows = 600};
    setup.timeScale[static_cast<std::size_t>(Kernel::Scalar)] = 0; // "what pays": free
    const auto table = makeCostTable(KernelTimes(test::bundledProfile(), nullptr), setup);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->us(4), 0);
    EXPECT_GT(table->us(5), 0);
}

TEST(KernelReach, WhereNothingServesIsAnErrorThatNamesTheM) {
    const std::string withoutDequantise =
        "scalar,2048,2048,1,4,5\nscalar,2048,2048,4,4,6\nmma,2048,2048,1,4,9\nmma,2048,2048,128,4,20\n"
        "cublas_fp16,2048,2048,1,,12\n";
    const Profile profile = profileOf(withoutDequantise);
    for (const char* rule : {"fastest", "scalar:4,mma"}) {
        const auto table = makeCostTable(KernelTimes(profile, nullptr), oneGemm(rule));
        ASSERT_FALSE(table) << rule;
        EXPECT_NE(table.error().what.find("from M = 129 on"), std::string::npos) << table.error().what;
        EXPECT_TRUE(modellingHelps(table.error()));
        EXPECT_TRUE(makeCostTable(KernelTimes(profile, nullptr), oneGemm(rule, 128))) << rule;
        const auto modelled =
            makeCostTable(KernelTimes(profile, nullptr, {.modelMissingKernels = true}), oneGemm(rule));
        ASSERT_TRUE(modelled) << rule;
        EXPECT_EQ(modelled->services(129)[0].kernel, Kernel::DequantCublas);
        EXPECT_EQ(modelled->modelledShare(129), 1);
    }
}

TEST(KernelReach, InterpolationBetweenPointsStays) {
    const auto table = makeCostTable(KernelTimes(profileOf(allKinds), nullptr), oneGemm("mma", 200));
    ASSERT_TRUE(table);
    const auto services = table->services(40);
    EXPECT_EQ(services[0].kernel, Kernel::Mma);
    EXPECT_EQ(services[0].parts[0].estimate.kind, EstimateKind::Interpolated);
}

} // namespace
} // namespace loadline
