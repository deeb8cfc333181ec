// Lines along which quantised and fp16 take the same time, in the plane of users and chunk sizes.
#pragma once

#include "core/simulate/study/sweep.h"

#include <cstddef>
#include <vector>

namespace loadline {

struct EvenPoint {
    double users = 0;
    double chunkTokens = 0;
    bool operator==(const EvenPoint&) const = default;
};

/// Every line along which the sweep's ratio is 1 at its `k`-th k, closed ones with their first point again at
/// the end. Between neighbouring settings the ratio is taken as linear in log users and in log chunk, as in
/// crossingsOf: at the sweep's chunks the lines pass through each of its crossings. Preconditions: users and
/// chunks ascend, and chunks are above 0.
std::vector<std::vector<EvenPoint>> evenLinesOf(const SweepResult& sweep, std::size_t k = 0);

} // namespace loadline
