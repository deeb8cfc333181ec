// The CUDA backend over an emulated plugin: what it packs and checks is what the kernels read, and faults
// stay faults.
#include "gpu/cuda/cuda_backend.h"

#include "gpu/cuda/cuda_check.h"
#include "gpu/cuda/cuda_facts.h"
#include "gpu/cuda/cuda_work.h"
#include "tests/gpu/cuda/emulated_plugin.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace loadline::gpu {
namespace {

class CudaBackendTest : public testing::Test {
protected:
    void SetUp() override {
        emulatedMachine() = {};
        auto backend = openCudaBackend(emulatedPlugin(), 0, "salt");
        ASSERT_TRUE(backend) << backend.error().sentence();
        backend_ = std::move(*backend);
    }
    void TearDown() override {
        backend_.reset();
        EXPECT_EQ(emulatedMachine().sessions, 0);
    }

    std::unique_ptr<Backend> backend_;
};

TEST_F(CudaBackendTest, EveryKernelPassesItsCheckByEmulation) {
    const GemmSize size{.k = 160, .n = 72};
    for (const int bits : {2, 3, 4, 5}) {
        for (const Kernel kernel :
             {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::GroupedScalar, Kernel::GroupedMma,
              Kernel::GroupedSwapAb, Kernel::Dequantise, Kernel::DequantCublas, Kernel::GroupedDequant}) {
            const int experts = isGrouped(kernel) ? 3 : 1;
            const std::int64_t rows = kernel == Kernel::Dequantise ? 0 : 3;
            const PointSpec spec{
                .kernel = kernel, .size = size, .experts = experts, .rowsM = rows, .kBits = bits};
            ASSERT_TRUE(backend_->supports(spec));
            const auto outcome = backend_->check(spec, 7);
            ASSERT_TRUE(outcome) << outcome.error().sentence();
            EXPECT_TRUE(outcome->passed) << nameOf(kernel) << ' ' << bits << ": " << outcome->what;
            EXPECT_GT(outcome->relativeError, 0);
        }
    }
    for (const Kernel kernel : {Kernel::CublasFp16, Kernel::BatchedFp16}) {
        const auto outcome = backend_->check(
            {.kernel = kernel, .size = size, .experts = isGrouped(kernel) ? 3 : 1, .rowsM = 5}, 7);
        ASSERT_TRUE(outcome);
        EXPECT_TRUE(outcome->passed) << nameOf(kernel) << ": " << outcome->what;
    }
}

TEST_F(CudaBackendTest, AWrongAnswerDoesNotPass) {
    emulatedMachine().breakKernels = true;
    const auto outcome =
        backend_->check({.kernel = Kernel::SwapAb, .size = {.k = 128, .n = 32}, .rowsM = 1, .kBits = 4}, 7);
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->passed);
    EXPECT_NE(outcome->what, "");
}

TEST_F(CudaBackendTest, ChecksRunWithFewBlocksAndWithAll) {
    const PointSpec spec{.kernel = Kernel::SwapAb, .size = {.k = 1056, .n = 264}, .rowsM = 3, .kBits = 4};
    const auto outcome = backend_->check(spec, 7);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->passed) << outcome->what;
    ASSERT_EQ(emulatedMachine().checked.size(), 2U);
    EXPECT_EQ(emulatedMachine().checked[0].maxBlocks, checkBlocks(spec));
    EXPECT_EQ(emulatedMachine().checked[1].maxBlocks, 0) << "as it is timed";
}

TEST_F(CudaBackendTest, ChecksLookAtTheFullSize) {
    const PointSpec spec{.kernel = Kernel::Dequantise, .size = {.k = 4128, .n = 257}, .rowsM = 0, .kBits = 3};
    ASSERT_LT(checkable(spec).size.n, 257);
    auto outcome = backend_->check(spec, 7);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->passed) << outcome->what;
    EXPECT_EQ(emulatedMachine().prepared.n, 257);
    emulatedMachine().breakTimed = true;
    outcome = backend_->check(spec, 7);
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->passed) << "one value of the full size is wrong";
}

/// Timed launches leave y, which is compared with float64 from the weights and rows that they read.
TEST_F(CudaBackendTest, TimedOutputsAreCompared) {
    for (const int bits : {2, 3, 4, 5}) {
        for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::Dequantise,
                                    Kernel::GroupedMma, Kernel::GroupedSwapAb, Kernel::DequantCublas}) {
            SCOPED_TRACE(std::string(nameOf(kernel)) + ", k = " + std::to_string(bits));
            const PointSpec spec{.kernel = kernel,
                                 .size = {.k = 160, .n = 136},
                                 .experts = isGrouped(kernel) ? 3 : 1,
                                 .rowsM = kernel == Kernel::Dequantise ? 0 : 3,
                                 .kBits = bits};
            const auto outcomeOfPoint = [&]() -> CheckOutcome {
                auto point = backend_->prepare(spec, {.copies = 1, .calls = 2});
                EXPECT_TRUE(point && (*point)->sample());
                const auto outcome = (*point)->checkOutput();
                EXPECT_TRUE(outcome);
                return outcome ? *outcome : CheckOutcome{};
            };
            const CheckOutcome right = outcomeOfPoint();
            EXPECT_TRUE(right.passed) << right.what;
            EXPECT_GT(right.relativeError, 0);
            if (bits == 4) {
                emulatedMachine().breakTimed = true;
                EXPECT_FALSE(outcomeOfPoint().passed) << "one value is wrong";
                emulatedMachine().breakTimed = false;
            }
        }
    }
}

TEST_F(CudaBackendTest, SumsThatTimingLeavesDoNotPass) {
    auto point =
        backend_->prepare({.kernel = Kernel::SwapAb, .size = {.k = 64, .n = 16}, .rowsM = 1, .kBits = 4}, {});
    ASSERT_TRUE(point && (*point)->sample());
    EXPECT_TRUE((*point)->checkOutput()->passed);
    emulatedMachine().sumsLeft = 2;
    const auto outcome = (*point)->checkOutput();
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->passed);
    EXPECT_NE(outcome->what.find("2 words of the sums"), std::string::npos) << outcome->what;
}

TEST_F(CudaBackendTest, SumsThatACheckLeavesDoNotPass) {
    emulatedMachine().sumsLeft = 1;
    const auto outcome =
        backend_->check({.kernel = Kernel::SwapAb, .size = {.k = 128, .n = 32}, .rowsM = 1, .kBits = 4}, 7);
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->passed);
}

TEST_F(CudaBackendTest, ServesWhatItsKernelsServe) {
    const auto serves = [&](Kernel kernel, std::int64_t m, int bits) {
        return backend_->supports(
            {.kernel = kernel, .size = {.k = 2048, .n = 512}, .rowsM = m, .kBits = bits});
    };
    EXPECT_TRUE(serves(Kernel::Scalar, 4, 2));
    EXPECT_FALSE(serves(Kernel::Scalar, 5, 2));
    EXPECT_TRUE(serves(Kernel::SwapAb, 64, 5));
    EXPECT_FALSE(serves(Kernel::SwapAb, 65, 5));
    EXPECT_FALSE(serves(Kernel::SwapAb, 1, 6));
    EXPECT_TRUE(serves(Kernel::CublasFp16, 8192, fp16Bits));
    EXPECT_FALSE(serves(Kernel::CublasFp16, 8, 4));
    EXPECT_TRUE(serves(Kernel::DequantCublas, 1024, 4));
    EXPECT_FALSE(serves(Kernel::DequantCublas, 0, 4)) << "M is the GEMM's";
    EXPECT_FALSE(serves(Kernel::DequantCublas, 8, fp16Bits));
    EXPECT_FALSE(
        backend_->supports({.kernel = Kernel::Scalar, .size = {.k = 100, .n = 64}, .rowsM = 1, .kBits = 4}));
}

TEST_F(CudaBackendTest, APairIsOneNodeOverTheActiveExperts) {
    const PointSpec spec{.kernel = Kernel::GroupedDequant,
                         .size = {.k = 256, .n = 128},
                         .experts = 6,
                         .rowsM = 32,
                         .kBits = 3};
    ASSERT_TRUE(backend_->supports(spec));
    ASSERT_TRUE(backend_->prepare(spec, {.copies = 5, .calls = 16}));
    const CudaWork& work = emulatedMachine().prepared;
    EXPECT_EQ(work.operation, CudaOperation::DequantiseGemm);
    EXPECT_EQ(work.n, 128); // of one expert, unlike dequantise alone
    EXPECT_EQ(work.experts, 6);
    EXPECT_EQ(work.m, 32);
    EXPECT_EQ(work.copies, 5);
    // What it reads, and no less time than its parts are guessed to take apart.
    const PointSpec first{Kernel::Dequantise, spec.size, 6, 0, 3};
    const PointSpec second{Kernel::BatchedFp16, spec.size, 6, 32, fp16Bits};
    EXPECT_DOUBLE_EQ(backend_->weightBytes(spec), backend_->weightBytes(first));
    EXPECT_NEAR(backend_->guessUs(spec), backend_->guessUs(first) + backend_->guessUs(second) - 4, 1e-9);
    EXPECT_EQ(backend_->kernelName(Kernel::DequantCublas), backend_->kernelName(Kernel::Dequantise) +
                                                               ", then " +
                                                               backend_->kernelName(Kernel::CublasFp16));
}

TEST_F(CudaBackendTest, WithoutCublasThereIsNoPair) {
    backend_.reset();
    emulatedMachine().cublas = 0;
    backend_ = std::move(*openCudaBackend(emulatedPlugin(), 0, "salt"));
    const PointSpec spec{Kernel::DequantCublas, {.k = 256, .n = 128}, 1, 8, 4};
    EXPECT_FALSE(backend_->supports(spec));
    EXPECT_TRUE(backend_->supports({Kernel::Dequantise, spec.size, 1, 0, 4}));
}

TEST_F(CudaBackendTest, TimesOneCallOfTheRotation) {
    const PointSpec spec{.kernel = Kernel::Mma, .size = {.k = 256, .n = 256}, .rowsM = 2, .kBits = 3};
    auto point = backend_->prepare(spec, {.copies = 5, .calls = 16});
    ASSERT_TRUE(point);
    EXPECT_EQ(emulatedMachine().prepared.copies, 5);
    EXPECT_EQ(emulatedMachine().prepared.nodes, 16);
    const auto sample = (*point)->sample();
    ASSERT_TRUE(sample);
    EXPECT_DOUBLE_EQ(sample->us, 10);
    EXPECT_DOUBLE_EQ(sample->clockMhz, 1500);
    EXPECT_TRUE(backend_->oddities().empty());
    const auto alone = (*point)->isolatedUs();
    ASSERT_TRUE(alone);
    EXPECT_EQ(*alone, std::optional(12.0)) << "14 us with the bracket, which takes 2";

    auto other = backend_->prepare(spec, {.copies = 2, .calls = 8});
    ASSERT_TRUE(other);
    EXPECT_FALSE((*point)->sample()) << "the session holds another point";
    EXPECT_FALSE((*point)->isolatedUs());
    EXPECT_TRUE((*other)->sample());
}

TEST_F(CudaBackendTest, TellsOfThrottlingOnce) {
    emulatedMachine().throttleReasons = 0x4 | 0x20 | 0x1; // idle is no throttling
    auto point =
        backend_->prepare({.kernel = Kernel::Scalar, .size = {.k = 64, .n = 64}, .rowsM = 1, .kBits = 4}, {});
    ASSERT_TRUE((*point)->sample());
    EXPECT_EQ(backend_->oddities(), std::vector<std::string>{"throttled: power cap, heat"});
    EXPECT_TRUE(backend_->oddities().empty());
}

TEST_F(CudaBackendTest, RemembersTheConditions) {
    const auto first = backend_->conditions();
    EXPECT_EQ(first.at("temperature_c_first"), "40");
    EXPECT_EQ(first.at("temperature_c_last"), "40");
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
    backend_->oddities();
    backend_->oddities(); // not read again at once
    const auto facts = backend_->conditions();
    EXPECT_EQ(facts.at("temperature_c_first"), "40");
    EXPECT_EQ(facts.at("temperature_c_last"), "41");
    EXPECT_EQ(facts.at("power_mw_mean"), "275000");
    EXPECT_EQ(facts.at("power_mw_max"), "300000");
    EXPECT_EQ(facts.at("throttled_by"), "\"hardware slowdown\"");
    EXPECT_NE(facts.at("clock_policy").find("no application clocks"), std::string::npos);
    EXPECT_EQ(facts.count("memory_clock_mhz_min"), 0U) << "not known is left out";
}

TEST_F(CudaBackendTest, KnowsWhenApplicationClocksHoldTheClocks) {
    emulatedMachine().throttleReasons = 0x2;
    auto point =
        backend_->prepare({.kernel = Kernel::Scalar, .size = {.k = 64, .n = 64}, .rowsM = 1, .kBits = 4}, {});
    ASSERT_TRUE((*point)->sample());
    EXPECT_TRUE(backend_->oddities().empty()) << "a setting is no throttling";
    EXPECT_EQ(backend_->conditions().at("clock_policy"), "\"held by application clocks\"");
}

TEST_F(CudaBackendTest, CeilingsEndWithTheFirstFault) {
    emulatedMachine().sampling = CudaStatus::DeviceFault;
    const auto ceilings = backend_->measureCeilings({});
    ASSERT_FALSE(ceilings);
    EXPECT_EQ(ceilings.error().where, "ceilings");
    std::stop_source stop;
    stop.request_stop();
    const auto none = backend_->measureCeilings(stop.get_token());
    ASSERT_TRUE(none) << "nothing was asked of the device";
    EXPECT_TRUE(none->empty());
}

TEST_F(CudaBackendTest, AFailedSampleIsAnError) {
    auto point =
        backend_->prepare({.kernel = Kernel::Scalar, .size = {.k = 64, .n = 64}, .rowsM = 1, .kBits = 4}, {});
    emulatedMachine().sampling = CudaStatus::DeviceFault;
    const auto sample = (*point)->sample();
    ASSERT_FALSE(sample);
    EXPECT_NE(sample.error().what.find("made-up failure"), std::string::npos);
}

TEST_F(CudaBackendTest, MeasuresCeilingsAndSettles) {
    const auto ceilings = backend_->measureCeilings({});
    ASSERT_TRUE(ceilings);
    EXPECT_EQ(ceilings->at("empty_call_us"), "10");
    EXPECT_EQ(ceilings->at("read_gb_s"), "107374"); // 2^30 bytes in 10 us
    EXPECT_EQ(ceilings->at("read_4_gib_gb_s"), "429497");
    EXPECT_EQ(ceilings->at("copy_gb_s"), "214748");    // read and written
    EXPECT_EQ(ceilings->at("gemm_tflop_s"), "109951"); // 2 x 8192^3 in 10 us
    EXPECT_EQ(ceilings->at("host_to_device_gb_s"), "53687.1");
    EXPECT_EQ(ceilings->at("device_to_host_pageable_gb_s"), "26843.5");
    EXPECT_EQ(ceilings->at("both_ways_gb_s"), "107374");
    EXPECT_EQ(ceilings->at("host_to_device_us_of_65536_bytes"), "10");
    EXPECT_EQ(ceilings->at("device_to_host_us_of_67108864_bytes"), "10");
    EXPECT_EQ(ceilings->at("host_to_device_latency_us"), "9.99878"); // less 65536 bytes at 53687 GB/s
    EXPECT_EQ(ceilings->size(), 5U + 2 * 9 + 1 + 2);
    const auto clock = backend_->warmUp(1000, {});
    ASSERT_TRUE(clock);
    EXPECT_DOUBLE_EQ(*clock, 1500);
}

TEST_F(CudaBackendTest, KnowsItsDevice) {
    const DeviceInfo info = backend_->device();
    EXPECT_EQ(info.key, "cuda:0");
    EXPECT_EQ(info.hardware, "RTX4090");
    EXPECT_EQ(info.facts.at("compute_capability"), "\"8.9\"");
    EXPECT_EQ(info.facts.count("ecc"), 0U) << "not known is left out";
}

TEST(CudaFacts, AnotherBoardIsNotTakenForOneOfTheTable) {
    struct Board {
        const char* name;
        std::int64_t memoryMib;
        int busBits, memoryMhz;
        const char* hardware;
    };
    for (const Board& board :
         {Board{"NVIDIA A100-SXM4-80GB", 81920, 5120, 1593, "A100-SXM-80"},
          Board{"NVIDIA A100-SXM4-40GB", 40960, 5120, 1215, ""},
          Board{"NVIDIA A100 80GB PCIe", 81920, 5120, 1512, ""}, // 1,935 GB/s
          Board{"NVIDIA GeForce RTX 4090 D", 24564, 384, 10501, ""},
          Board{"NVIDIA GeForce RTX 5090 D", 32607, 512, 14001, ""},
          Board{"NVIDIA GeForce RTX 5090", 32607, 512, 14001, "RTX5090"},
          Board{"NVIDIA GH200 144G HBM3e", 146831, 6144, 3201, ""},
          Board{"NVIDIA GB200", 189471, 8192, 3996, "GB200-per-GPU"},
          Board{"NVIDIA H100 80GB HBM3", 81559, 5120, 0, "H100-SXM"}, // no clock is told
          Board{"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 97887, 512, 14001, ""}}) {
        CudaDeviceFacts facts{};
        std::snprintf(facts.name, sizeof facts.name, "%s", board.name);
        facts.memoryBytes = board.memoryMib << 20;
        facts.busWidthBits = board.busBits;
        facts.memoryClockMaxMHz = board.memoryMhz;
        EXPECT_EQ(deviceInfoOf(0, facts, CudaProbe{}).hardware, board.hardware) << board.name;
    }
}

TEST(CudaListing, SaysWhyThereIsNoGpu) {
    emulatedMachine() = {};
    EXPECT_EQ(listCudaDevices(emulatedPlugin(), "").devices.size(), 1U);
    emulatedMachine().status = CudaStatus::NoDriver;
    const CudaListing listing = listCudaDevices(emulatedPlugin(), "");
    EXPECT_TRUE(listing.devices.empty());
    EXPECT_NE(listing.missing.find("No NVIDIA driver"), std::string::npos);
    EXPECT_FALSE(openCudaBackend(emulatedPlugin(), 0, ""));
    EXPECT_NE(listCudaDevices("no-such-folder/plugin.so", "").missing.find("no CUDA plugin"),
              std::string::npos);
    emulatedMachine() = {};
}

TEST(Checkable, KeepsTheRestOfTheTiles) {
    const PointSpec spec{
        .kernel = Kernel::SwapAb, .size = {.k = 2048, .n = 151936 + 40}, .rowsM = 8, .kBits = 4};
    const PointSpec small = checkable(spec);
    EXPECT_EQ(small.size.k, 2048);
    EXPECT_EQ(small.size.n % 128, spec.size.n % 128);
    EXPECT_LE(small.size.elements(), 2.0 * (1 << 20));
    const PointSpec tiny{.kernel = Kernel::Scalar, .size = {.k = 64, .n = 64}, .rowsM = 1, .kBits = 4};
    EXPECT_EQ(checkable(tiny), tiny);
}

} // namespace
} // namespace loadline::gpu
