// Operations of the thread that a kernel runs in: the words shared by the device's lane and the emulated one.
#pragma once

#include <cstdint>

// Kernels are templates over a Lane. DeviceLane maps its words to single instructions; the tests'
// EmulatedLane runs the same kernel source on the host, thread by thread, with deferred asynchronous copies
// and poisoned shared memory. Halves are 16-bit patterns (std::uint16_t) and pairs of them 32-bit words, low
// half first.
#ifdef __CUDACC__
#define LOADLINE_LANE __device__ __forceinline__
#define LOADLINE_UNROLL _Pragma("unroll")
#define LOADLINE_ROLLED _Pragma("unroll 1")
#else
#define LOADLINE_LANE inline
#define LOADLINE_UNROLL
#define LOADLINE_ROLLED
#endif

namespace loadline::gpu {

inline constexpr int warpLanes = 32;

/// Sixteen bytes, moved by one instruction.
struct alignas(16) Chunk {
    std::uint32_t word[4];
};

/// Eight bytes, moved by one instruction.
struct alignas(8) HalfChunk {
    std::uint32_t word[2];
};

/// The four results of one m16n8k16 of a lane: rows lane/4 and lane/4 + 8, columns 2 (lane%4) and the next;
/// index = 2 * (lower row) + (right column).
struct MmaResult {
    float value[4];
};

LOADLINE_LANE std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

} // namespace loadline::gpu
