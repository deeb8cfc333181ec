// Timings of one's own kernels from CSV and NVBench: units, names, repeats, what is refused, and joining.
#include "core/cost/import/import_kernels.h"

#include "core/cost/estimate/cost_model.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/read_profile.h"
#include "core/cost/profile/profile_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

KernelNames standingFor(const char* word) {
    KernelNames names;
    EXPECT_FALSE(addKernelName(names, word));
    return names;
}

constexpr const char* smallCsv = "kernel,shape,K,N,M,k_bits,time_us\n"
                                 "mine,gateup,2048,5120,1,4,10\n"
                                 "mine,gateup,2048,5120,8,4,11.5\n";

TEST(KernelCsv, ReadsOnesOwnKernelAsOneOfOurs) {
    const auto profile = profileFromKernelCsv(smallCsv, "work/mine.csv", standingFor("swap_ab"));
    ASSERT_TRUE(profile) << profile.error().sentence();
    ASSERT_EQ(profile->points.size(), 2U);
    const ProfilePoint& point = profile->points[1];
    EXPECT_EQ(point.kernel, Kernel::SwapAb);
    EXPECT_EQ(point.size, (GemmSize{2048, 5120}));
    EXPECT_EQ(point.rowsM, 8);
    EXPECT_EQ(point.kBits, 4);
    EXPECT_EQ(point.timeUs, 11.5);
    EXPECT_EQ(point.origin, PointOrigin::Published); // never measured by us
    EXPECT_EQ(point.source, "mine, imported from mine.csv");
    const auto back = profileFromJson(toJson(*profile), "p.json");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(*back, *profile);
}

TEST(KernelCsv, TakesColumnsInAnyOrderCaseAndForm) {
    const auto profile = profileFromKernelCsv("\xEF\xBB\xBFTIME_US , m,KERNEL,Shape,note\r\n"
                                              "\r\n"
                                              "12.5, 4,\"cublas_fp16\",4096x14336,\"a, \"\"b\"\"\"\r\n"
                                              " 3,0,dequantise,64x32,\r\n",
                                              "t.csv");
    ASSERT_FALSE(profile); // dequantise reads k bits
    EXPECT_NE(profile.error().sentence().find("line 4"), std::string::npos) << profile.error().sentence();
    const auto good = profileFromKernelCsv("\xEF\xBB\xBFTIME_US , m,KERNEL,Shape,note,experts,K_bits\r\n"
                                           "12.5, 4,\"cublas_fp16\",4096x14336,\"a, \"\"b\"\"\",,16\r\n"
                                           " 3,,dequantise,64x32,,8,2\r\n"
                                           "5,2,grouped_mma,64x32,,8,2",
                                           "t.csv");
    ASSERT_TRUE(good) << good.error().sentence();
    ASSERT_EQ(good->points.size(), 3U);
    EXPECT_EQ(good->points[0].size, (GemmSize{4096, 14336}));
    EXPECT_EQ(good->points[0].kBits, fp16Bits);
    EXPECT_EQ(good->points[1].rowsM, 0);
    EXPECT_EQ(good->points[1].experts, 8);
    EXPECT_EQ(good->points[2].kernel, Kernel::GroupedMma);
}

TEST(KernelCsv, TakesPairsThatWereTimedInOneGo) {
    const auto profile = profileFromKernelCsv("kernel,K,N,M,k_bits,experts,time_us\n"
                                              "dequant_cublas,64,64,128,4,,40\n"
                                              "grouped_dequant,64,32,16,3,8,50\n",
                                              "t.csv");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->points[0].kernel, Kernel::DequantCublas);
    EXPECT_EQ(profile->points[0].rowsM, 128);
    EXPECT_EQ(profile->points[0].kBits, 4);
    EXPECT_EQ(profile->points[1].kernel, Kernel::GroupedDequant);
    EXPECT_EQ(profile->points[1].experts, 8);
    const auto back = profileFromJson(toJson(*profile), "p.json");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(*back, *profile);
}

TEST(KernelCsv, RepeatsBecomeAMedianWithQuartiles) {
    const auto profile = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\n"
                                              "mma,64,64,1,4,10\nmma,64,64,2,4,7\nmma,64,64,1,4,14\n"
                                              "mma,64,64,1,4,12\nmma,64,64,1,4,11\nmma,64,64,1,4,13\n",
                                              "t.csv");
    ASSERT_TRUE(profile);
    ASSERT_EQ(profile->points.size(), 2U);
    EXPECT_EQ(profile->points[0].timeUs, 12);
    EXPECT_EQ(profile->points[0].p25Us, 11);
    EXPECT_EQ(profile->points[0].p75Us, 13);
    EXPECT_EQ(profile->points[0].minUs, 10);
    EXPECT_EQ(profile->points[0].samples, 5);
    EXPECT_EQ(profile->points[1].samples, 0);
}

TEST(KernelCsv, SaysInWhichLineSomethingIsWrong) {
    const struct {
        const char* row;
        const char* said;
    } wrong[] = {{"mine,a,64,64,1,4,10", "the kernel \"mine\" is not one of"},
                 {"dequant_cublas,a,64,64,0,4,10", "M is not"},
                 {"dequant_cublas,a,64,64,1,,10", "k_bits is not"},
                 {"mma,a,0,64,1,4,10", "K and N"},
                 {"mma,a,64.5,64,1,4,10", "K and N"},
                 {"mma,a,x,64,1,4,10", "K and N"},
                 {"mma,a,,,1,4,10", "K and N"},
                 {"mma,a,64,64,0,4,10", "M is not"},
                 {"mma,a,64,64,,4,10", "M is not"},
                 {"mma,a,64,64,1,6,10", "k_bits is not"},
                 {"mma,a,64,64,1,,10", "k_bits is not"},
                 {"mma,a,64,64,1,four,10", "k_bits is not"},
                 {"cublas_fp16,a,64,64,1,4,10", "for an fp16 kernel"},
                 {"mma,a,64,64,1,4,0", "above 0"},
                 {"mma,a,64,64,1,4,-3", "above 0"},
                 {"mma,a,64,64,1,4,nan", "above 0"},
                 {"mma,a,64,64,1,4,1e13", "above 0"},
                 {"mma,a,64,64,1,4", "6 fields"},
                 {"mma,a,64,64,1,4,1,2", "8 fields"}};
    for (const auto& [row, said] : wrong) {
        const std::string csv =
            "kernel,shape,K,N,M,k_bits,time_us\nmma,a,64,64,2,4,10\n" + std::string(row) + "\n";
        const auto profile = profileFromKernelCsv(csv, "t.csv");
        ASSERT_FALSE(profile) << row;
        EXPECT_NE(profile.error().sentence().find(said), std::string::npos) << profile.error().sentence();
        EXPECT_NE(profile.error().sentence().find("line 3"), std::string::npos) << profile.error().sentence();
    }
    for (const char* csv : {"", "a,b,c\n", "kernel,m\n", "kernel,K,N,M,k_bits,time_us\n"}) {
        EXPECT_FALSE(profileFromKernelCsv(csv, "t.csv")) << csv;
    }
}

TEST(KernelNames, AreKeysOrNamesWithKeys) {
    KernelNames names;
    EXPECT_FALSE(addKernelName(names, "a=b=mma"));
    EXPECT_EQ(names.byName.at("a=b"), Kernel::Mma);
    EXPECT_FALSE(addKernelName(names, "scalar"));
    EXPECT_EQ(names.otherwise, Kernel::Scalar);
    for (const char* word : {"", "best", "mine=best", "mine=dequantcublas", "mine="}) {
        EXPECT_TRUE(addKernelName(names, word)) << word;
    }
    const auto profile = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\n"
                                              "a=b,64,64,1,4,1\nc,64,64,1,4,2\nswap_ab,64,64,1,4,3\n",
                                              "t.csv", names);
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->points[0].kernel, Kernel::Mma);
    EXPECT_EQ(profile->points[1].kernel, Kernel::Scalar);
    EXPECT_EQ(profile->points[2].kernel, Kernel::SwapAb);
}

/// A document as NVBench writes it, shortened: 64-bit numbers as text.
std::string nvbench(const std::string& states) {
    return R"({"meta": {"version": {"json": {"major": 1}, "nvbench": {"string": "0.1.0"}}},
      "devices": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "global_memory_bus_bandwidth": 3352320000000}],
      "benchmarks": [{"name": "my_gemv", "index": 0, "devices": [0], "axes": [], "states": [)" +
           states + "]}]}";
}

std::string state(const std::string& m, const std::string& mean, const std::string& more = "") {
    return R"({"name": "Device=0 M=)" + m + R"(", "device": 0, "axis_values": [
        {"name": "K", "type": "int64", "value": "2048"}, {"name": "N", "type": "int64", "value": 5120},
        {"name": "M", "type": "int64", "value": ")" +
           m + R"("}, {"name": "k_bits", "type": "int64", "value": "4"},
        {"name": "T", "type": "string", "value": "half"}],
      "summaries": [{"tag": "nv/cold/sample_size", "data": [{"name": "value", "type": "int64", "value": "1200"}]},
        {"tag": "nv/cold/time/gpu/min", "data": [{"name": "value", "type": "float64", "value": "9e-06"}]},
        {"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": ")" +
           mean + R"("}]}], "is_skipped": false)" + more + "}";
}

/// Rows that are summaries themselves keep what they tell.
TEST(Nvbench, SeveralStatesOfAPointKeepTheLeastAndAllSamples) {
    const auto profile = profileFromNvbench(
        nvbench(state("1", "1.05e-05") + "," + state("1", "1.25e-05") + "," + state("1", "1.15e-05")),
        "mine.json", standingFor("my_gemv=swap_ab"));
    ASSERT_TRUE(profile) << profile.error().sentence();
    ASSERT_EQ(profile->points.size(), 1U);
    EXPECT_DOUBLE_EQ(profile->points[0].timeUs, 11.5);
    EXPECT_DOUBLE_EQ(*profile->points[0].minUs, 9) << "shorter than any of the means";
    EXPECT_EQ(profile->points[0].samples, 3600);
}

TEST(Nvbench, GivesMicrosecondsFromSeconds) {
    const auto profile = profileFromNvbench(nvbench(state("1", "1.05e-05") + "," + state("8", "1.25e-05")),
                                            "mine.json", standingFor("my_gemv=swap_ab"));
    ASSERT_TRUE(profile) << profile.error().sentence();
    ASSERT_EQ(profile->points.size(), 2U);
    EXPECT_DOUBLE_EQ(profile->points[0].timeUs, 10.5);
    EXPECT_DOUBLE_EQ(*profile->points[0].minUs, 9);
    EXPECT_EQ(profile->points[0].samples, 1200);
    EXPECT_EQ(profile->points[1].rowsM, 8);
    EXPECT_EQ(profile->points[1].kernel, Kernel::SwapAb);
    EXPECT_EQ(profile->points[1].source, "my_gemv, imported from mine.json");
    EXPECT_EQ(profile->device, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(profile->hardware, "H100-SXM");
    EXPECT_EQ(profile->methodFacts.at("nvbench"), "\"0.1.0\"");
}

TEST(Nvbench, SkippedStatesArePassedOverAndOddOnesNamed) {
    const KernelNames names = standingFor("mma");
    std::string skipped = state("1", "1e-05");
    skipped.replace(skipped.rfind("false"), 5, "true");
    const auto some = profileFromNvbench(nvbench(skipped + "," + state("2", "1e-05")), "n.json", names);
    ASSERT_TRUE(some);
    EXPECT_EQ(some->points.size(), 1U);
    EXPECT_FALSE(profileFromNvbench(nvbench(skipped), "n.json", names));
    EXPECT_FALSE(profileFromNvbench(nvbench(""), "n.json", names));
    EXPECT_FALSE(profileFromNvbench("{}", "n.json", names));
    EXPECT_FALSE(profileFromNvbench("[", "n.json", names));
    const auto unnamed = profileFromNvbench(nvbench(state("1", "1e-05")), "n.json");
    ASSERT_FALSE(unnamed);
    EXPECT_NE(unnamed.error().sentence().find("my_gemv [Device=0 M=1]"), std::string::npos);
    std::string other = state("2", "1e-05");
    other.replace(other.find("\"device\": 0"), 11, "\"device\": 1");
    const auto two = profileFromNvbench(nvbench(state("1", "1e-05") + "," + other), "n.json", names);
    ASSERT_FALSE(two);
    EXPECT_NE(two.error().what.find("several devices"), std::string::npos);
    const auto slow = profileFromNvbench(nvbench(state("1", "fast")), "n.json", names);
    ASSERT_FALSE(slow);
}

TEST(ReadProfile, KnowsTheseFilesByTheirContent) {
    EXPECT_TRUE(readProfile("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,1\n", "any"));
    const std::string json = nvbench(state("1", "1e-05"));
    const auto unnamed = readProfile(json, "any");
    ASSERT_FALSE(unnamed); // read as NVBench's; its kernel has no name of ours
    EXPECT_NE(unnamed.error().what.find("NVBench"), std::string::npos) << unnamed.error().what;
    EXPECT_NE(unnamed.error().what.find("--as"), std::string::npos) << unnamed.error().what;
    EXPECT_TRUE(readProfile(json, "any", standingFor("mma")));
    EXPECT_TRUE(readProfile("kernel,K,N,M,k_bits,time_us\nmine,64,64,1,4,1\n", "any", standingFor("mma")));
}

TEST(ReadProfile, SaysWhatAnythingElseSeemsToBeAndWhatItReads) {
    const std::pair<const char*, const char*> others[] = {
        {"", "the file is empty"},
        {" \n\n", "the file is empty"},
        {"{\"schema\": ", "broken"},
        {"[1, 2", "broken"},
        {"[1, 2]", "not an object"},
        {"17", "not an object"},
        {"{}", "neither a profile nor NVBench's"},
        {R"({"type": "user"})", "neither a profile nor NVBench's"},
        {R"({"schema": "loadline.shapes/1"})", "\"schema\" is not \"loadline.profile/1\""},
        {R"({"benchmarks": []})", "NVBench"},
        {"kernel,time\nmma,3\n", "does not name the columns kernel, M and time_us"},
        {"once upon a time\n", "neither JSON nor a table"},
        {"\x89PNG\r\n", "neither JSON nor a table"},
    };
    for (const auto& [text, said] : others) {
        const auto profile = readProfile(text, "some.file");
        ASSERT_FALSE(profile) << text;
        EXPECT_NE(profile.error().what.find(said), std::string::npos) << profile.error().what;
        EXPECT_EQ(profile.error().where, "some.file") << text;
        EXPECT_FALSE(profile.error().remedy.empty()) << text;
    }
    EXPECT_NE(readProfile("x", "f").error().remedy.find("kernel,shape,K,N,M,k_bits,time_us"),
              std::string::npos);
}

TEST(Joining, TheOthersSeriesTakeThePlaceOfOurs) {
    Profile base = *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\n"
                                         "swap_ab,64,64,1,4,5\nswap_ab,64,64,8,4,6\nswap_ab,64,64,1,3,4\n"
                                         "swap_ab,64,128,1,4,9\nmma,64,64,1,4,7\n",
                                         "base.csv");
    base.rowTiles = {{"swap_ab", 8}, {"mma", 16}};
    const Profile mine = *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\nx,64,64,2,4,2\n", "mine.csv",
                                               standingFor("swap_ab"));
    const Profile both = withKernelsOf(base, mine);
    EXPECT_EQ(both.points.size(), 4U); // two of base's gave way to one
    for (const ProfilePoint& point : both.points) {
        const bool replaced =
            point.kernel == Kernel::SwapAb && point.size == GemmSize{64, 64} && point.kBits == 4;
        EXPECT_EQ(replaced, point.source == "x, imported from mine.csv");
    }
    EXPECT_EQ(both.rowTiles, (std::map<std::string, int>{{"mma", 16}}));
    EXPECT_EQ(both.name, "base.csv with mine.csv");
}

TEST(Joining, APairOfOursSaysNothingOfAPartThatIsTheirs) {
    const Profile base = *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\n"
                                               "dequant_cublas,64,64,16,4,50\ndequant_cublas,64,64,16,3,49\n"
                                               "dequant_cublas,64,128,16,4,90\ndequantise,64,64,0,4,30\n"
                                               "cublas_fp16,64,64,16,,20\n",
                                               "base.csv");
    const auto pairsBeside = [&](const std::string& row) {
        const Profile mine = *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\n" + row + "\n", "mine.csv");
        std::string pairs;
        for (const ProfilePoint& point : withKernelsOf(base, mine).points) {
            if (point.kernel == Kernel::DequantCublas) {
                pairs += textOf(point.size) + ":" + std::to_string(point.kBits) + " ";
            }
        }
        return pairs;
    };
    EXPECT_EQ(pairsBeside("cublas_fp16,64,64,16,,5"), "64x128:4 "); // at every k
    EXPECT_EQ(pairsBeside("dequantise,64,64,0,4,5"), "64x64:3 64x128:4 ");
    EXPECT_EQ(pairsBeside("mma,64,64,1,4,5"), "64x64:4 64x64:3 64x128:4 ");
    EXPECT_EQ(pairsBeside("dequant_cublas,64,64,8,4,5"), "64x64:3 64x128:4 64x64:4 ");
}

TEST(Joining, AFasterKernelOfOnesOwnIsChosenByTheDispatch) {
    std::string csv = "kernel,K,N,M,k_bits,time_us\n";
    for (const char* kernel : {"cublas_fp16", "scalar", "mma", "dequantise"}) {
        for (const int m : {1, 16, 64, 1024}) {
            const bool bits = std::string(kernel) != "cublas_fp16";
            csv += std::string(kernel) + ",2048,2048," + std::to_string(m) + "," + (bits ? "4" : "") + "," +
                   std::to_string(20 + m) + "\n";
        }
    }
    const Profile base = *profileFromKernelCsv(csv, "base.csv");
    const Profile mine =
        *profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\nmine,2048,2048,1,4,3\nmine,2048,2048,64,4,9\n",
                              "mine.csv", standingFor("swap_ab"));
    CostSetup setup;
    setup.model.name = "one";
    setup.model.gemms = {{.name = "up", .size = {2048, 2048}}};
    setup.rule = *findDispatchPreset("fastest");
    setup.format = 4;
    setup.maxRows = 64;
    const auto before = makeCostTable(KernelTimes(base, nullptr), setup);
    const auto after = makeCostTable(KernelTimes(withKernelsOf(base, mine), nullptr), setup);
    ASSERT_TRUE(before) << before.error().sentence();
    ASSERT_TRUE(after) << after.error().sentence();
    EXPECT_LT(after->us(8), before->us(8) / 2);
    EXPECT_GT(after->kernelUs(8, Kernel::SwapAb), 0);
}

} // namespace
} // namespace loadline
