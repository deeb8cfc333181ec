// Which kernel is the fastest at which M, and where that changes.
#pragma once

#include "core/cost/figure/kernel_figure.h"

namespace loadline {

struct KernelEnvelope {
    std::vector<KernelCrossing> crossings;
    std::optional<Kernel> first; ///< the fastest at the least M that any was timed at
    /// The fields of the same names in KernelFigure.
    std::vector<Fp16Span> fp16Spans;
    std::vector<KernelCrossing> fp16Starts;
    std::optional<KernelCrossing> fp16Wins;
    std::int64_t fp16FromM = 0, fp16ToM = 0;
};

/// Compares the k-bit kernels, and fp16 with the fastest of them, at every M that was timed and at whole Ms
/// between, each kernel from its first point to its last: what lies outside is extrapolated and decides
/// nothing. fp16 is slower or faster over a span where it is so by more than the error bars at some M of it.
KernelEnvelope envelopeOf(const std::vector<KernelCurve>& curves, const KernelTimes& times,
                          const TimedShape& shape, int kBits);

} // namespace loadline
