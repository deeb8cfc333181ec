// vLLM's defaults by device.
#include "core/simulate/setup/server_defaults.h"

namespace loadline {

ServerDefaults serverDefaultsOf(const Hardware* hardware) {
    constexpr double largeGb = 160;
    constexpr double middleGb = 70;
    static const Hardware* const nvidia = findHardware("RTX4090");
    if (hardware == nullptr || !isSameKind(*hardware, *nvidia) || hardware->memoryGb < middleGb ||
        hardware->key.starts_with("A100")) {
        return {};
    }
    return {.budgetTokens = hardware->memoryGb >= largeGb ? 16'384 : 8192, .maxSeqs = 1024};
}

} // namespace loadline
