// Words of compared points.
#pragma once

#include "core/cost/compare/profile_comparison.h"

#include <string>

namespace loadline {

/// "MMA"; an import's own name.
std::string comparedKernelName(const ComparedPoint& point);
/// "MMA, k = 4"
std::string comparedKernelWords(const ComparedPoint& point);
/// "2048x5120", "2048x5120 x 8 experts"
std::string comparedShapeWords(const ComparedPoint& point);
/// "0.87 (0.85 to 0.9)"; without an interval "0.87".
std::string changeWords(const RatioBetween& change);

} // namespace loadline
