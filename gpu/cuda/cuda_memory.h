// Whether a point fits into a device's memory, and with how many sets of activations.
#pragma once

#include "gpu/backend.h"

namespace loadline::gpu {

/// Bytes of x and y of one call; of Dequantise the weights it writes.
double activationBytesOf(const PointSpec& spec);

/// Sets of x and y to rotate over: as many as `copies` of the weights, four at most, and no more than leave a
/// tenth of `freeBytes` beside the copies. 0: not even one set fits. `freeBytes` 0: not known.
int activationSetsFor(const PointSpec& spec, double weightBytes, int copies, double freeBytes);

} // namespace loadline::gpu
