// Memory, bandwidth and arithmetic of devices: what a roofline is made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// 1 GB/s, 1 TFLOP/s.
inline constexpr double bytesPerUsOfGbS = 1e3;
inline constexpr double flopPerUsOfTflops = 1e6;

/// Generation of a GPU's architecture: decides which attention and matrix kernels an engine chooses. Compute
/// capability 8.0 is Ampere, 8.9 Ada, 9.0 Hopper, 10.x Blackwell of data centres, 12.x of workstations.
enum class GpuGeneration : std::uint8_t {
    Other, ///< not NVIDIA's
    Ampere,
    Ada,
    Hopper,
    BlackwellDataCentre,
    BlackwellWorkstation
};

/// A device as its makers describe it; dense throughput, without sparsity. Every figure from fp8Tflops on is
/// 0 where the device has none of it or no source states it.
struct Hardware {
    std::string key;         ///< "H100-SXM"
    double memoryGb = 0;     ///< as sold
    double bandwidthGbS = 0; ///< 1e9 bytes a second
    double fp16Tflops = 0;   ///< fp16 inputs, fp32 accumulation
    std::string source{};    ///< of the three figures above
    GpuGeneration generation = GpuGeneration::Other;
    double fp8Tflops = 0;
    double int8Tflops = 0;   ///< 1e12 operations a second
    double fp4Tflops = 0;    ///< of fp4 inputs
    double fp32Tflops = 0;   ///< of fp32 arithmetic, not TF32
    double l2Mb = 0;         ///< L2 cache, MiB
    /// 1e9 bytes a second in one direction to the other GPUs of the server: NVLink, or PCIe without NVLink.
    double linkGbS = 0;
    double pcieGbS = 0;         ///< 1e9 bytes a second in one direction to the host
    double visibleBytes = 0;    ///< memory that the driver shows, below memoryGb as sold
    std::string detailSource{}; ///< of the figures from fp8Tflops on
    bool operator==(const Hardware&) const = default;
};

const std::vector<Hardware>& hardwareTable();
/// True if the kernels of one run on the other: Apple's chips, and NVIDIA's GPUs, which are all the others.
bool isSameKind(const Hardware& one, const Hardware& other);
const Hardware* findHardware(std::string_view key); ///< null where it is not known

} // namespace loadline
