// Kernel names by device.
#include "core/cost/kernel/kernel_naming.h"

#include <string_view>

namespace loadline {
namespace {

std::string roleNameOf(Kernel kernel, KernelNaming::Device device) {
    const KernelSpec& spec = specOf(kernel);
    const std::string_view own = device == KernelNaming::Gpu   ? spec.gpuName
                                 : device == KernelNaming::Cpu ? spec.cpuName
                                                               : std::string_view();
    return std::string(own.empty() ? spec.name : own);
}

} // namespace

std::string nameOf(Kernel kernel, const KernelNaming& naming) {
    if (const auto own = naming.given.find(kernel); own != naming.given.end()) {
        std::string name;
        for (const std::string& one : own->second) {
            name += (name.empty() || one.empty() ? "" : ", ") + one;
        }
        return own->second.contains("") ? name + ", else " + roleNameOf(kernel, naming.device) : name;
    }
    const KernelParts parts = partsOf(kernel);
    const bool hasOwnPart =
        parts.second && (naming.given.contains(parts.first) || naming.given.contains(*parts.second));
    return hasOwnPart ? nameOf(parts.first, naming) + " + " + nameOf(*parts.second, naming)
                      : roleNameOf(kernel, naming.device);
}

std::string gemmsOf(const ModelShapes& model, Kernel serving) {
    std::string names;
    for (const LayerGemm& gemm : model.gemms) {
        if (gemm.grouped() == isGrouped(serving) && gemm.quantised == readsKBits(serving)) {
            names += (names.empty() ? "" : ", ") + gemm.name;
        }
    }
    return names;
}

} // namespace loadline
