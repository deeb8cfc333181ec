// Finds a kernel by the name it is registered under.
#include "tests/gpu/rehearse/kernels.h"

#include <algorithm>

namespace loadline::gpu::rehearse {

const Kernel* kernelOf(const std::string& mangled) {
    static const std::vector<Kernel> all = [] {
        std::vector<Kernel> kernels;
        addGemvKernels(kernels);
        addPlaneMmaKernels(kernels);
        addSwapAbKernels(kernels);
        addAttentionKernels(kernels);
        addStreamKernels(kernels);
        return kernels;
    }();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Kernel& kernel) {
        // A mangled name begins with its own length, and its template's arguments end with an E.
        const std::size_t own = std::min(kernel.name.size(), kernel.name.find("IL"));
        return mangled.find(std::to_string(own) + kernel.name) != std::string::npos;
    });
    return found == all.end() ? nullptr : &*found;
}

emulate::EmulatedBlock& sharedBlock() {
    static emulate::EmulatedBlock block;
    return block;
}

emulate::Order nextOrder() {
    static bool falling = false;
    falling = !falling;
    return falling ? emulate::Order::Falling : emulate::Order::Rising;
}

} // namespace loadline::gpu::rehearse
