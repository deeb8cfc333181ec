// Adds up what a point needs.
#include "gpu/cuda/cuda_memory.h"

#include <algorithm>
#include <cmath>

namespace loadline::gpu {

double activationBytesOf(const PointSpec& spec) {
    if (spec.kernel == Kernel::Dequantise) {
        return 2 * spec.size.elements() * spec.experts;
    }
    return 2.0 * static_cast<double>(spec.rowsM) * spec.experts *
           static_cast<double>(spec.size.k + spec.size.n);
}

namespace {

/// fp16 weights between the two halves of a pair, shared by all calls.
double scratchBytesOf(const PointSpec& spec) {
    return partsOf(spec.kernel).second ? 2 * spec.size.elements() * spec.experts : 0;
}

} // namespace

int activationSetsFor(const PointSpec& spec, double weightBytes, int copies, double freeBytes) {
    const int wanted = std::clamp(copies, 1, 4);
    if (freeBytes <= 0) {
        return wanted;
    }
    const double left = 0.9 * freeBytes - copies * weightBytes - scratchBytesOf(spec);
    const double fitting = std::floor(left / std::max(activationBytesOf(spec), 1.0));
    return static_cast<int>(std::clamp(fitting, 0.0, static_cast<double>(wanted)));
}

} // namespace loadline::gpu
