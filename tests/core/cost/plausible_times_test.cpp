// Imported times against bytes and arithmetic: wrong units are refused, caches are flagged.
#include "core/cost/import/plausible_times.h"

#include "core/cost/figure/kernel_figure.h"
#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/import/import_kernels.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/kernel_import.h"
#include "core/cost/import/read_profile.h"
#include "tests/core/cost/bundled_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::HasSubstr;

Result<Profile> csvWith(const std::string& time, const std::string& more = "", const std::string& head = "") {
    return profileFromKernelCsv("kernel,K,N,M,k_bits,time_us" + head + "\nmma,4096,28672,1,4," + time + more +
                                    "\nmma,4096,28672,8,4," + time + more + "\n",
                                "t.csv");
}

TEST(PlausibleTimes, AnotherUnitIsRefusedByName) {
    EXPECT_TRUE(csvWith("31"));
    for (const auto& [time, unit] : {std::pair("3.1e-5", "seconds"), std::pair("0.031", "milliseconds")}) {
        const auto profile = csvWith(time);
        ASSERT_FALSE(profile) << time;
        EXPECT_THAT(profile.error().sentence(), HasSubstr(std::string("they look like ") + unit));
        EXPECT_THAT(profile.error().sentence(), HasSubstr("t.csv"));
        EXPECT_FALSE(readKernelImport(
            "kernel,K,N,M,k_bits,time_us\nmine,4096,28672,1,4," + std::string(time) + "\n", "t.csv", {}))
            << "the dialog reads the same";
    }
    EXPECT_TRUE(unitMistakeIn(*csvWith("31"), "t.csv") == std::nullopt);
}

TEST(PlausibleTimes, TimesThatAreTooLongAreNanoseconds) {
    // 62.4 MB: 18.6 us at 3,350 GB/s.
    const auto known = csvWith("31000", ",H100-SXM", ",device");
    ASSERT_FALSE(known);
    EXPECT_THAT(known.error().sentence(), HasSubstr("they look like nanoseconds"));
    EXPECT_TRUE(csvWith("900", ",H100-SXM", ",device")) << "a bad kernel, not another unit";
    const auto unknown = csvWith("31000"); // a slow processor may take so long
    ASSERT_TRUE(unknown);
    EXPECT_EQ(tooLongText(*unknown),
              "Weights are read at 2 GB/s in a typical call, and a computer reads 5 or more: mma takes "
              "31\u202f000 us for 4096x28672 at M = 1, so at 2 GB/s. These may be nanoseconds in a column of "
              "microseconds. Name the device to have them checked against it.");
    EXPECT_EQ(tooLongText(*csvWith("3100")), "");
    EXPECT_EQ(tooLongText(test::bundledProfile()), "");
    const auto row = [](int m, const char* us) {
        return "mma,4096,28672," + std::to_string(m) + ",4," + us + "\n";
    };
    const std::string head = "kernel,K,N,M,k_bits,time_us\n";
    const auto some = profileFromKernelCsv(
        head + row(8, "8.5") + row(16, "8551") + row(32, "8499") + row(64, "8.4"), "two.csv");
    ASSERT_FALSE(some);
    EXPECT_THAT(
        some.error().sentence(),
        HasSubstr(
            "2 of 4 times cannot be true: 8\u202f551 us for 4096x28672 at M = 16, where the same kernel "
            "takes 8.4 us at M = 64; it looks like nanoseconds"));
    EXPECT_FALSE(profileFromKernelCsv(head + row(8, "8.5") + row(16, "8551"), "last.csv"));
    EXPECT_TRUE(profileFromKernelCsv(head + row(1, "8.5") + row(4096, "8551"), "steep.csv"));
}

/// A row, or a kernel throughout, in another unit than the rest of the table is named, on any device.
TEST(PlausibleTimes, ARowOutOfStepWithOtherKernelsOfItsShapeIsNamed) {
    const std::string head = "kernel,K,N,M,k_bits,time_us,device\n";
    for (const std::string& device : {std::string("Abacus"), std::string("H200-SXM")}) {
        const auto row = [&](const char* kernel, int m, const char* bits, const char* us) {
            return std::string(kernel) + ",2048,5120," + std::to_string(m) + "," + bits + "," + us + "," +
                   device + "\n";
        };
        KernelNames names;
        ASSERT_FALSE(addKernelName(names, "mine=mma"));
        const std::string fine = row("cublas_fp16", 1, "", "8.4") + row("cublas_fp16", 16, "", "8.5") +
                                 row("cublas_fp16", 64, "", "9");
        const auto one = profileFromKernelCsv(head + fine + row("mine", 16, "4", "8551"), "one.csv", names);
        ASSERT_TRUE(one) << one.error().sentence();
        EXPECT_THAT(tooLongText(*one),
                    HasSubstr("1 of 4 rows over 300 times as long as another kernel at the "
                              "same shape and M: mine takes 8\u202f551 us for 2048x5120 at M "
                              "= 16, where cublas_fp16 takes 8.5 us."))
            << device;
        EXPECT_THAT(tooLongText(*one), HasSubstr("These may be nanoseconds"));
        const auto slow = profileFromKernelCsv(head + fine + row("mine", 16, "4", "190"), "slow.csv", names);
        ASSERT_TRUE(slow);
        EXPECT_EQ(tooLongText(*slow), "") << "a bad kernel";
    }
}

TEST(PlausibleTimes, FasterThanTheDeviceIsFlagged) {
    const auto isFlagged = [](const Result<Profile>& profile) {
        return profile && profile->points[0].flags == std::vector<std::string>{"implausible"};
    };
    // 62.4 MB: 18.6 us at 3,350 GB/s, 7.8 us at 8,000.
    EXPECT_FALSE(isFlagged(csvWith("12")));
    EXPECT_TRUE(isFlagged(csvWith("12", ",H100-SXM", ",device")));
    EXPECT_FALSE(isFlagged(csvWith("25", ",H100-SXM", ",device")));
    EXPECT_TRUE(isFlagged(csvWith("5")));
    EXPECT_THAT(fasterThanDeviceText(*csvWith("12", ",H100-SXM", ",device")),
                HasSubstr("2 of 2 points faster than 3\u202f350 GB/s or 989 TFLOP/s allow"));
    EXPECT_EQ(fasterThanDeviceText(*csvWith("25")), "");
    // 0.96 TFLOP, 429 us at the 2,250 TFLOP/s of fp16: an nvfp4 kernel multiplies at several times that.
    const auto many = [](const char* us) {
        return profileFromKernelCsv("kernel,K,N,M,k_bits,time_us,device\nmma,4096,28672,4096,4," +
                                        std::string(us) + ",B200\n",
                                    "t.csv");
    };
    EXPECT_FALSE(isFlagged(many("290")));
    EXPECT_TRUE(isFlagged(many("90")));
    Profile published = test::bundledProfile(); // L2-warm, as its source says
    EXPECT_EQ(unitMistakeIn(published, ""), std::nullopt);
}

TEST(PlausibleTimes, ATableNamesItsDevice) {
    const auto profile = csvWith("31", ",H100-SXM", ",device");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->hardware, "H100-SXM");
    EXPECT_THAT(profile->device, HasSubstr("H100"));
    EXPECT_EQ(csvWith("31", ",NVIDIA H100 80GB HBM3", ",GPU")->hardware, "H100-SXM");
    EXPECT_EQ(csvWith("31", ",NVIDIA H100 PCIe", ",device")->hardware, "");
    EXPECT_EQ(csvWith("31", ",NVIDIA GeForce RTX 4090", ",device")->hardware, "RTX4090");
    EXPECT_EQ(csvWith("31", ",NVIDIA GB200", ",device")->hardware, "GB200-per-GPU");
    EXPECT_EQ(csvWith("31", ",Abacus", ",device")->device, "Abacus");
    const auto two = profileFromKernelCsv("kernel,K,N,M,k_bits,time_us,device\nmma,64,64,1,4,3,H100-SXM\n"
                                          "mma,64,64,2,4,3,B300\n",
                                          "t.csv");
    ASSERT_FALSE(two);
    EXPECT_THAT(two.error().sentence(), HasSubstr("several devices: \"B300\", \"H100-SXM\""));
    EXPECT_THAT(two.error().sentence(), HasSubstr("--device D"));
}

TEST(PlausibleTimes, WhatWasExportedIsReadAgain) {
    Profile profile = test::bundledProfile();
    for (ProfilePoint& point : profile.points) {
        point.p25Us = point.timeUs * 0.9;
        point.p75Us = point.timeUs * 1.2;
    }
    const TimedShape shape = timedShapes(profile).front();
    const KernelFigure figure = kernelFigure({std::make_shared<const Profile>(profile), nullptr, shape, 4});
    const auto back = readProfile(toCsv(timesTable(figure)), "exported.csv");
    ASSERT_TRUE(back) << back.error().sentence();
    std::size_t points = 0;
    for (const KernelCurve& curve : figure.curves) {
        points += curve.marks.size();
    }
    ASSERT_EQ(back->points.size(), points);
    for (const ProfilePoint& point : back->points) {
        const auto same = std::ranges::find_if(profile.points, [&](const ProfilePoint& one) {
            return one.kernel == point.kernel && one.size == point.size && one.experts == point.experts &&
                   one.rowsM == point.rowsM && one.kBits == point.kBits;
        });
        ASSERT_NE(same, profile.points.end());
        EXPECT_NEAR(point.timeUs, same->timeUs, 1e-9 * same->timeUs);
        EXPECT_NEAR(point.p75Us.value_or(0), *same->p75Us, 1e-9 * *same->p75Us);
        EXPECT_EQ(point.samples, same->samples);
    }
}

TEST(PlausibleTimes, NvbenchThatCouldNotMeasureIsNoTime) {
    const std::string head = R"({"devices": [{"id": 0, "name": "X"}], "benchmarks": [{"name": "mma", "states":
        [{"name": "M=1", "device": 0, "axis_values": [{"name": "K", "value": "64"}, {"name": "N", "value": "64"},
        {"name": "M", "value": "1"}, {"name": "k_bits", "value": "4"}], "summaries": [
        {"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "value": )";
    const std::string tail = R"(}]},
        {"tag": "nv/batch/time/gpu/mean", "data": [{"name": "value", "value": "2e-06"}]}]}]}]})";
    const auto good = profileFromNvbench(head + "\"1e-05\"" + tail, "nv.json");
    ASSERT_TRUE(good) << good.error().sentence();
    EXPECT_DOUBLE_EQ(good->points[0].timeUs, 10);
    for (const char* value : {"\"nan\"", "\"-nan\"", "null", "\"inf\""}) {
        const auto odd = profileFromNvbench(head + value + tail, "nv.json");
        ASSERT_FALSE(odd) << value;
        EXPECT_THAT(odd.error().sentence(), HasSubstr("M=1"));
    }
}

} // namespace
} // namespace loadline
