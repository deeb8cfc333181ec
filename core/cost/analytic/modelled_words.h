// What the model of our kernels says of a call, in words.
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

/// Which kernels have no times, and why; what no time contains.
std::string notModelledText();

} // namespace loadline
