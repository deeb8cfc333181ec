// A sample of bounded size from values of any number: every value at first, then every second, fourth, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace loadline {

/// Keeps all values while there are few, later those whose place is a multiple of a power of two. Without
/// chance, so that the same values give the same sample.
class ThinnedSample {
public:
    static constexpr std::size_t most = std::size_t{1} << 20;

    void add(double value) {
        if (count_++ % stride_ != 0) {
            return;
        }
        if (values_.size() == most) {
            thin(); // most is even: the value's place is a multiple of the new stride too
        }
        values_.push_back(value);
    }

    /// Returns the number of all values that were added.
    [[nodiscard]] std::uint64_t count() const { return count_; }

    [[nodiscard]] const std::vector<double>& values() const { return values_; }

    [[nodiscard]] std::vector<double> take() && { return std::move(values_); }

private:
    void thin() {
        for (std::size_t i = 0; 2 * i < values_.size(); ++i) {
            values_[i] = values_[2 * i];
        }
        values_.resize((values_.size() + 1) / 2);
        stride_ *= 2;
    }

    std::vector<double> values_;
    std::uint64_t count_ = 0;
    std::uint64_t stride_ = 1;
};

} // namespace loadline
