// How often and over how many copies a call is repeated, and what that takes: the same for every kernel.
#pragma once

#include "gpu/backend.h"
#include "gpu/protocol/samples.h"

namespace loadline::gpu {

/// So many copies of `bytes` that no cache holds them: ceil(max(4 x cache, 256 MB) / bytes), `least` to the
/// most the device takes.
int copiesFor(const DeviceInfo& device, double bytes, int least);

/// Calls of a sample: ceil(1 ms / their guessed time), 8 to 512; two of 2 ms or more, one of 20 ms or more.
int callsFor(double callUs);

/// Returns the seconds that sampling a point takes: samples of so many calls, until there are enough by the
/// rule.
double secondsFor(double callUs, int calls, const SamplingRule& rule);

} // namespace loadline::gpu
