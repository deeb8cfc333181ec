// Expert layers and their proxies over small made-up tables.
#include "core/cost/surface/expert_surface.h"

#include "tests/core/cost/surface/table_of_csv.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

AtlasTable expertTable() {
    return test::tableOfCsv("dtype,hidden,inter,topk,experts,tp,ep,distribution,tokens,time_us\n"
                            "fp8,2048,512,8,256,1,1,power_law_1.2,1,10\n"
                            "fp8,2048,512,8,256,1,1,power_law_1.2,8,24\n"
                            "fp8,2048,512,8,256,1,1,power_law_1.2,8,20\n"
                            "fp8,2048,512,8,256,1,1,power_law_1.2,64,40\n"
                            "fp8,4096,1536,8,128,1,1,power_law_1.2,1,30\n"
                            "fp8,4096,1536,8,128,1,1,balanced,1,30\n"
                            "fp8,2048,512,8,256,2,1,power_law_1.2,1,9\n");
}

ExpertShape someExperts(std::int64_t topK, std::int64_t experts) {
    return {.dtype = "fp8", .hidden = 2048, .inter = 512, .topK = topK, .experts = experts};
}

TEST(ExpertSurface, isLinearInTokensAndTakesTheFastestKernel) {
    const ExpertSurface surface = ExpertSurface::make(expertTable()).value();
    const ExpertCurve curve = surface.nearestExperts(someExperts(8, 256)).value();
    EXPECT_FALSE(curve.isProxy());
    EXPECT_EQ(curve.name(), "2048 x 512, top 8 of 256");
    EXPECT_DOUBLE_EQ(curve.at(8).us, 20);
    EXPECT_EQ(curve.at(8).reach, SurfaceReach::Measured);
    EXPECT_DOUBLE_EQ(curve.at(36).us, 30);
    EXPECT_EQ(curve.at(36).reach, SurfaceReach::Interpolated);
    EXPECT_DOUBLE_EQ(curve.at(0.5).us, 10);
    EXPECT_DOUBLE_EQ(curve.at(128).us, 80);
    EXPECT_EQ(curve.at(128).reach, SurfaceReach::Extrapolated);
}

TEST(ExpertSurface, namesAndScalesAProxy) {
    const ExpertSurface surface = ExpertSurface::make(expertTable()).value();
    const ExpertCurve proxy = surface.nearestExperts(someExperts(4, 256)).value();
    EXPECT_TRUE(proxy.isProxy());
    EXPECT_EQ(proxy.name(), "2048 x 512, top 8 of 256, for top 4 of 256");
    // Half as many experts a token: 16 tokens load an expert as 8 of the source do. As many weights.
    EXPECT_DOUBLE_EQ(proxy.at(16).us, 20);
    EXPECT_EQ(proxy.at(16).reach, SurfaceReach::Extrapolated);
    // Twice the experts and twice the choice: the same load, twice the weights; 9 us are launch time.
    const ExpertCurve larger = surface.nearestExperts(someExperts(16, 512)).value();
    EXPECT_DOUBLE_EQ(larger.at(8).us, 9 + 2 * (20 - 9));
    ExpertShape wider = someExperts(8, 256);
    wider.inter = 1024;
    EXPECT_EQ(surface.nearestExperts(wider)->name(),
              "2048 x 512, top 8 of 256, for 2048 x 1024, top 8 of 256");
}

TEST(ExpertSurface, keepsToTheSameSetting) {
    const ExpertSurface surface = ExpertSurface::make(expertTable()).value();
    ExpertShape shape = someExperts(10, 512);
    shape.distribution = "balanced";
    EXPECT_EQ(surface.nearestExperts(shape)->source().hidden, 4096);
    shape.tp = 4;
    EXPECT_FALSE(surface.nearestExperts(shape).has_value());
    shape = someExperts(8, 256);
    shape.dtype = "nvfp4";
    EXPECT_FALSE(surface.nearestExperts(shape).has_value());
}

} // namespace
} // namespace loadline
