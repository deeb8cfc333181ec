// The engine's choice of expert kernels.
#include "core/cost/engine/expert_backend.h"

namespace loadline {

ExpertBackend expertBackendOf(std::string_view format, GpuGeneration generation,
                              const EngineVersion& version) {
    if (generation != GpuGeneration::Hopper) {
        return ExpertBackend::Table;
    }
    if (format == "w4a16_mxfp4") {
        return ExpertBackend::Marlin;
    }
    constexpr EngineVersion first{.major = 0, .minor = 15};
    constexpr EngineVersion end{.major = 0, .minor = 17};
    return format == "fp8_block" && version >= first && version < end ? ExpertBackend::FlashInferCutlass
                                                                      : ExpertBackend::Table;
}

} // namespace loadline
