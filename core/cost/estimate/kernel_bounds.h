// Bounds of every kernel on a device: rates measured with the kernels, or the datasheet's.
#pragma once

#include "core/cost/device/hardware.h"
#include "core/cost/profile/profile.h"
#include "core/cost/profile/timed_shape.h"

#include <optional>
#include <string>

namespace loadline {

/// Bounds of every kernel on a device. 0: not known.
struct KernelBounds {
    double readGbS = 0;
    double copyGbS = 0; ///< read and written: what Dequantise does
    double gemmTflopS = 0;
    std::string source; ///< "rates measured in the same run"
    bool operator==(const KernelBounds&) const = default;
};

/// Returns the bounds by the profile's own ceilings ("read_gb_s", "copy_gb_s", "gemm_tflop_s"); nothing
/// without a read rate.
std::optional<KernelBounds> measuredBounds(const Profile& profile);
/// Returns the bounds by the hardware table; nothing if the profile's hardware is not in it.
std::optional<KernelBounds> datasheetBounds(const Profile& profile);

/// Returns the hardware that rooflines are made of: the hardware table's entry, else the profile's measured
/// rates of reading and of GEMMs, under no key and with no memory; nothing if neither is known.
std::optional<Hardware> rooflineHardware(const Profile& profile);

/// The shortest time of a call: the longer of bytes / rate and FLOP / rate; for a pair, the sum of its parts'
/// times.
struct BoundTime {
    double us = 0;
    bool byArithmetic = false; ///< of the last part
};
BoundTime boundOf(const KernelBounds& bounds, Kernel kernel, const TimedShape& shape, double rowsM,
                  int kBits);

} // namespace loadline
