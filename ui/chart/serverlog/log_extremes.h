// The smallest and the largest of any run of values, however long: what a chart draws in a column of pixels.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace loadline::ui {

/// Least and most of some values; those that are no numbers are passed over.
struct Extreme {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool any() const { return least <= most; }

    void take(double value) {
        least = value < least ? value : least; // false for what is no number
        most = value > most ? value : most;
    }

    void take(const Extreme& other) { // of no values, both ends are infinite the other way round
        least = other.least < least ? other.least : least;
        most = other.most > most ? other.most : most;
    }
};

/// Values with their extremes by blocks of 16, of 256, ...: any run is answered from a few dozen of them.
class LogExtremes {
public:
    LogExtremes() = default;
    explicit LogExtremes(std::vector<double> values);

    [[nodiscard]] std::size_t size() const { return values_.size(); }

    [[nodiscard]] double operator[](std::size_t i) const { return values_[i]; }

    /// Returns the extremes of [begin, end).
    [[nodiscard]] Extreme of(std::size_t begin, std::size_t end) const;

private:
    std::vector<double> values_;
    std::vector<std::vector<Extreme>> levels_; ///< each of blocks of the one before
};

} // namespace loadline::ui
