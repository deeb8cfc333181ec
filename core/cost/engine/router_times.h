// Times of an experts' router whose GEMM has FP32 inputs.
#pragma once

#include "core/cost/engine/expert_backend.h"

#include <cstdint>
#include <optional>

namespace loadline {

enum class RouterArithmetic : std::uint8_t {
    Fp32, ///< without tensor cores: PyTorch's default
    Tf32  ///< VLLM_FLOAT32_MATMUL_PRECISION=high
};

struct RouterShape {
    double hidden = 0;
    double experts = 0;
    bool operator==(const RouterShape&) const = default;
};

struct RouterTime {
    double us = 0;
    bool isOwnShape = false; ///< the shape was measured; if false, the time is scaled from its neighbours
};

/// Returns the time of the router's GEMM alone, without the cast of its input; null on other GPUs than those
/// below: nothing was measured there.
///  - Hopper: our measurements on an H100 (tests/data/kernels/h100_router.csv), linear in rows; a shape
///    between two measured ones with as many experts is linear in hidden; else the nearest shape's time, the
///    part above its time at 1 row scaled by hidden * experts.
///  - Blackwell of data centres: GB200, hidden 6144, 256 experts, up to 1,024 rows (vLLM pull request
///    47973), scaled by hidden * experts; beyond: at least 2 * rows * hidden * experts / (fp32Share *
///    blackwellFp32Tflops).
std::optional<RouterTime> routerTime(GpuGeneration generation, RouterArithmetic arithmetic,
                                     const RouterShape& shape, double rows);

} // namespace loadline
