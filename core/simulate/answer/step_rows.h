// How bursty a run is: rows M of its steps, of all and of those that only decode.
#pragma once

#include "core/base/statistics.h"
#include "core/simulate/run/result.h"

namespace loadline {

/// n: steps. Of a step that only decodes the rows are the sequences that decode.
struct StepRows {
    Quantiles all;
    Quantiles decodeOnly;
    bool operator==(const StepRows&) const = default;
};

StepRows stepRowsOf(const RowsHistogram& rows);

} // namespace loadline
