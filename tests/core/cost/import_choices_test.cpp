// Imports of several devices, repeated rows, other separators, and tables that were exported here.
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/import/import_kernels.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/read_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

TEST(ImportChoices, OneOfSeveralDevicesIsChosen) {
    const std::string csv = "kernel,K,N,M,k_bits,time_us,device\nmma,64,64,1,4,3,NVIDIA H100 80GB HBM3\n"
                            "mma,64,64,1,4,5,L40S\nmma,64,64,2,4,6,L40S\n";
    KernelNames names;
    names.device = "l40s";
    const auto chosen = profileFromKernelCsv(csv, "t.csv", names);
    ASSERT_TRUE(chosen) << chosen.error().sentence();
    EXPECT_EQ(chosen->points.size(), 2U);
    EXPECT_EQ(chosen->points[0].timeUs, 5);
    EXPECT_EQ(chosen->hardware, "L40S");
    EXPECT_THAT(importRemarksOf(*chosen), testing::ElementsAre(testing::HasSubstr("1 row of other devices")));
    names.device = "H100-SXM"; // by its key
    const auto byKey = profileFromKernelCsv(csv, "t.csv", names);
    ASSERT_TRUE(byKey) << byKey.error().sentence();
    EXPECT_EQ(byKey->points.size(), 1U);
    names.device = "B300";
    const auto none = profileFromKernelCsv(csv, "t.csv", names);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().sentence(), testing::HasSubstr("none of them is B300"));
}

TEST(ImportChoices, RowsThatStandTwiceAreSaid) {
    const std::string csv =
        "kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,3\nmma,64,64,1,4,5\nmma,64,64,2,4,6\n";
    const auto twice = profileFromKernelCsv(csv, "t.csv");
    ASSERT_TRUE(twice);
    EXPECT_THAT(importRemarksOf(*twice),
                testing::ElementsAre("1 of 2 points stood in several rows: each is their median, with "
                                     "quartiles."));
    EXPECT_TRUE(
        importRemarksOf(*profileFromKernelCsv(csv.substr(0, csv.find("mma,64,64,1,4,5")), "t.csv")).empty());
    EXPECT_EQ(assumedErrorText(*twice),
              "1 of 2 points without quartiles or a repeat: an error of 2 % is assumed.");
    EXPECT_EQ(assumedErrorText(*profileFromKernelCsv("kernel,K,N,M,k_bits,time_us,p25_us,p75_us\n"
                                                     "mma,64,64,1,4,3,2.9,3.1\n",
                                                     "t.csv")),
              "");
}

TEST(ImportChoices, ColumnsThatContradictAreRefused) {
    const auto errorOf = [](const std::string& csv) {
        const auto read = profileFromKernelCsv(csv, "t.csv");
        return read ? std::string() : read.error().sentence();
    };
    EXPECT_THAT(errorOf("kernel,K,N,M,k_bits,time_us,K\nmma,64,128,1,4,3,4096\n"),
                testing::HasSubstr("names the column k twice"));
    EXPECT_THAT(errorOf("kernel,shape,K,N,M,k_bits,time_us\nmma,64x256,64,128,1,4,3\n"),
                testing::HasSubstr("the shape 64x256 is not K x N, 64x128"));
    EXPECT_EQ(errorOf("kernel,shape,K,N,M,k_bits,time_us\nmma,64x128,64,128,1,4,3\n"), "");
    EXPECT_EQ(errorOf("kernel,shape,K,N,M,k_bits,time_us\nmma,128x64,64,128,1,4,3\n"), "") << "N x K";
    EXPECT_EQ(errorOf("kernel,shape,K,N,M,k_bits,time_us\nmma,gate_up,64,128,1,4,3\n"), "");
}

TEST(ImportChoices, SemicolonsAndTabsSeparateAsWell) {
    const auto comma = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us\nmma,64,128,1,4,3.5\n", "t.csv");
    const auto semicolon =
        readProfile("kernel;K;N;M;k_bits;time_us\r\nmma;64;128;1;4;3,5\r\n", "t.csv"); // decimal comma
    const auto point = readProfile("kernel;K;N;M;k_bits;time_us\nmma;64;128;1;4;3.5\n", "t.csv");
    const auto tab =
        readProfile("kernel\tK\tN\tM\tk_bits\tshape\ttime_us\nmma\t64\t128\t1\t4\t\t3.5\n", "t.csv");
    ASSERT_TRUE(comma && semicolon && point && tab);
    for (const auto* one : {&semicolon, &point, &tab}) {
        EXPECT_EQ((*one)->points, comma->points);
    }
}

TEST(ImportChoices, NvbenchKeepsQuartiles) {
    const std::string head = R"({"devices": [{"id": 0, "name": "X"}, {"id": 1, "name": "L40S"}], "benchmarks":
        [{"name": "mma", "states": [)";
    const auto state = [](int device, const char* us) {
        return R"({"name": "M=1", "device": )" + std::to_string(device) + R"(, "axis_values": [
        {"name": "K", "value": "64"}, {"name": "N", "value": "64"}, {"name": "M", "value": "1"},
        {"name": "k_bits", "value": "4"}], "summaries": [
        {"tag": "nv/cold/time/gpu/median", "data": [{"name": "value", "value": ")" +
               us + R"("}]},
        {"tag": "nv/cold/time/gpu/q1", "data": [{"name": "value", "value": "0.9e-05"}]},
        {"tag": "nv/cold/time/gpu/q3", "data": [{"name": "value", "value": "2.2e-05"}]}]})";
    };
    const auto read = profileFromNvbench(head + state(0, "1e-05") + "]}]}", "nv.json");
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_NEAR(read->points[0].p25Us.value_or(0), 9, 1e-9);
    EXPECT_NEAR(read->points[0].p75Us.value_or(0), 22, 1e-9);
    const std::string both = head + state(0, "1e-05") + "," + state(1, "2e-05") + "]}]}";
    const auto several = profileFromNvbench(both, "nv.json");
    ASSERT_FALSE(several);
    EXPECT_THAT(several.error().sentence(), testing::HasSubstr("several devices: \"L40S\", \"X\""));
    for (const char* wanted : {"1", "l40s"}) {
        KernelNames names;
        names.device = wanted;
        const auto chosen = profileFromNvbench(both, "nv.json", names);
        ASSERT_TRUE(chosen) << chosen.error().sentence();
        EXPECT_NEAR(chosen->points[0].timeUs, 20, 1e-9);
        EXPECT_EQ(chosen->device, "L40S");
    }
}

/// An imported kernel keeps its name and its device through an exported table.
TEST(ImportChoices, AnExportedTableKeepsNamesAndDevice) {
    KernelNames names;
    ASSERT_FALSE(addKernelName(names, "alpha=scalar"));
    ASSERT_FALSE(addKernelName(names, "beta=mma"));
    const auto first = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us,device\nalpha,64,128,1,4,3,L40S\n"
                                            "beta,64,128,1,4,5,L40S\n",
                                            "mine.csv", names);
    ASSERT_TRUE(first) << first.error().sentence();
    const KernelFigure figure =
        kernelFigure({std::make_shared<const Profile>(*first), nullptr, timedShapes(*first).front(), 4});
    const auto back = readProfile(toCsv(timesTable(figure)), "exported.csv");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(back->device, first->device);
    EXPECT_EQ(back->hardware, "L40S");
    std::vector<std::string> kept;
    for (const ProfilePoint& point : back->points) {
        kept.push_back(point.name + "=" + std::string(keyOf(point.kernel)));
    }
    EXPECT_THAT(kept, testing::UnorderedElementsAre("alpha=scalar", "beta=mma"));
}

TEST(ImportChoices, RowsOfFp16AreNoKernelOfKBits) {
    KernelNames names;
    ASSERT_FALSE(addKernelName(names, "swap_ab"));
    const auto mixed = profileFromKernelCsv(
        "kernel,K,N,M,k_bits,time_us\nmine,64,128,1,4,3\ncublas_bf16,64,128,1,16,5\n", "t.csv", names);
    ASSERT_FALSE(mixed);
    EXPECT_THAT(mixed.error().sentence(), testing::HasSubstr("--as cublas_bf16=cublas_fp16"));
}

} // namespace
} // namespace loadline
