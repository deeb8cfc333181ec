// The numbers of a run that a report gives with a standard deviation.
#pragma once

#include "core/ask/cell.h"
#include "core/simulate/run/result.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace loadline {

enum class ScalarSort : std::uint8_t {
    Ratio,  ///< of all runs together
    Amount, ///< of a run, on average
    Whole,  ///< the same, rounded: tokens are integers
};

struct RunScalar {
    std::string_view key; ///< in the document
    ScalarSort sort;
    double (*of)(const SimulationResult& run);
    const char* title = ""; ///< for people; "": documents alone
    ask::Form form = ask::Form::Tokens;
    bool toldAtZero = true;
};

/// In the order of the document.
std::span<const RunScalar> runScalars();

} // namespace loadline
