// Machines with several devices, with one that is too old, and without any.
#include "tests/gpu/rehearse/rehearsal.h"

#include <unistd.h>

#include <algorithm>

namespace loadline::gpu::rehearse {
namespace {

class DeviceRehearsal : public Rehearsal {};

TEST_F(DeviceRehearsal, EveryDeviceIsListedWithItsFacts) {
    StagedDevice old = rtx3050();
    old.name = "NVIDIA TITAN RTX";
    old.computeMajor = 7;
    old.computeMinor = 5;
    stageOf({h100(), rtx4090(), old});
    const CudaListing listing = listCudaDevices(plugin(), "salt");
    ASSERT_EQ(listing.devices.size(), 3U);
    EXPECT_EQ(listing.missing, "");
    EXPECT_NE(listing.cublas.find("13.1.0"), std::string::npos) << listing.cublas;
    EXPECT_EQ(listing.devices[0].hardware, "H100-SXM");
    EXPECT_EQ(listing.devices[1].facts.at("multiprocessors"), "128");
    EXPECT_NE(listing.devices[0].facts.at("identity"), listing.devices[1].facts.at("identity"));
    EXPECT_EQ(listing.devices[1].unavailable, "");
    EXPECT_NE(listing.devices[2].unavailable, "");
    EXPECT_FALSE(openCudaBackend(plugin(), 2, "salt"));
    EXPECT_FALSE(openCudaBackend(plugin(), 3, "salt"));
}

/// Two sessions side by side, used in turns: each on its own device.
TEST_F(DeviceRehearsal, SessionsKeepToTheirDevices) {
    stageOf({cut(h100(), 3), cut(rtx4090(), 2)});
    const auto first = open(0);
    const auto second = open(1);
    const PointSpec spec{.kernel = Kernel::SwapAb, .size = {.k = 512, .n = 40}, .rowsM = 2, .kBits = 4};
    auto point = first->prepare(spec, {.copies = 2, .calls = 2});
    ASSERT_TRUE(point);
    EXPECT_TRUE(second->check(spec, 3)->passed);
    EXPECT_TRUE((*point)->sample()) << "the other session has chosen its device since";
    auto other = second->prepare(spec, {.copies = 2, .calls = 2});
    ASSERT_TRUE(other);
    ASSERT_TRUE((*point)->isolatedUs());
    EXPECT_TRUE((*other)->sample());
    const auto blocksOn = [](int device) {
        std::int64_t most = 0;
        for (const SeenLaunch& launch : launches()) {
            if (launch.device == device && launch.kernel.rfind("swapAb", 0) == 0) {
                most = std::max(most, launch.grid[0]);
            }
        }
        return most;
    };
    EXPECT_GT(blocksOn(0), 0);
    EXPECT_GT(blocksOn(1), 0);
}

TEST_F(DeviceRehearsal, WhatIsMissingIsSaid) {
    Stage none;
    begin(none);
    EXPECT_NE(listCudaDevices(plugin(), "").missing.find("no GPU"), std::string::npos);
    none.driverCuda = 0;
    begin(none);
    EXPECT_NE(listCudaDevices(plugin(), "").missing.find("No NVIDIA driver"), std::string::npos);
    none.driverCuda = 12040;
    begin(none);
    EXPECT_NE(listCudaDevices(plugin(), "").missing.find("supports CUDA 12.4"), std::string::npos);
    EXPECT_FALSE(openCudaBackend(plugin(), 0, ""));
}

/// Persistent grids hold what the device does: by its shared memory, registers and threads.
TEST_F(DeviceRehearsal, GridsFillTheDevice) {
    const auto launchOn = [&](const StagedDevice& device, std::int64_t n, int bits = 4) {
        stageOf({device});
        const auto backend = open();
        auto point =
            backend->prepare({Kernel::SwapAb, {.k = 2048, .n = n}, 1, 1, bits}, {.copies = 1, .calls = 1});
        EXPECT_TRUE(point);
        return launches().back();
    };
    EXPECT_EQ(launchOn(h100(), 4800).grid[0], 2 * 132);
    EXPECT_EQ(launchOn(h100(), 64).grid[0], 4) << "no more blocks than steps of 512 K and 64 N";
    EXPECT_EQ(launchOn(h100(), 64).sharedBytes, 105488) << "a ring of three stages";
    EXPECT_EQ(launchOn(h100(), 4800, 5).grid[0], 2 * 132) << "a shallower ring before fewer blocks";
    EXPECT_EQ(launchOn(rtx4090(), 4800).grid[0], 128) << "one block a multiprocessor";
    EXPECT_EQ(launchOn(rtx4090(), 64).sharedBytes, 99216) << "of two";
    EXPECT_EQ(launchOn(rtx4090(), 4800, 2).grid[0], 2 * 128) << "two of two stages before one of four";
}

/// In a container NVML names this process by a number that it does not know.
TEST_F(DeviceRehearsal, ItsOwnProcessIsNoOtherProgram) {
    const auto others = [&](const std::vector<unsigned>& processes) {
        stageOf({cut(h100(), 2)});
        stage().processes = processes;
        return open()->device().facts.at("other_processes");
    };
    const auto me = static_cast<unsigned>(getpid());
    EXPECT_EQ(others({}), "0");
    EXPECT_EQ(others({me}), "0");
    EXPECT_EQ(others({me, me + 1}), "1");
    EXPECT_EQ(others({me + 1}), "0") << "it has a context, so that is its own";
    EXPECT_EQ(others({me + 1, me + 2}), "1");
}

} // namespace
} // namespace loadline::gpu::rehearse
