// What the host's kernels are compared with, measured in the same run.
#pragma once

#include "gpu/host/host_runner.h"

#include <chrono>
#include <cstddef>

namespace loadline::bench {

template <typename Body>
double secondsOf(Body body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Between two readings of the same memory.
inline constexpr std::size_t rotatedBytes = std::size_t{160} << 20;

/// One for each number of threads, OpenBLAS set to as many.
gpu::HostRunner& runner(unsigned threads);
/// rotatedBytes of memory.
const gpu::AlignedVector<std::uint64_t>& largeData();
/// In bytes a second, the best of several passes.
double readBandwidth(unsigned threads);
/// Of the own fp16 GEMM at 2048 x 2048 x 2048, in FLOP a second, the best of several.
double gemmRate(unsigned threads);

} // namespace loadline::bench
