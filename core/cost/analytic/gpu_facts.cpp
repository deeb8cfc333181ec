// NVIDIA GPUs by their datasheets.
#include "core/cost/analytic/gpu_facts.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr int kib = 1024;

// Resident warps and blocks: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr std::array architectures = {
    GpuArchitecture{.number = 80,
                    .counted = 80,
                    .sharedBytes = 164 * kib,
                    .sharedBytesPerBlock = 163 * kib,
                    .warps = 64,
                    .blocks = 32,
                    .mmaShare = 1,
                    .cacheCycles = 210,
                    .memoryCycles = 550,
                    .cacheBytesPerClock = 5120,
                    .source = "164 KB: NVIDIA Ampere GPU Architecture Tuning Guide; 163 KB a block: card; "
                              "latencies of the A100 SXM: github.com/markdewing/AI_kernels; L2 7219 GB/s at "
                              "1410 MHz: doi 10.1016/j.ultsonch.2023.106546, table 3"},
    GpuArchitecture{.number = 89,
                    .counted = 80, // the same loops (sass_test.cpp)
                    .sharedBytes = 100 * kib,
                    .sharedBytesPerBlock = 99 * kib,
                    .warps = 48,
                    .blocks = 24,
                    .mmaShare = 1,
                    .cacheCycles = 296,
                    .memoryCycles = 636,
                    .source =
                        "shared memory: card; latencies of the RTX 4090: github.com/markdewing/AI_kernels"},
    GpuArchitecture{.number = 90,
                    .counted = 90,
                    .sharedBytes = 228 * kib,
                    .sharedBytesPerBlock = 227 * kib,
                    .warps = 64,
                    .blocks = 32,
                    .mmaShare = 0.63,
                    .cacheCycles = 291,
                    .memoryCycles = 700,
                    .cacheBytesPerClock = 5120,
                    .source = "228 KB: 3eyedtech.com/gpgpu, 227 KB a block: notes.haroldbenoit.com; mma.sync "
                              "at 0.63 of the peak: arXiv 2402.13499, its table not re-read; latencies of "
                              "the H100 SXM: github.com/markdewing/AI_kernels; L2 8986 GB/s at 1755 MHz: doi "
                              "10.1016/j.ultsonch.2023.106546, table 3"},
    GpuArchitecture{.number = 100,
                    .counted = 100,
                    .sharedBytes = 228 * kib,
                    .sharedBytesPerBlock = 227 * kib,
                    .warps = 64,
                    .blocks = 32,
                    .mmaShare = 0.31,
                    .cacheCycles = 295,
                    .memoryCycles = 860,
                    .source =
                        "228 KB: mortalapps.com; mma.sync: no figure was found, taken as 9.0's per "
                        "multiprocessor and clock; latencies of the B200: github.com/markdewing/AI_kernels"},
    GpuArchitecture{.number = 120,
                    .counted = 120,
                    .sharedBytes = 100 * kib,
                    .sharedBytesPerBlock = 99 * kib,
                    .warps = 48,
                    .blocks = 24,
                    .mmaShare = 1,
                    .cacheCycles = 360,
                    .memoryCycles = 936,
                    .source =
                        "shared memory: card; latencies of the RTX 5090: github.com/markdewing/AI_kernels"},
};

constexpr std::array gpus = {
    GpuFacts{.hardware = "A100-SXM-80",
             .name = "NVIDIA A100-SXM4-80GB",
             .architecture = 80,
             .multiprocessors = 108,
             .clockMhz = 1410,
             .source = "108 at 1410 MHz: sysrqmts.com (A100 PCIe, the same chip)"},
    GpuFacts{.hardware = "H100-SXM",
             .name = "NVIDIA H100 SXM5 80GB",
             .architecture = 90,
             .multiprocessors = 132,
             .clockMhz = 1980,
             .source = "132 at 1.98 GHz: glennklockwood.com H100"},
    GpuFacts{.hardware = "H200-SXM",
             .name = "NVIDIA H200",
             .architecture = 90,
             .multiprocessors = 132,
             .clockMhz = 1980,
             .source = "the chip of the H100: glennklockwood.com H100"},
    GpuFacts{.hardware = "B200-HGX",
             .name = "NVIDIA B200",
             .architecture = 100,
             .multiprocessors = 148,
             .clockMhz = 1980,
             .source = "148 at 1.98 GHz: hmc-tech.com; 75 TFLOP/s of fp32: verda.com"},
    GpuFacts{.hardware = "GB200-per-GPU",
             .name = "NVIDIA GB200",
             .architecture = 100,
             .multiprocessors = 148,
             .clockMhz = 1980,
             .source = "the chip of the B200, 75 TFLOP/s of fp32: verda.com; the number of multiprocessors: "
                       "card"},
    GpuFacts{.hardware = "B300",
             .name = "NVIDIA B300",
             .architecture = 100,
             .multiprocessors = 148,
             .clockMhz = 1980,
             .source = "75 TFLOP/s of fp32: verda.com; 148 multiprocessors: card (the whole chip has 160); "
                       "compute capability 10.3 runs the code of 10.0"},
    GpuFacts{.hardware = "GB300-per-GPU",
             .name = "NVIDIA GB300",
             .architecture = 100,
             .multiprocessors = 148,
             .clockMhz = 1980,
             .source = "taken as the chip of the B300; its number of multiprocessors was not found"},
    GpuFacts{.hardware = "RTX4090",
             .name = "NVIDIA GeForce RTX 4090",
             .architecture = 89,
             .multiprocessors = 128,
             .clockMhz = 2520,
             .source = "128 at 2520 MHz: holynerdvana.blogspot.com, thefpsreview.com"},
    GpuFacts{.hardware = "RTX5090",
             .name = "NVIDIA GeForce RTX 5090",
             .architecture = 120,
             .multiprocessors = 170,
             .clockMhz = 2407,
             .source = "170 at 2407 MHz: Linux Format, May 2025"},
    GpuFacts{.hardware = "RTX-PRO-6000-Server",
             .name = "NVIDIA RTX PRO 6000 Blackwell Server Edition",
             .architecture = 120,
             .multiprocessors = 188,
             .clockMhz = 2430,
             .source = "188: torch device properties of the Server Edition in public text; 2430 MHz: "
                       "rtx_pro_6000_server.yaml of ai-dynamo/aiconfigurator 095f58a5"},
    GpuFacts{.hardware = "L40S",
             .name = "NVIDIA L40S",
             .architecture = 89,
             .multiprocessors = 142,
             .clockMhz = 2520,
             .source = "142 at 2520 MHz: computizer.com"},
    GpuFacts{.hardware = "A800-SXM",
             .name = "NVIDIA A800-SXM4-80GB",
             .architecture = 80,
             .multiprocessors = 108,
             .clockMhz = 1410,
             .source = "the chip of the A100: card"},
    GpuFacts{.hardware = "H800",
             .name = "NVIDIA H800",
             .architecture = 90,
             .multiprocessors = 132,
             .clockMhz = 1980,
             .source = "the chip of the H100: card"},
};

} // namespace

std::span<const GpuFacts> gpuTable() {
    return gpus;
}

const GpuFacts* findGpu(std::string_view name) {
    const auto found = std::ranges::find_if(gpus, [&](const GpuFacts& gpu) {
        const std::size_t digit = gpu.hardware.find_first_of("0123456789");
        return gpu.hardware == name || gpu.hardware.substr(0, gpu.hardware.find('-', digit)) == name;
    });
    return found == gpus.end() ? nullptr : &*found;
}

const GpuArchitecture& architectureOf(const GpuFacts& gpu) {
    return *std::ranges::find(architectures, gpu.architecture, &GpuArchitecture::number);
}

} // namespace loadline
