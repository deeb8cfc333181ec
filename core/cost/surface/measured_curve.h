// A measured curve over one axis: straight lines between its points.
#pragma once

#include "core/cost/surface/surface_value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// One measured cell of a curve.
struct MeasuredPoint {
    double x = 0;
    double us = 0; ///< above 0
    bool isRaised = false;
    bool isAnomalous = false;
    double errorAt = repeatError; ///< half the error bar at the point
    double errorAfter = 0;        ///< between this point and the next, or beyond the last
};

/// The course of a curve beyond its last point.
enum class Beyond : std::uint8_t {
    Proportional, ///< the last time times x / last x
    LastSlope     ///< the line through the last two points, never falling
};

/// Index of the first value of an ascending axis that is at least x; its size if there is none. As
/// std::lower_bound, but without branches: look-ups of a simulation are in no order that a processor
/// foresees.
inline std::size_t firstAtLeast(std::span<const double> axis, double x) {
    std::size_t at = 0;
    for (std::size_t left = axis.size(); left > 0;) {
        const std::size_t half = (left + 1) / 2;
        at += axis[at + half - 1] < x ? half : 0;
        left -= half;
    }
    return at;
}

/// Linear interpolation. Below the first point the curve keeps the first time. Between x and x + 1 (both
/// measured) lies a step, which is not interpolated: the time of x + 1 holds for all beyond x.
class MeasuredCurve {
public:
    MeasuredCurve() = default;
    /// Points ascending in x, no x twice.
    MeasuredCurve(std::vector<MeasuredPoint> points, Beyond beyond);

    [[nodiscard]] bool empty() const { return points_.empty(); }

    [[nodiscard]] const std::vector<MeasuredPoint>& points() const { return points_; }

    [[nodiscard]] Beyond beyond() const { return beyond_; }

    /// Precondition: not empty.
    [[nodiscard]] SurfaceValue at(double x) const;

private:
    std::vector<double> xs_; ///< of points_, close together for the search
    std::vector<MeasuredPoint> points_;
    Beyond beyond_ = Beyond::Proportional;
};

} // namespace loadline
