// Tables of others, made up and shared, and the bundled profile.
#include "core/cost/import/import_timings.h"

#include "core/cost/import/read_profile.h"
#include "core/cost/profile/profile_json.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

const ProfilePoint* find(const Profile& profile, Kernel kernel, GemmSize size, std::int64_t rowsM,
                         int kBits) {
    const auto found = std::ranges::find_if(profile.points, [&](const ProfilePoint& point) {
        return point.kernel == kernel && point.size == size && point.rowsM == rowsM && point.kBits == kBits;
    });
    return found == profile.points.end() ? nullptr : &*found;
}

double sumOfFive(const Profile& profile, Kernel kernel, std::int64_t rowsM, int kBits) {
    double sum = 0;
    for (const LayerGemm& gemm : studyShapes({.kvTwice = false}).gemms) {
        const ProfilePoint* point = find(profile, kernel, gemm.size, rowsM, kBits);
        EXPECT_NE(point, nullptr) << gemm.name;
        sum += point == nullptr ? 0 : point->timeUs;
    }
    return sum;
}

TEST(BundledProfile, SumsAreThePublishedOnes) {
    const Profile& profile = test::bundledProfile();

    struct Row {
        Kernel kernel;
        std::int64_t rowsM;
        double k2, k3, k4, k5;
    };

    for (const auto& [kernel, rowsM, k2, k3, k4, k5] :
         {Row{Kernel::Scalar, 1, 39.8, 44.7, 52.9, 58.0}, Row{Kernel::Scalar, 2, 48.5, 53.2, 58.5, 63.6},
          Row{Kernel::Scalar, 4, 72.1, 75.2, 78.2, 81.0}, Row{Kernel::Mma, 4, 51.8, 56.7, 65.4, 72.2},
          Row{Kernel::Mma, 8, 56.1, 61.0, 69.8, 75.8}, Row{Kernel::Mma, 16, 70.9, 74.2, 82.2, 89.0}}) {
        EXPECT_NEAR(sumOfFive(profile, kernel, rowsM, 2), k2, 0.051) << keyOf(kernel) << rowsM;
        EXPECT_NEAR(sumOfFive(profile, kernel, rowsM, 3), k3, 0.051) << keyOf(kernel) << rowsM;
        EXPECT_NEAR(sumOfFive(profile, kernel, rowsM, 4), k4, 0.051) << keyOf(kernel) << rowsM;
        EXPECT_NEAR(sumOfFive(profile, kernel, rowsM, 5), k5, 0.051) << keyOf(kernel) << rowsM;
    }
    const std::vector<std::pair<std::int64_t, double>> cublas = {
        {1, 90.1}, {2, 74.8}, {4, 92.6}, {8, 113.0}, {16, 107.8}};
    for (const auto& [rowsM, us] : cublas) {
        EXPECT_NEAR(sumOfFive(profile, Kernel::CublasFp16, rowsM, fp16Bits), us, 0.051) << rowsM;
    }
}

TEST(BundledProfile, IsPublishedAndHoldsNothingThatWasNot) {
    const Profile& profile = test::bundledProfile();
    EXPECT_FALSE(profile.source.empty());
    EXPECT_EQ(profile.hardware, "RTX4090");
    for (const ProfilePoint& point : profile.points) {
        EXPECT_NE(point.origin, PointOrigin::Measured); // none was measured here
        const bool gateup = point.size == GemmSize{.k = 2048, .n = 5120};
        if (point.kernel == Kernel::CublasFp16 && point.rowsM > 16) {
            EXPECT_TRUE(gateup) << textOf(point.size) << ' ' << point.rowsM;
        }
        if (point.origin == PointOrigin::Modelled) {
            EXPECT_EQ(point.kernel, Kernel::Dequantise);
            EXPECT_NE(point.kBits, 4);
            EXPECT_FALSE(point.source.empty());
        }
    }
    EXPECT_EQ(find(profile, Kernel::Mma, {.k = 2048, .n = 5120}, 512, 4)->timeUs, 165.1);
    EXPECT_EQ(find(profile, Kernel::BatchedFp16, {.k = 512, .n = 2048}, 4096, fp16Bits)->timeUs, 542.2);
    EXPECT_EQ(find(profile, Kernel::Scalar, {.k = 2048, .n = 5120}, 1, 4)->timeUs, 13.14);
}

TEST(BundledProfile, IsTheSharedTimingsFile) {
    LOADLINE_NEED_SHARED_TEXT(text, "kernels/rtx4090_kbit_timings.json");
    const auto profile = readProfile(text, "kernels/rtx4090_kbit_timings.json");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(*profile, test::bundledProfile());
}

TEST(ImportTimings, RepeatsAndSecondTablesStayApart) {
    const auto profile = profileFromKBitTimings(
        R"({"shapes":{"gateup":[64,128]},"runs":{
             "e7d2fca8":{"scalar":{"gateup":{"k=4":{"1":2.5,"x":3,"2":-1}}},"cublas_fp16":{"gateup":{"1":9}}},
             "a9864dc7":{"scalar":{"gateup":{"k=4":{"1":2.75}}}}},
           "dequant_us":{"spec df55daf8 k=4":{"gateup":30}}})",
        "t.json");
    ASSERT_TRUE(profile) << profile.error().sentence();
    ASSERT_EQ(profile->points.size(), 3U);
    EXPECT_EQ(profile->points[0].timeUs, 2.5);
    EXPECT_EQ(profile->points[0].repeatUs, 2.75);
    EXPECT_EQ(profile->points[2].kernel, Kernel::Dequantise);
}

TEST(ImportTimings, BrokenTablesSayWhere) {
    for (const char* text :
         {"", "nonsense", "[]", "{}", R"({"runs":3,"shapes":[1]})", R"({"shapes":{"a":[1]}})",
          R"({"moe_active_experts":"x","shapes":{"gateup":["a","b"]}})"}) {
        EXPECT_FALSE(profileFromKBitTimings(text, "t.json")) << text;
        EXPECT_FALSE(readProfile(text, "t.json")) << text;
    }
    const auto table =
        profileFromGemmCsv("m,n,k,time_us\n1,64,32,2.5\r\n16,64,32,2.75\n", "h.csv", "GPU", "");
    ASSERT_TRUE(table) << table.error().sentence();
    ASSERT_EQ(table->points.size(), 2U);
    EXPECT_EQ(table->points[1].size, (GemmSize{.k = 32, .n = 64}));
    EXPECT_EQ(table->points[1].rowsM, 16);
    EXPECT_EQ(table->points[1].timeUs, 2.75);
    for (const char* line :
         {"1,2,3", "1,2,3,4,5", "1,2,3,-4", "1.5,2,3,4", "a,b,c,d", "1,2,3,nan", "0,2,3,4"}) {
        const auto broken =
            profileFromGemmCsv(std::string("m,n,k,time_us\n1,2,3,4\n") + line, "h.csv", "", "");
        ASSERT_FALSE(broken) << line;
        EXPECT_EQ(broken.error().where, "h.csv, line 3");
    }
    EXPECT_FALSE(profileFromGemmCsv("m,n,k,time_us\n", "h.csv", "", ""));
}

TEST(ImportTimings, GemmTablesHoldNoLineTwiceAndNoNumberThatAProfileCannotHold) {
    for (const char* line : {"1,2,3,5", "16777217,2,3,4", "1,1e9,3,4", "1,2,3,1e13", "2,2,3,4.9e-324"}) {
        const auto refused =
            profileFromGemmCsv(std::string("m,n,k,time_us\n1,2,3,4\n") + line, "h.csv", "", "");
        ASSERT_FALSE(refused) << line;
        EXPECT_EQ(refused.error().where, "h.csv, line 3");
    }
}

/// Whatever numbers the document holds, what is read can be kept as a profile and read again.
TEST(ImportTimings, KBitTimingsOutOfRangeAreLeftOut) {
    for (const char* shapes :
         {R"("moe_active_experts": 1073741824, "shapes": {"gateup": [64, 32], "moe_gu": [64, 32]})",
          R"("moe_active_experts": -1, "shapes": {"gateup": [64, 32], "moe_gu": [64, 32]})",
          R"("shapes": {"gateup": [64, 32], "Q": [-64, 32], "O": [64, 99999999999], "KV": [0, 1]})",
          R"("shapes": {"gateup": [64, 32], "down": [64, 32]})"}) {
        const std::string runs =
            R"({"gateup": {"k=4": {"1": 10}}, "down": {"k=4": {"1": 9}}, "Q": {"k=4": {"1": 9}},
                "O": {"k=4": {"1": 9}}, "KV": {"k=4": {"1": 9}}})";
        const std::string text = std::string("{") + shapes + R"(, "runs": {"e7d2fca8": {"scalar": )" + runs +
                                 R"(, "grouped": {"moe_gu": {"k=4": {"1": 10}}}}}})";
        const auto profile = profileFromKBitTimings(text, "t.json");
        ASSERT_TRUE(profile) << profile.error().sentence();
        EXPECT_EQ(profile->points.size(), 1U) << shapes;
        const auto again = profileFromJson(toJson(*profile), "t.json");
        EXPECT_TRUE(again) << again.error().sentence();
    }
}

TEST(ImportTimings, TheH100TableIsReadWhole) {
    LOADLINE_NEED_SHARED_TEXT(text, "kernels/aiconfigurator_h100_sxm/gemm_bf16.csv");
    const auto profile = readProfile(text, "kernels/aiconfigurator_h100_sxm/gemm_bf16.csv");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->points.size(), 35742U);
    EXPECT_EQ(profile->hardware, "H100-SXM");
    const ProfilePoint* point = find(*profile, Kernel::CublasFp16, {.k = 2048, .n = 12288}, 1, fp16Bits);
    ASSERT_NE(point, nullptr);
    EXPECT_NEAR(point->timeUs, 19.1, 0.06);
}

} // namespace
} // namespace loadline
