// Figures of the hardware table that go together.
#include "core/cost/device/hardware.h"

#include "core/cost/analytic/gpu_facts.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Hardware, GenerationsAreThoseOfTheComputeCapability) {
    for (const Hardware& hardware : hardwareTable()) {
        const GpuFacts* const gpu = findGpu(hardware.key);
        switch (gpu == nullptr ? 0 : gpu->architecture) {
        case 80:
            EXPECT_EQ(hardware.generation, GpuGeneration::Ampere) << hardware.key;
            break;
        case 89:
            EXPECT_EQ(hardware.generation, GpuGeneration::Ada) << hardware.key;
            break;
        case 90:
            EXPECT_EQ(hardware.generation, GpuGeneration::Hopper) << hardware.key;
            break;
        case 100:
            EXPECT_EQ(hardware.generation, GpuGeneration::BlackwellDataCentre) << hardware.key;
            break;
        case 120:
            EXPECT_EQ(hardware.generation, GpuGeneration::BlackwellWorkstation) << hardware.key;
            break;
        default:
            EXPECT_EQ(hardware.generation, GpuGeneration::Other) << hardware.key;
        }
    }
}

TEST(Hardware, VisibleMemoryIsBelowTheMemoryAsSold) {
    constexpr double gib = 1024.0 * 1024 * 1024;
    for (const Hardware& hardware : hardwareTable()) {
        EXPECT_LE(hardware.visibleBytes, hardware.memoryGb * gib) << hardware.key;
        if (hardware.visibleBytes > 0) {
            EXPECT_GE(hardware.visibleBytes, 0.9 * hardware.memoryGb * gib) << hardware.key;
        }
    }
    EXPECT_NEAR(findHardware("B300")->visibleBytes / gib, 268.6, 0.05);
    EXPECT_NEAR(findHardware("GB300-per-GPU")->visibleBytes / gib, 277.5, 0.05);
    EXPECT_NEAR(findHardware("GB200-per-GPU")->visibleBytes / gib, 185.0, 0.05);
}

TEST(Hardware, FiguresBeyondTheRooflineHaveASource) {
    for (const Hardware& hardware : hardwareTable()) {
        const bool stated = hardware.fp8Tflops + hardware.int8Tflops + hardware.fp4Tflops +
                                hardware.fp32Tflops + hardware.linkGbS >
                            0;
        EXPECT_EQ(stated, !hardware.detailSource.empty()) << hardware.key;
        EXPECT_TRUE(hardware.generation == GpuGeneration::Other || hardware.pcieGbS > 0) << hardware.key;
        EXPECT_GE(hardware.linkGbS, hardware.pcieGbS) << hardware.key;
        EXPECT_TRUE(hardware.fp8Tflops == 0 || hardware.fp8Tflops >= hardware.fp16Tflops) << hardware.key;
    }
}

} // namespace
} // namespace loadline
