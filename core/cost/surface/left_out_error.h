// The error of an interpolation, measured by leaving out cells that were timed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace loadline {

/// Errors of cells that were left out: |measured / predicted - 1|.
struct LeftOutError {
    double median = 0;
    double p90 = 0; ///< 90 % of the cells left out lie within this share of the prediction
    std::size_t cells = 0;
};

/// All zero if there are no errors.
LeftOutError leftOutErrorOf(std::vector<double> errors);

/// Errors of one kind (an axis), gathered by region of the table.
class RegionErrors {
public:
    RegionErrors() = default;

    explicit RegionErrors(std::size_t regions) : errors_(regions) {}

    void add(std::size_t region, double predictedUs, double measuredUs);

    /// Returns one summary per region. Regions with fewer than 20 cells take the summary of all regions.
    [[nodiscard]] std::vector<LeftOutError> summaries() const;
    [[nodiscard]] LeftOutError overall() const;

private:
    std::vector<std::vector<double>> errors_;
};

/// A stretch [first, last] of indices of an axis that is left out as a whole.
struct AxisGroup {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Groups an ascending axis of whole numbers: x and x + 1 belong together. Tables time both sides of a step
/// (256 and 257 rows); leaving out one of a pair would measure the height of the step.
std::vector<AxisGroup> axisGroups(std::span<const double> axis);

/// The value at x of the line through two points.
inline double lineAt(double x0, double y0, double x1, double y1, double x) {
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

} // namespace loadline
