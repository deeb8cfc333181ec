// The turns that both formats serve, for answers that look at one format alone.
#pragma once

#include "core/simulate/study/format_pair.h"

namespace loadline {

/// The inputs with the longest request that both formats have room for: what they hold is then of the runs
/// behind serveFormats(). Unchanged where formats are not compared, or one of them does not fit.
inline SimulationInputs onComparedTurns(SimulationInputs inputs) {
    if (comparesFormats(inputs)) {
        inputs = pairedInputsOf(inputs).own;
    }
    return inputs;
}

} // namespace loadline
