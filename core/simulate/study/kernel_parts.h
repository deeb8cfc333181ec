// Share of each timed kernel in simulated steps, and the least time that its device would allow.
#pragma once

#include "core/cost/estimate/kernel_bounds.h"
#include "core/simulate/run/cost_tables.h"

#include <map>
#include <optional>
#include <vector>

namespace loadline {

/// A timed kernel's share in steps, in microseconds.
struct KernelPart {
    double us = 0;
    double aloneUs = 0; ///< of us: where it serves a GEMM by itself, not as one of a pair
    double modelledUs = 0;
    double limitUs =
        0; ///< all bytes at the device's rate of reading or all arithmetic at its peak; 0: not known
};

/// Rates measured with the profile, else its datasheet's, else those of the hardware that is simulated.
std::optional<KernelBounds> boundsOf(const SimulationInputs& inputs);

/// Over the counted steps. Pairs count as their two kernels.
std::map<Kernel, KernelPart> partsOf(const std::vector<RowsCount>& counts, const CostTable& table,
                                     const std::optional<KernelBounds>& bounds);

} // namespace loadline
