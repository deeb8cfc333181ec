// Mean and standard deviation of a sample.
#pragma once

#include <span>

namespace loadline {

/// Of a sample; both 0 without values.
struct Spread {
    double mean = 0;
    double sd = 0; ///< of the sample (n - 1); 0 with fewer than two values
    bool operator==(const Spread&) const = default;
};

Spread spreadOf(std::span<const double> sample);

} // namespace loadline
