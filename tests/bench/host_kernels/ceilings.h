// What the host's kernels are compared with, measured in the same run.
#pragma once

#include "gpu/host/host_runner.h"

#include <time.h>

#include <cstddef>
#include <cstdint>

namespace loadline::bench {

/// Of one thread its time on the processor, so that what other programs take does not count; of more threads
/// the time that passes.
inline double secondsSoFar(unsigned threads) {
    timespec now = {};
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename Body>
double secondsOf(unsigned threads, Body body) {
    const double begin = secondsSoFar(threads);
    body();
    return secondsSoFar(threads) - begin;
}

/// Between two readings of the same memory.
inline constexpr std::size_t rotatedBytes = std::size_t{160} << 20;

/// One for each number of threads, OpenBLAS set to as many.
gpu::HostRunner& runner(unsigned threads);
/// rotatedBytes of memory.
const gpu::AlignedVector<std::uint64_t>& largeData();
/// What is read at a time beside kernels, another part of the memory each round.
inline constexpr std::size_t sliceBytes = rotatedBytes / 5;
std::uint64_t readSlice(unsigned threads, std::size_t round);
/// In bytes a second, the best of several passes.
double readBandwidth(unsigned threads);
/// Of the own fp16 GEMM at 2048 x 2048 x 2048, in FLOP a second, the best of several.
double gemmRate(unsigned threads);

} // namespace loadline::bench
