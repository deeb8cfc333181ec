// Kernel names by device.
#include "core/cost/kernel/kernel_naming.h"

#include "core/base/file/read_json.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile_place.h"
#include "core/text/json/json_fields.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

constexpr const char* kernelsFact = "kernels";

} // namespace

KernelNaming namingOf(const Profile* profile) {
    if (profile == nullptr) {
        return KernelNaming::Gpu;
    }
    if (isOfCpu(*profile)) {
        return KernelNaming::Cpu;
    }
    return profile->source == madeUpSource ? KernelNaming::Role : KernelNaming::Gpu;
}

std::string_view nameOf(Kernel kernel, KernelNaming naming) {
    const KernelSpec& spec = specOf(kernel);
    const std::string_view own = naming == KernelNaming::Gpu   ? spec.gpuName
                                 : naming == KernelNaming::Cpu ? spec.cpuName
                                                               : std::string_view();
    return own.empty() ? spec.name : own;
}

std::string codeNameOf(Kernel kernel, const Profile& profile) {
    const auto fact = profile.methodFacts.find(kernelsFact);
    if (fact != profile.methodFacts.end()) {
        const std::string name = textOf(jsonFrom(fact->second), keyOf(kernel));
        if (!name.empty()) {
            return name;
        }
    }
    const KernelParts parts = partsOf(kernel);
    if (parts.second) {
        return codeNameOf(parts.first, profile) + ", then " + codeNameOf(*parts.second, profile);
    }
    return std::string(nameOf(kernel, namingOf(&profile)));
}

} // namespace loadline
