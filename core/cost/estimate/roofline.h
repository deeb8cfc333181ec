// The fallback where nothing was measured: t0 + max(bytes / (f BW), FLOP / (g peak)).
#pragma once

#include "core/cost/device/hardware.h"
#include "core/cost/profile/profile.h"

#include <string>

namespace loadline {

/// The bytes a kernel must move and the arithmetic it must do.
struct KernelWork {
    double bytes = 0;
    double flop = 0;
    bool operator==(const KernelWork&) const = default;
};

/// Weights of all `experts` once, inputs and outputs in fp16, 2 M K N operations. Dequantise: reads the k-bit
/// weights, writes fp16, no arithmetic counted. `rowsM` is per expert.
KernelWork workOf(Kernel kernel, GemmSize size, double experts, double rowsM, int kBits,
                  AbsmaxFormat absmax = AbsmaxFormat::E4M4);

/// A roofline of one kernel on one device.
struct Roofline {
    double t0Us = 5;              ///< what a call costs that does nothing
    double bandwidthGbS = 0;      ///< the datasheet's
    double bandwidthShare = 0.87; ///< f: the share of it that is reached
    double cachedBytes = 0;       ///< up to here the weights come from the cache (0: none do), ...
    double cachedShare = 1;       ///< ... at this share of the bandwidth, above 1; what is beyond, at f
    double peakTflops = 0;        ///< the datasheet's
    double peakShare = 0.7;       ///< g: the share of it that is reached
    double memoryError = 0.3;     ///< half the error bar, as a share of the time, where memory bounds
    double computeError = 0.3;    ///< the same where arithmetic does
    int fittedPoints = 0;         ///< 0: the defaults
    std::string source;           ///< of each of these, in words
    [[nodiscard]] double memoryUs(double bytes) const;
    [[nodiscard]] double computeUs(double flop) const;
    [[nodiscard]] double timeUs(const KernelWork& work) const;
    /// Arithmetic, not memory, sets the time.
    [[nodiscard]] bool computeBound(const KernelWork& work) const;
    [[nodiscard]] double relativeError(const KernelWork& work) const;
    bool operator==(const Roofline&) const = default;
};

/// Returns the roofline without any measurement: t0 = 5 us, f = 0.87, g = 0.7, +- 30 %. These values follow
/// from AIConfigurator's bf16 tables of H100, H200 and A100 (t0 4.3 to 6.3 us, f 0.83 to 0.91; 600 to 750 of
/// 989 TFLOP/s).
Roofline defaultRoofline(const Hardware& hardware);

/// t0, f and g from the profile's own points of this kernel, at every k and shape:
///   1. Points where FLOP / peak is at most half of bytes / BW: least squares of t = t0 + bytes / (f BW),
///   each
///      weighted by 1/t^2, with t0 >= 0; then both terms times the median of t / model. Where all points move
///      the same bytes only t0 + bytes / (f BW) is known: t0 is the default or half the median time, the
///      smaller. An f above 1 means the weights came from the cache, which larger ones do not fit: it is
///      held to 4, holds up to the most bytes among the points, and the default f holds beyond.
///   2. The other points: g = median of FLOP / peak / (t - t0), at most 1. Without any, g stays the default.
///   3. The error bars are the 90th percentiles of |ln(t / model)| over the points of either side, at least
///      10 %, and 30 % for a side with fewer than four.
/// Without points: the default.
Roofline fitRoofline(const Hardware& hardware, const Profile& profile, Kernel kernel,
                     AbsmaxFormat absmax = AbsmaxFormat::E4M4);

} // namespace loadline
