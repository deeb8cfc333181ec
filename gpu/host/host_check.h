// A host kernel against float64 on the same codes, in the very shape that is timed.
#pragma once

#include "gpu/backend.h"
#include "gpu/host/host_work.h"

#include <cstdint>
#include <span>

namespace loadline::gpu {

/// Runs the call on weights and activations that depend on the seed, into poisoned outputs between guard
/// words, and compares `rows` rows of each expert's W (the first, the last and random ones). `kernel`: of a
/// pair its first, which also sets the tolerance.
CheckOutcome checkHostKernel(HostRunner& runner, WeightPool& pool, const HostKernel& kernel,
                             const PointSpec& spec, std::uint64_t seed, int rows = 48);

/// Returns the outcome of a check whose output was all poison (NaN) between guard words of all ones. `error`:
/// relative to the reference; `written`: every value is a number.
CheckOutcome judged(double error, double tolerance, bool written, bool guardsIntact);

} // namespace loadline::gpu
