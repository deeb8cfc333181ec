// Which kernel is the fastest at which M, and where that changes.
#pragma once

#include "core/cost/figure/kernel_figure.h"

namespace loadline {

struct KernelEnvelope {
    std::vector<KernelCrossing> crossings;
    std::optional<KernelCrossing> fp16Wins;
    std::optional<Kernel> first;             ///< the fastest at the least M that any was timed at
    std::int64_t fp16FromM = 0, fp16ToM = 0; ///< as in KernelFigure
};

/// Compares the k-bit kernels at every whole M that was timed, each from its first point to its last: what
/// lies outside is extrapolated and decides nothing.
KernelEnvelope envelopeOf(const std::vector<KernelCurve>& curves, const KernelTimes& times,
                          const TimedShape& shape, int kBits);

} // namespace loadline
