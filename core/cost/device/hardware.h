// Memory, bandwidth and arithmetic of devices: what a roofline is made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// 1 GB/s, 1 TFLOP/s.
inline constexpr double bytesPerUsOfGbS = 1e3;
inline constexpr double flopPerUsOfTflops = 1e6;

/// A device as its makers describe it; dense throughput, without sparsity.
struct Hardware {
    std::string key;         ///< "H100-SXM"
    double memoryGb = 0;     ///< as sold
    double bandwidthGbS = 0; ///< 1e9 bytes a second
    double fp16Tflops = 0;   ///< fp16 inputs, fp32 accumulation
    std::string source;
    bool operator==(const Hardware&) const = default;
};

const std::vector<Hardware>& hardwareTable();
/// True if the kernels of one run on the other: Apple's chips, and NVIDIA's GPUs, which are all the others.
bool isSameKind(const Hardware& one, const Hardware& other);
const Hardware* findHardware(std::string_view key); ///< null where it is not known

} // namespace loadline
