// Words of compared points.
#include "core/cost/compare/comparison_words.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {
namespace {

/// "0.87", and "0.0012" where two places would leave one digit or none.
std::string comparedRatioWords(double ratio) {
    return ratio < 0.1 ? formatReal(ratio, 2) : formatFixed(ratio, 2);
}

} // namespace

std::string comparedKernelName(const ComparedPoint& point) {
    return point.name.empty() ? std::string(nameOf(point.kernel)) : point.name;
}

std::string comparedKernelWords(const ComparedPoint& point) {
    return comparedKernelName(point) + (readsKBits(point.kernel) ? fmt::format(", k = {}", point.kBits) : "");
}

std::string comparedShapeWords(const ComparedPoint& point) {
    return textOf(point.size) + (point.experts > 1 ? fmt::format(" x {} experts", point.experts) : "");
}

std::string changeWords(const RatioBetween& change) {
    return comparedRatioWords(change.ratio) +
           (change.low && change.high ? fmt::format(" ({} to {})", comparedRatioWords(*change.low),
                                                    comparedRatioWords(*change.high))
                                      : "");
}

} // namespace loadline
