// Which kernel is the fastest at which M, and where that changes.
#pragma once

#include "core/cost/figure/kernel_figure.h"

namespace loadline {

struct KernelEnvelope {
    std::vector<KernelCrossing> crossings;
    std::optional<KernelCrossing> fp16Wins;
};

/// Compares the k-bit kernels at every whole M up to the largest that was timed, each as far as its own
/// points go.
KernelEnvelope envelopeOf(const std::vector<KernelCurve>& curves, const KernelTimes& times,
                          const TimedShape& shape, int kBits);

} // namespace loadline
