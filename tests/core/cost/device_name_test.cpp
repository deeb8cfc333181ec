// Names of devices as drivers, files and users write them, and the device of the table that each means.
#include "core/cost/device/device_name.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/device/hardware.h"
#include "core/cost/import/import_kernels.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/named_device.h"
#include "core/cost/import/read_profile.h"
#include "core/cost/profile/profile_json.h"
#include "tests/core/cost/timed_points.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace loadline {
namespace {

struct NamedBoard {
    std::string_view name;
    std::string_view key; ///< "": none
};

/// Names as NVIDIA's driver prints them (the table of supported GPUs in the README of
/// NVIDIA/open-gpu-kernel-modules, logs of nvidia-smi and torch for Blackwell and MIG).
constexpr NamedBoard printed[] = {
    {"NVIDIA A100-SXM4-80GB", "A100-SXM-80"},
    {"NVIDIA A100-SXM4-40GB", ""},
    {"NVIDIA A100-SXM-64GB", ""},
    {"NVIDIA A100-PCIE-40GB", ""},
    {"NVIDIA A100 80GB PCIe", ""},
    {"NVIDIA A100-PG509-200", ""},
    {"NVIDIA A100-SXM4-80GB MIG 1g.10gb", ""},
    {"NVIDIA A100-SXM4-80GB MIG 3g.40gb", ""},
    {"NVIDIA A100-SXM4-80GB MIG 7g.80gb", ""},
    {"GRID A100D-80C", ""},
    {"NVIDIA A100X", ""},
    {"NVIDIA A800-SXM4-80GB", "A800-SXM"},
    {"NVIDIA A800-SXM4-40GB", ""},
    {"NVIDIA A800 80GB PCIe", ""},
    {"NVIDIA A800 80GB PCIe LC", ""},
    {"NVIDIA A800 40GB Active", ""},
    {"NVIDIA A30", ""},
    {"NVIDIA A10G", ""},
    {"NVIDIA A40", ""},
    {"NVIDIA RTX A6000", ""},
    {"NVIDIA H100 80GB HBM3", "H100-SXM"},
    {"NVIDIA H100", ""},
    {"NVIDIA H100 PCIe", ""},
    {"NVIDIA H100 NVL", ""},
    {"NVIDIA H100 64GB HBM2", ""},
    {"NVIDIA H100 96GB HBM3", ""},
    {"NVIDIA H100 80GB HBM2e", ""},
    {"NVIDIA H100 80GB HBM3 MIG 1g.10gb", ""},
    {"NVIDIA GH200 480GB", ""},
    {"NVIDIA GH200 120GB", ""},
    {"NVIDIA GH200 144G HBM3e", ""},
    {"NVIDIA H200", "H200-SXM"},
    {"NVIDIA H200 NVL", ""},
    {"NVIDIA H200 MIG 1g.18gb", ""},
    {"NVIDIA H800", "H800"},
    {"NVIDIA H800 PCIe", ""},
    {"NVIDIA H800 NVL", ""},
    {"NVIDIA H20", ""},
    {"NVIDIA H20-3e", ""},
    {"NVIDIA B200", "B200-HGX"},
    {"NVIDIA B200 MIG 1g.23gb", ""},
    {"NVIDIA GB200", "GB200-per-GPU"},
    {"NVIDIA B300 SXM6 AC", "B300"},
    {"NVIDIA GB300", "GB300-per-GPU"},
    {"NVIDIA GB10", ""},
    {"NVIDIA Thor", ""},
    {"NVIDIA GeForce RTX 4090", "RTX4090"},
    {"NVIDIA GeForce RTX 4090 D", ""},
    {"NVIDIA GeForce RTX 4090 Laptop GPU", ""},
    {"NVIDIA GeForce RTX 4080 SUPER", ""},
    {"NVIDIA GeForce RTX 4070 Ti SUPER", ""},
    {"NVIDIA GeForce RTX 5090", "RTX5090"},
    {"NVIDIA GeForce RTX 5090 D", ""},
    {"NVIDIA GeForce RTX 5090 D v2", ""},
    {"NVIDIA GeForce RTX 5090 Laptop GPU", ""},
    {"NVIDIA GeForce RTX 5080", ""},
    {"NVIDIA GeForce RTX 3090 Ti", ""},
    {"NVIDIA TITAN RTX", ""},
    {"Quadro RTX 6000", ""},
    {"NVIDIA RTX 6000 Ada Generation", ""},
    {"NVIDIA RTX 5000 Ada Generation Laptop GPU", ""},
    {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX-PRO-6000-Server"},
    {"NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb", ""},
    {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", ""},
    {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", ""},
    {"NVIDIA RTX PRO 5000 Blackwell", ""},
    {"NVIDIA L40S", "L40S"},
    {"NVIDIA L40S-48Q", ""},
    {"NVIDIA L40", ""},
    {"NVIDIA L40G", ""},
    {"NVIDIA L4", ""},
    {"NVIDIA L20", ""},
    {"Tesla V100-SXM2-32GB", ""},
    {"Tesla T4", ""},
    {"NVIDIA Graphics Device", ""},
    {"Apple M3 Max", ""},
    {"Apple M4", ""},
    {"Apple M4 Pro", ""},
    {"Apple M4 Max", ""},
    {"Apple M3 Ultra", ""},
    {"AMD Instinct MI300X", ""},
};

TEST(DeviceName, APrintedNameMeansItsBoardOrNone) {
    static_assert(std::size(printed) >= 60);
    for (const NamedBoard& board : printed) {
        EXPECT_EQ(hardwareNamed(board.name), board.key) << board.name;
        Profile profile;
        setDevice(profile, board.name);
        EXPECT_EQ(profile.hardware, board.key) << board.name;
        EXPECT_EQ(profile.device, board.name);
        const auto read = profileFromKernelCsv(
            fmt::format("kernel,K,N,M,k_bits,time_us,device\nmma,4096,4096,1,4,20,{}\n", board.name),
            "t.csv");
        ASSERT_TRUE(read) << read.error().sentence();
        EXPECT_EQ(read->hardware, board.key) << board.name;
        const auto nvbench = profileFromNvbench(
            fmt::format(
                R"({{"devices": [{{"id": 0, "name": "{}"}}], "benchmarks": [{{"name": "mma", "states": [
                {{"device": 0, "is_skipped": false, "axis_values": [{{"name": "K", "value": "4096"}},
                {{"name": "N", "value": "4096"}}, {{"name": "M", "value": "1"}}, {{"name": "k_bits", "value": "4"}}],
                "summaries": [{{"tag": "nv/cold/time/gpu/mean", "data": [{{"name": "value",
                "value": "0.00002"}}]}}]}}]}}]}})",
                board.name),
            "t.json");
        ASSERT_TRUE(nvbench) << nvbench.error().sentence();
        EXPECT_EQ(nvbench->hardware, board.key) << board.name;
    }
}

TEST(DeviceName, UsersAndFilesWriteItOtherwise) {
    for (const auto& [name, key] : {NamedBoard{"h100-sxm", "H100-SXM"},
                                    {"H100 SXM5", "H100-SXM"},
                                    {"NVIDIA-H100-80GB-HBM3", "H100-SXM"}, // a label of a cluster
                                    {"nvidia a100 80 GB SXM4", "A100-SXM-80"},
                                    {"A100-SXM-80", "A100-SXM-80"},
                                    {"A100", ""}, // of 40, 64 or 80 GB
                                    {"A100-SXM", ""},
                                    {"A100-80GB", ""}, // PCIe has 1,935 GB/s
                                    {"H100", ""},
                                    {"RTX", ""},
                                    {"RTX PRO 6000", ""},
                                    {"RTX-PRO-6000-Server", "RTX-PRO-6000-Server"},
                                    {"rtx4090", "RTX4090"},
                                    {"GeForce RTX 4090 24GB", "RTX4090"},
                                    {"GeForce RTX 4090 48GB", ""}, // sold with more memory
                                    {"RTX4090D", ""},
                                    {"RTX 4090 Mobile", ""},
                                    {"HGX B200", "B200-HGX"},
                                    {"NVIDIA H200 141GB HBM3e", "H200-SXM"},
                                    {"GB300-per-GPU", "GB300-per-GPU"},
                                    {"M3-Max-40c", "M3-Max-40c"},
                                    {"8 x H100 SXM", ""},
                                    {"", ""},
                                    {" ", ""}}) {
        EXPECT_EQ(hardwareNamed(name), key) << name;
    }
    for (const Hardware& hardware : hardwareTable()) {
        EXPECT_EQ(hardwareNamed(hardware.key), hardware.key);
    }
    for (const GpuFacts& gpu : gpuTable()) {
        EXPECT_EQ(hardwareNamed(gpu.name), gpu.hardware);
    }
}

TEST(DeviceName, StatedMemoryAndBandwidthMustAgree) {
    constexpr double mib = 1024.0 * 1024;
    EXPECT_EQ(hardwareNamed("NVIDIA L40S", {.memoryBytes = 46068 * mib, .bandwidthGbS = 864.1}), "L40S");
    EXPECT_EQ(hardwareNamed("NVIDIA H100 80GB HBM3", {.memoryBytes = 81559 * mib, .bandwidthGbS = 3352.3}),
              "H100-SXM");
    EXPECT_EQ(hardwareNamed("NVIDIA H200", {.memoryBytes = 143771 * mib}), "H200-SXM");
    EXPECT_EQ(hardwareNamed("NVIDIA B200", {.memoryBytes = 183359 * mib}), "B200-HGX");
    EXPECT_EQ(hardwareNamed("NVIDIA B300 SXM6 AC", {.memoryBytes = 275040 * mib}), "B300");
    EXPECT_EQ(hardwareNamed("NVIDIA RTX PRO 6000 Blackwell Server Edition", {.memoryBytes = 97887 * mib}),
              "RTX-PRO-6000-Server");
    EXPECT_EQ(hardwareNamed("NVIDIA GeForce RTX 4090", {.memoryBytes = 24564 * mib}), "RTX4090");
    EXPECT_EQ(hardwareNamed("NVIDIA GeForce RTX 4090", {.memoryBytes = 16376 * mib}), "") << "a laptop's";
    EXPECT_EQ(hardwareNamed("NVIDIA GeForce RTX 4090", {.memoryBytes = 49140 * mib}), "") << "rebuilt";
    EXPECT_EQ(hardwareNamed("NVIDIA GeForce RTX 4090", {.bandwidthGbS = 576}), "") << "a laptop's";
    EXPECT_EQ(hardwareNamed("NVIDIA H200", {.memoryBytes = 20 * 1024 * mib}), "") << "a slice";
}

TEST(DeviceName, ASavedProfileOfAnotherBoardLosesItsKey) {
    const auto hardwareSaved = [](const char* device, const char* key) {
        Profile profile;
        profile.device = device;
        profile.hardware = key;
        profile.points.push_back(test::densePoint(Kernel::Mma, 1, 3));
        return profileFromJson(toJson(profile), "p.json")->hardware;
    };
    EXPECT_EQ(hardwareSaved("NVIDIA A100-SXM4-40GB", "A100-SXM-80"), "");
    EXPECT_EQ(hardwareSaved("NVIDIA GeForce RTX 4090 Laptop GPU", "RTX4090"), "");
    EXPECT_EQ(hardwareSaved("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX-PRO-6000-Server"), "");
    EXPECT_EQ(hardwareSaved("NVIDIA H100 80GB HBM3", "H100-SXM"), "H100-SXM");
    EXPECT_EQ(hardwareSaved("our H100 box", "H100-SXM"), "H100-SXM") << "its author says so";
    EXPECT_EQ(hardwareSaved("", "B300"), "B300");
}

TEST(DeviceName, ATableOfPlainTimesIsTheH100sByItsOwnName) {
    const auto hardwareRead = [](const char* path) {
        return readProfile("m,n,k,time_us\n1,64,32,2.5\n", path)->hardware;
    };
    EXPECT_EQ(hardwareRead("kernels/aiconfigurator_h100_sxm/gemm_bf16.csv"), "H100-SXM");
    EXPECT_EQ(hardwareRead("h100_gemm.csv"), "H100-SXM");
    EXPECT_EQ(hardwareRead("h100_pcie/gemm.csv"), "");
    EXPECT_EQ(hardwareRead("gemm_h100_nvl.csv"), "");
    EXPECT_EQ(hardwareRead("gh100/gemm.csv"), "");
    EXPECT_EQ(hardwareRead("work/h100/tables/l40s/gemm.csv"), "") << "a folder further up";
}

} // namespace
} // namespace loadline
