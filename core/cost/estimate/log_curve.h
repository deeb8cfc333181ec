// A measured curve: between its points straight lines in log-log, with an error bar.
#pragma once

#include <vector>

namespace loadline {

/// One known value. All of x, y above 0; `error` is half the error bar as a share of y.
struct CurvePoint {
    double x = 1;
    double y = 1;
    double error = 0;
    bool operator==(const CurvePoint&) const = default;
};

struct CurveValue {
    double y = 0;
    double error = 0;   ///< half the error bar as a share of y
    bool exact = false; ///< at a point
};

/// Piecewise log-log interpolation. The error bar between two points is
///     2 % + 1.5 x the larger leave-one-out error of the two,
/// and never below their own error bars. A point's leave-one-out error is |ln(y / what its neighbours
/// interpolate to there)|; an end has none and leaves it to the other end of its interval. With two points in
/// all there is no such error: half of |ln(y1 / y0)|, the most a monotone curve can be off by, stands for it.
/// (On AIConfigurator's tables this covers 88 to 91 % of the points held out.)
class LogCurve {
public:
    LogCurve() = default;
    /// Sorts by x; of equal x the last stands.
    explicit LogCurve(std::vector<CurvePoint> points);

    [[nodiscard]] bool empty() const { return points_.empty(); }

    [[nodiscard]] const std::vector<CurvePoint>& points() const { return points_; }

    [[nodiscard]] bool covers(double x) const {
        return !points_.empty() && x >= points_.front().x && x <= points_.back().x;
    }

    /// Outside the points: the nearest end. Precondition: not empty.
    [[nodiscard]] CurveValue at(double x) const;
    /// Index of the last point at or left of x; 0 left of all. Precondition: not empty.
    [[nodiscard]] std::size_t indexAt(double x) const;

private:
    std::vector<CurvePoint> points_;
    std::vector<double> intervalErrors_; // one per interval
};

} // namespace loadline
