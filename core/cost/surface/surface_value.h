// A time looked up in measured tables: how far it lies from a measurement, and its error bar.
#pragma once

#include <cstdint>

namespace loadline {

/// How a value was found, ordered from the surest to the least sure.
enum class SurfaceReach : std::uint8_t {
    Measured,     ///< a cell of the table
    Interpolated, ///< between cells
    Extrapolated, ///< beyond the last cell of an axis, or below the first
    Modelled      ///< by a rule; no table has such a cell
};

/// A kernel's time out of a table.
struct SurfaceValue {
    double us = 0;            ///< microseconds, above 0 and finite
    double relativeError = 0; ///< half the error bar as a share of `us`
    SurfaceReach reach = SurfaceReach::Measured;
    bool isRaised = false;    ///< to the least time that bytes or tensor cores allow
    bool isAnomalous = false; ///< rests on a cell that is slower than a larger one by more than noise
};

/// Two collections of one table on the same GPU differ by 5 % (median): the error bar of a measured cell.
inline constexpr double repeatError = 0.05;

/// The limits of a device in one number format. 0: not known, so no limit.
struct DeviceLimits {
    double bytesPerUs = 0; ///< memory bandwidth
    double flopPerUs = 0;  ///< dense tensor throughput
};

/// Time in microseconds of `work` at `ratePerUs`; 0 if the rate is not known.
inline double timeAtRateUs(double work, double ratePerUs) {
    return ratePerUs > 0 ? work / ratePerUs : 0.0;
}

} // namespace loadline
