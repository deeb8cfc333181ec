// Which kernels run the experts where the engine does not take those that the tables timed.
#pragma once

#include "core/cost/device/hardware.h"
#include "core/cost/engine/engine_version.h"

#include <cstdint>
#include <string_view>

namespace loadline {

enum class ExpertBackend : std::uint8_t {
    Table,            ///< the kernels of the table
    Marlin,           ///< weights of 4 bits unpacked in the kernel; pads the hidden size to 256
    FlashInferCutlass ///< constant::flashInferExpertsFactor of the table's time
};

/// Returns the backend of experts stored as `format` (the tables' word: "w4a16_mxfp4", "fp8_block").
///  - MXFP4 on Hopper: Marlin. InferenceX sets VLLM_MXFP4_USE_MARLIN=1 since 2026-01-02; 0.10.2 fits Marlin
///    without it. The tables hold Triton.
///  - FP8 by blocks on Hopper, 0.15 to 0.16: FlashInfer CUTLASS (vLLM issue 34249; pull request 34260 ends
///    it).
ExpertBackend expertBackendOf(std::string_view format, GpuGeneration generation,
                              const EngineVersion& version);

} // namespace loadline
