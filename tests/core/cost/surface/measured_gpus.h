// The GPUs of the shared measurements, as tests need them.
#pragma once

#include "core/cost/surface/gemm_surface.h"

#include <array>
#include <string>

namespace loadline::test {

/// Datasheet figures (models/hardware.json): GB/s, dense TFLOP/s.
struct MeasuredGpu {
    const char* folder;
    double bandwidthGbS;
    double fp16Tflops;
    double fp8Tflops;
    double fp4Tflops;
};

inline constexpr std::array<MeasuredGpu, 9> measuredGpus{
    {{"a100_sxm", 2039, 312, 0, 0},
     {"h100_sxm", 3350, 989, 1979, 0},
     {"h200_sxm", 4800, 989, 1979, 0},
     {"b200_sxm", 8000, 2250, 4500, 9000},
     {"b300_sxm", 8000, 2250, 4500, 14000},
     {"gb200", 8000, 2500, 5000, 10000},
     {"gb300", 8000, 2500, 5000, 15000},
     {"l40s", 864, 362, 733, 0},
     {"rtx_pro_6000_server", 1792, 467.8, 935.6, 1871.2}}};

inline MeasuredGpu measuredGpu(const std::string& folder) {
    for (const MeasuredGpu& gpu : measuredGpus) {
        if (folder == gpu.folder) {
            return gpu;
        }
    }
    return {};
}

inline GemmFormat gemmFormatOf(const MeasuredGpu& gpu, const std::string& column) {
    const bool isFp4 = column == "nvfp4";
    const double tflops = column == "bf16" ? gpu.fp16Tflops : isFp4 ? gpu.fp4Tflops : gpu.fp8Tflops;
    return {.bytesPerWeight = column == "bf16" ? 2
                              : isFp4          ? 0.5625
                                               : 1,
            .limits = {.bytesPerUs = gpu.bandwidthGbS * 1e3, .flopPerUs = tflops * 1e6}};
}

inline DeviceLimits limitsOf(const MeasuredGpu& gpu) {
    return {.bytesPerUs = gpu.bandwidthGbS * 1e3, .flopPerUs = gpu.fp16Tflops * 1e6};
}

} // namespace loadline::test
