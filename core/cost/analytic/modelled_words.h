// Words about a call by the model of our kernels.
#pragma once

#include "core/cost/analytic/modelled_time.h"

#include <string>

namespace loadline {

/// Which part is the longest in a call of swap-AB, over experts where there are several, from the first row
/// (of each) on: "memory up to M = 8, shared memory up to 16, the tensor cores up to 64".
std::string limitsText(const GpuFacts& gpu, GemmSize size, int experts, int kBits);

/// "launch and latencies 3.1 us, then at the same time memory 10.7 us, shared memory 7.4 us, ...": parts that
/// are not 0, the longest first.
std::string partsText(const ModelledTime& time);

/// Returns why a call at fewer bits takes longer than one at four: "k = 4 takes 9.1 us here: integer
/// operations bind k = 3, whose codes take 2.1 times as many of them as nibbles"; "" if it does not take
/// longer.
std::string whySlowerThanNibbles(const GpuFacts& gpu, Kernel kernel, GemmSize size, std::int64_t rowsM,
                                 int kBits, int experts);

/// Which kernels have no times, and why; what no time contains.
std::string notModelledText();

} // namespace loadline
