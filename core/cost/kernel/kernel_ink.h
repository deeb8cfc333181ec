// The inks of kernels in charts.
#pragma once

#include "core/ask/report.h"
#include "core/cost/kernel/kernel.h"

namespace loadline {

inline ask::Ink inkOf(Kernel kernel) {
    const KernelSpec& spec = specOf(kernel);
    return spec.family == KernelFamily::Fp16 ? ask::Ink::Fp16
           : spec.family == KernelFamily::Library
               ? (spec.variant ? ask::Ink::KernelVariant : ask::Ink::Kernel)
           : spec.family == KernelFamily::Beside ? (spec.variant ? ask::Ink::Reference : ask::Ink::Muted)
           : spec.family == KernelFamily::Scalar ? ask::Ink::Scalar
           : spec.family == KernelFamily::Mma    ? (spec.variant ? ask::Ink::KernelVariant : ask::Ink::Kernel)
                                                 : ask::Ink::Dequantise;
}

/// Drawn hatched: another kind than its ink's plain one.
inline bool isPair(Kernel kernel) {
    return specOf(kernel).afterDequantise.has_value();
}

} // namespace loadline
