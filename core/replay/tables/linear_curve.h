// A measured curve: between its points straight lines, beyond the last the line through the last two.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace loadline {

/// The place of a value on an axis: `low`, and `share` of the way from there to `high`. Left of the first
/// point it is the first; right of the last, `share` exceeds 1.
struct AxisPlace {
    std::size_t low = 0;
    std::size_t high = 0;
    double share = 0;
};

/// Precondition: `axis` ascends strictly and is not empty.
AxisPlace placeOn(std::span<const double> axis, double x);

/// How LLMServingSim reads its tables (its docs/simulator/trace-generation): linear between neighbours, the
/// first value left of the first point, the last line carried on right of the last.
class LinearCurve {
public:
    LinearCurve() = default;
    /// Sorts by x; of equal x the first stands. All finite.
    explicit LinearCurve(std::vector<std::pair<double, double>> points);

    [[nodiscard]] bool empty() const { return x_.empty(); }

    [[nodiscard]] std::size_t size() const { return x_.size(); }

    /// The largest x. Precondition: not empty.
    [[nodiscard]] double last() const { return x_.back(); }

    /// Never below 0. Precondition: not empty.
    [[nodiscard]] double at(double x) const;

private:
    std::vector<double> x_;
    std::vector<double> y_;
};

} // namespace loadline
