// Swap-AB at 16 to 64 rows beside dequantise and cuBLAS, by counts: it loses nowhere, and which pipe binds
// it.
#include "core/cost/analytic/modelled_time.h"
#include "core/cost/device/hardware.h"
#include "core/cost/estimate/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace loadline {
namespace {

constexpr GemmSize upProjection{.k = 4096, .n = 14336};
constexpr int everyK[] = {2, 3, 4, 5};

double swapAbUs(const GpuFacts& gpu, GemmSize size, int rows, int kBits) {
    return modelledTime(gpu, Kernel::SwapAb, size, rows, kBits)->us;
}

double pairUs(const GpuFacts& gpu, GemmSize size, int rows, int kBits) {
    return modelledTime(gpu, Kernel::Dequantise, size, 0, kBits)->us +
           modelledTime(gpu, Kernel::CublasFp16, size, rows, fp16Bits)->us;
}

/// A pair that nobody has: no launch, every byte at the ceiling of reading, every operation at the
/// datasheet's peak.
double bestPairUs(const GpuFacts& gpu, GemmSize size, int rows, int kBits) {
    const Hardware& hardware = *findHardware(gpu.hardware);
    const ModelAssumptions assumed;
    const auto bytesUs = [&](double bytes) {
        return bytes / (hardware.bandwidthGbS * bytesPerUsOfGbS * assumed.readShare);
    };
    const KernelWork gemm = workOf(Kernel::CublasFp16, size, 1, rows, fp16Bits);
    return bytesUs(workOf(Kernel::Dequantise, size, 1, 0, kBits).bytes) +
           std::max(bytesUs(gemm.bytes), gemm.flop / (hardware.fp16Tflops * flopPerUsOfTflops));
}

TEST(ModelledManyRows, SwapAbNeverLosesToDequantiseAndCublas) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const GemmSize size : {GemmSize{.k = 512, .n = 2048},
                                    {.k = 4096, .n = 6144},
                                    upProjection,
                                    {.k = 14336, .n = 4096},
                                    {.k = 8192, .n = 28672}}) {
            for (const int k : everyK) {
                for (const int rows : {9, 16, 17, 32, 33, 48, 64}) {
                    EXPECT_LT(swapAbUs(gpu, size, rows, k), 0.6 * pairUs(gpu, size, rows, k))
                        << gpu.hardware << ' ' << textOf(size) << " k = " << k << " M = " << rows;
                }
            }
        }
    }
}

/// From a layer of an 8-billion-parameter model on not even to the best pair there can be.
TEST(ModelledManyRows, SwapAbDoesNotLoseToAPairWithoutAnyOverhead) {
    for (const GpuFacts& gpu : gpuTable()) {
        for (const GemmSize size : {GemmSize{.k = 4096, .n = 6144}, upProjection, {.k = 8192, .n = 28672}}) {
            for (const int k : everyK) {
                for (const int rows : {16, 32, 64}) {
                    EXPECT_LT(swapAbUs(gpu, size, rows, k), bestPairUs(gpu, size, rows, k))
                        << gpu.hardware << ' ' << textOf(size) << " k = " << k << " M = " << rows;
                }
            }
        }
    }
}

struct Binding {
    const char* gpu;
    int rows;
    KernelLimit limit;
    double mostShare; ///< of the pair's time
};

/// At k = 4 and 4096 x 14336. Where shared memory binds: of a turn's 78, 94 and 126 wavefronts the table of
/// pairs takes 32, x 16, 32 and 64.
constexpr Binding bindings[] = {
    {"A100", 16, KernelLimit::Shared, 0.16},    {"A100", 32, KernelLimit::Shared, 0.18},
    {"A100", 64, KernelLimit::Tensor, 0.25},    {"RTX4090", 16, KernelLimit::Memory, 0.14},
    {"RTX4090", 32, KernelLimit::Memory, 0.14}, {"RTX4090", 64, KernelLimit::Tensor, 0.21},
    {"H100", 16, KernelLimit::Shared, 0.16},    {"H100", 32, KernelLimit::Shared, 0.19},
    {"H100", 64, KernelLimit::Shared, 0.24},    {"H200", 64, KernelLimit::Shared, 0.33},
    {"B200", 16, KernelLimit::Shared, 0.32},    {"B200", 32, KernelLimit::Shared, 0.37},
    {"B200", 64, KernelLimit::Shared, 0.46},    {"RTX5090", 16, KernelLimit::Memory, 0.14},
    {"RTX5090", 32, KernelLimit::Tensor, 0.16}, {"RTX5090", 64, KernelLimit::Tensor, 0.30},
};

TEST(ModelledManyRows, TheBindingPipeIsKnown) {
    std::printf("GPU      M   swap-AB us  pair us  share  binding\n");
    for (const Binding& row : bindings) {
        const GpuFacts& gpu = *findGpu(row.gpu);
        const auto time = modelledTime(gpu, Kernel::SwapAb, upProjection, row.rows, 4);
        const double share = time->us / pairUs(gpu, upProjection, row.rows, 4);
        std::printf("%-8s %d  %10.1f  %7.1f  %5.2f  %s\n", row.gpu, row.rows, time->us,
                    pairUs(gpu, upProjection, row.rows, 4), share, std::string(wordsOf(time->limit)).c_str());
        EXPECT_EQ(time->limit, row.limit) << row.gpu << " M = " << row.rows;
        EXPECT_LT(share, row.mostShare) << row.gpu << " M = " << row.rows;
    }
}

} // namespace
} // namespace loadline
