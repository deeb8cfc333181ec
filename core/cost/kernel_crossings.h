// Which kernel is the fastest at which M, and where that changes.
#pragma once

#include "core/cost/kernel_figure.h"

namespace loadline {

/// The time of a serving kernel: of a sum, its parts' times; errors add in squares. Nothing where the
/// profile cannot tell.
std::optional<TimeEstimate> servedTime(const KernelTimes& times, Kernel kernel, const TimedShape& shape,
                                       double rowsM, int kBits);

struct KernelEnvelope {
    std::vector<KernelCrossing> crossings;
    std::optional<KernelCrossing> fp16Wins;
};

/// Compares the k-bit kernels at every whole M up to the largest that was timed, each as far as its own
/// points go.
KernelEnvelope envelopeOf(const std::vector<KernelCurve>& curves, const KernelTimes& times,
                          const TimedShape& shape, int kBits);

} // namespace loadline
