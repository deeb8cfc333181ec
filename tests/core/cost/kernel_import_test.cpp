// Kernels of one's own before they are added: names, what they stand for, what stands in the way, remarks.
#include "core/cost/import/kernel_import.h"

#include "core/cost/import/import_kernels.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/profile/profile_place.h"
#include "core/text/number_format.h"
#include "tests/core/cost/bundled_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using test::bundledProfile;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* twoKernels = "kernel,shape,K,N,M,k_bits,experts,time_us\n"
                                   "tuned,gateup,2048,5120,1,4,,9\n"
                                   "tuned,gateup,2048,5120,8,4,,10\n"
                                   "tuned,gateup,2048,5120,8,4,,12\n"
                                   "other,gateup,2048,5120,1,4,,8\n"
                                   "half,gateup,2048,5120,16,,,20\n"
                                   "group,e,2048,512,4,3,8,5\n"
                                   "mma,gateup,2048,4096,1,4,,7\n";

KernelImport importOf(const char* csv) {
    auto offer = readKernelImport(csv, "work/times.csv", {});
    EXPECT_TRUE(offer) << offer.error().sentence();
    return offer ? std::move(*offer) : KernelImport{};
}

TEST(KernelImport, ListsTheKernelsOfAFileAndGuessesWhatTheyStandFor) {
    const KernelImport offer = importOf(twoKernels);
    ASSERT_EQ(offer.kernels.size(), 5U);
    const auto& [tuned, other, half, group, mma] =
        std::tie(offer.kernels[0], offer.kernels[1], offer.kernels[2], offer.kernels[3], offer.kernels[4]);
    EXPECT_EQ(tuned.name, "tuned");
    EXPECT_EQ(tuned.kernel, Kernel::Mma);
    EXPECT_TRUE(tuned.guessed);
    ASSERT_EQ(tuned.points.size(), 2U); // a repeat is a median, the other kernel's is not its repeat
    EXPECT_DOUBLE_EQ(tuned.points[1].timeUs, 11);
    EXPECT_EQ(half.kernel, Kernel::CublasFp16);
    EXPECT_THAT(half.fits, ElementsAre(Kernel::CublasFp16));
    EXPECT_EQ(group.kernel, Kernel::GroupedMma);
    EXPECT_THAT(group.fits, Contains(Kernel::GroupedScalar));
    EXPECT_FALSE(mma.guessed);
    EXPECT_TRUE(mma.name.empty()); // its name is the key of what it stands for
    EXPECT_THAT(tuned.fits, Contains(Kernel::SwapAb));
    EXPECT_THAT(tuned.fits, testing::Not(Contains(Kernel::CublasFp16)));
    EXPECT_THAT(tuned.fits, testing::Not(Contains(Kernel::Dequantise))); // its time depends on M
    EXPECT_THAT(other.fits, Contains(Kernel::Dequantise));
}

TEST(KernelImport, SaysWhatStandsInTheWayAndKeepsTheNamesOnce) {
    KernelImport offer = importOf(twoKernels);
    ASSERT_TRUE(problemOf(offer));
    EXPECT_THAT(*problemOf(offer), HasSubstr("tuned and other both stand for MMA at 2048x5120"));
    offer.kernels[1].kernel = Kernel::Scalar;
    EXPECT_EQ(problemOf(offer), std::nullopt);
    offer.kernels[0].name = "tuned v2";
    const Profile profile = profileOf(offer);
    ASSERT_EQ(profile.points.size(), 6U);
    EXPECT_EQ(profile.points[0].name, "tuned v2");
    EXPECT_EQ(profile.points[2].kernel, Kernel::Scalar);
    const auto back = profileFromJson(toJson(profile), "p.json");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(*back, profile); // the names too
    for (ImportedKernel& kernel : offer.kernels) {
        kernel.taken = false;
    }
    EXPECT_THAT(problemOf(offer).value_or(""), HasSubstr("no kernel is taken"));
}

TEST(KernelImport, RefusesWhatNoKernelCanBe) {
    const auto offer = readKernelImport("kernel,K,N,M,k_bits,time_us\nmine,64,64,1,9,3\n", "t.csv", {});
    ASSERT_FALSE(offer);
    EXPECT_THAT(offer.error().sentence(), HasSubstr("line 2"));
}

TEST(KernelImport, NamesGoWhereTheirPointsAre) {
    KernelImport offer =
        importOf("kernel,K,N,M,k_bits,time_us\nmine,2048,5120,1,4,9\nmine,2048,5120,16,4,9\n");
    const Profile both = withKernelsOf(bundledProfile(), profileOf(offer));
    const KernelNaming here = namingOf(&both, {{2048, 5120}}, 4);
    EXPECT_EQ(nameOf(Kernel::Mma, here), "mine");
    EXPECT_EQ(nameOf(Kernel::Scalar, here), "scalar GEMV");
    EXPECT_EQ(nameOf(Kernel::Mma, namingOf(&both, {{2048, 5120}}, 3)), "MMA"); // another k's are not
    Profile alone = both;
    std::erase_if(alone.points, [](const ProfilePoint& point) { return point.name.empty(); });
    EXPECT_EQ(nameOf(Kernel::Mma, namingOf(&alone, {{999, 999}}, 4)), "mine") << "the nearest that is timed";
    EXPECT_EQ(nameOf(Kernel::Mma, namingOf(&both)), "mine, else MMA");
    EXPECT_EQ(codeNameOf(Kernel::Mma, both), "mine, else MMA");

    offer.kernels[0].kernel = Kernel::Dequantise;
    offer.kernels[0].points.pop_back();
    const Profile parts = profileOf(offer);
    EXPECT_EQ(parts.points[0].rowsM, 0); // whatever M is
    EXPECT_EQ(nameOf(Kernel::DequantCublas, namingOf(&parts)), "mine + fp16 cuBLAS");
}

TEST(KernelImport, RemarksTellWhatAddingItMeans) {
    KernelImport offer = importOf("kernel,K,N,M,k_bits,time_us\n"
                                  "mine,2048,5120,1,4,9\nmine,2048,5120,1,4,11\nmine,64,64,1,4,1\n");
    const auto said = [&] {
        std::string all;
        for (const std::string& remark : remarksOf(offer, &bundledProfile(), *findDispatchPreset("code"))) {
            all += remark + '\n';
        }
        return all;
    };
    EXPECT_THAT(said(), HasSubstr("does not say on which device"));
    EXPECT_THAT(said(), HasSubstr("are replaced: the same kernel, shape and k."));
    EXPECT_THAT(said(), HasSubstr("mine: one M alone at"));
    EXPECT_THAT(said(), HasSubstr("mine: 1 point with quartiles"));
    EXPECT_EQ(said().find("serves no M"), std::string::npos);
    offer.kernels[0].kernel = Kernel::SwapAb; // the rule of the code has no range for it
    EXPECT_THAT(said(), HasSubstr("mine serves no M by the present rule"));
    offer.head.device = "Another GPU";
    EXPECT_THAT(said(), HasSubstr("their times are not alike"));
}

TEST(KernelImport, AProfileWithAddedPointsIsNotTheDevicesOwn) {
    Profile measured;
    measured.points.resize(1);
    EXPECT_FALSE(hasAddedPoints(measured));
    const Profile both =
        withKernelsOf(measured, profileOf(importOf("kernel,K,N,M,k_bits,time_us\nmine,64,64,1,4,9\n")));
    EXPECT_TRUE(hasAddedPoints(both));
}

TEST(KernelImport, ADeviceThatIsChosenHoldsTheTimesAgainstItsDatasheet) {
    // 21 MB of fp16 weights: 6.3 us on an H100, 2.7 us on the fastest device of the table.
    const KernelImport offer = importOf("kernel,K,N,M,k_bits,time_us\nhalf,2048,5120,1,,4\n"
                                        "half,2048,5120,512,,40\n");
    EXPECT_TRUE(offer.head.device.empty());
    EXPECT_THAT(remarksOf(offer, nullptr, {}), Contains(HasSubstr("does not say on which device")));
    EXPECT_TRUE(profileOf(offer).points[0].flags.empty());
    const KernelImport chosen = onDevice(offer, "H100-SXM");
    const Profile profile = profileOf(chosen);
    EXPECT_EQ(profile.hardware, "H100-SXM");
    EXPECT_THAT(profile.points[0].flags, ElementsAre("implausible"));
    EXPECT_TRUE(profile.points[1].flags.empty());
    EXPECT_FALSE(problemOf(chosen));
    EXPECT_THAT(remarksOf(chosen, nullptr, {}),
                Contains(HasSubstr("1 of 2 points faster than " + formatReal(3350, 4) + " GB/s")));
    EXPECT_EQ(onDevice(offer, ""), offer);
    // Seconds in a column of microseconds are no times of any device; of an L40S these are not either.
    const KernelImport fast = onDevice(importOf("kernel,K,N,M,k_bits,time_us\nhalf,8192,8192,1,,15.5\n"
                                                "half,8192,8192,2,,15.5\n"),
                                       "L40S");
    ASSERT_TRUE(problemOf(fast));
    EXPECT_THAT(*problemOf(fast), HasSubstr("cannot be true"));
}

TEST(KernelImport, AnotherDeviceThanTheFilesIsSaid) {
    const KernelImport offer = importOf("kernel,K,N,M,k_bits,time_us,device\nmma,2048,5120,1,4,9,L40S\n");
    EXPECT_EQ(onDevice(offer, "L40S"), offer);
    const KernelImport chosen = onDevice(offer, "RTX4090");
    EXPECT_THAT(remarksOf(chosen, nullptr, {}),
                Contains(HasSubstr("The file says that it was timed on NVIDIA L40S; it counts as timed on")));
    EXPECT_EQ(profileOf(chosen).hardware, "RTX4090");
    const KernelImport h100 =
        onDevice(importOf("kernel,K,N,M,k_bits,time_us\nmma,2048,5120,1,4,9\n"), "H100-SXM");
    EXPECT_THAT(remarksOf(h100, &bundledProfile(), {}),
                Contains(HasSubstr("the profile on NVIDIA GeForce RTX 4090: their times are not alike")));
}

TEST(KernelImport, OfSeveralDevicesOneIsRead) {
    const std::string csv = "kernel,K,N,M,k_bits,time_us,device\nmma,64,64,1,4,3,NVIDIA H100 80GB HBM3\n"
                            "mma,64,64,1,4,5,L40S\nmma,64,64,2,4,6,L40S\n";
    const KernelImport first = importOf(csv.c_str());
    EXPECT_THAT(first.devices, ElementsAre("L40S", "NVIDIA H100 80GB HBM3"));
    EXPECT_EQ(first.head.device, "NVIDIA L40S");
    EXPECT_EQ(profileOf(first).points.size(), 2U);
    const auto other = readKernelImport(csv, "t.csv", {}, "NVIDIA H100 80GB HBM3");
    ASSERT_TRUE(other) << other.error().sentence();
    EXPECT_EQ(other->head.hardware, "H100-SXM");
    EXPECT_EQ(profileOf(*other).points.size(), 1U);
    EXPECT_TRUE(importOf("kernel,K,N,M,k_bits,time_us,device\nmma,64,64,1,4,5,L40S\n").devices.empty());
    EXPECT_FALSE(readKernelImport(csv + "mma,64,64,4,4,6,\n", "t.csv", {})); // a row that names none
}

} // namespace
} // namespace loadline
