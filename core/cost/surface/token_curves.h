// Curves over one axis that share their errors: expert layers over tokens, transfers over elements.
#pragma once

#include "core/cost/surface/left_out_error.h"
#include "core/cost/surface/measured_curve.h"

#include <map>
#include <vector>

namespace loadline {

/// Leave-one-out errors of many curves of one table.
struct TokenCurveErrors {
    LeftOutError between; ///< a cell predicted from its two neighbours
    LeftOutError beyond;  ///< the last cell predicted from the one before, in proportion
};

/// How several measurements of one key become one.
enum class Repeats : bool {
    Fastest, ///< other kernels for the same work: an engine chooses the fastest
    Median   ///< other runs of the same kernel
};

using CellsByAxis = std::map<double, std::vector<double>>; ///< us by x

/// Points ascending in x, one per x.
std::vector<MeasuredPoint> tokenPointsOf(const CellsByAxis& cells, Repeats repeats);

/// Adds up the errors of the curves and sets the error bars of their points: linear between points, in
/// proportion beyond the last.
TokenCurveErrors setTokenErrors(const std::vector<std::vector<MeasuredPoint>*>& curves);

} // namespace loadline
