// Mean and standard deviation in two passes.
#include "core/base/spread.h"

#include <cmath>

namespace loadline {

Spread spreadOf(std::span<const double> sample) {
    if (sample.empty()) {
        return {};
    }
    const auto n = static_cast<double>(sample.size());
    Spread spread;
    for (const double value : sample) {
        spread.mean += value / n;
    }
    double squares = 0;
    for (const double value : sample) {
        squares += (value - spread.mean) * (value - spread.mean);
    }
    spread.sd = sample.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return spread;
}

} // namespace loadline
