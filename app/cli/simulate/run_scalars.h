// The numbers of a run that the document gives with a standard deviation.
#pragma once

#include "core/base/statistics.h"
#include "core/simulate/run/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace loadline::app {

enum class ScalarSort : std::uint8_t {
    Ratio,  ///< of all runs together
    Amount, ///< of a run, on average
    Whole,  ///< the same, rounded: tokens are integers
};

struct RunScalar {
    std::string_view key; ///< in the document
    double (*of)(const SimulationResult& run);
    ScalarSort sort;
};

/// In the order of the document.
std::span<const RunScalar> runScalars();

/// Returns the mean and the standard deviation of the scalar over the runs.
Spread spreadOver(const std::vector<SimulationResult>& runs, const RunScalar& scalar);

} // namespace loadline::app
