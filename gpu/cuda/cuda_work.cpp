// Points as the plugin's work.
#include "gpu/cuda/cuda_work.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::gpu {

const CudaKernelSpec* cudaKernelOf(Kernel kernel) {
    for (const CudaKernelSpec& spec : cudaKernels) {
        if (spec.kernel == keyOf(kernel)) {
            return &spec;
        }
    }
    return nullptr;
}

CudaWork cudaWorkOf(const PointSpec& spec, const Rotation& rotation) {
    CudaWork work = {};
    work.operation = cudaKernelOf(spec.kernel)->operation;
    work.bits = spec.kBits;
    work.k = spec.size.k;
    work.n = spec.size.n;
    work.m = static_cast<std::int32_t>(std::max<std::int64_t>(spec.rowsM, 1));
    work.experts = spec.experts;
    if (spec.kernel == Kernel::Dequantise) { // experts lie one after the other: more rows of W
        work.n *= spec.experts;
    }
    work.copies = std::clamp(rotation.copies, 1, mostCudaCopies);
    work.nodes = std::clamp(rotation.calls, 1, 4096);
    work.activationSets = std::min(4, work.copies);
    work.seed = 1;
    return work;
}

Error deviceError(const CudaPluginApi& api, const CudaSession* session, const std::string& where) {
    return Error{fmt::format("the device failed: {}", api.lastError(session)), where,
                 "measuring again in a new process"};
}

} // namespace loadline::gpu
