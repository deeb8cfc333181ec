// Finds a named device in the hardware table.
#include "core/cost/import/named_device.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/device/device_name.h"
#include "core/text/plain_words.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

namespace loadline {

void setDevice(Profile& profile, std::string_view device) {
    const std::string key = hardwareNamed(device);
    const bool byKey = !key.empty() && lowered(trimmed(device)) == lowered(key);
    const GpuFacts* const gpu = byKey ? findGpu(key) : nullptr;
    profile.hardware = key;
    profile.device = gpu != nullptr ? std::string(gpu->name) : byKey ? key : std::string(device);
}

bool takeDevice(Profile& profile, const std::string& device) {
    if (profile.device.empty() || !isSameDevice(profile.device, device)) {
        setDevice(profile, device);
        return true;
    }
    if (profile.hardware.empty()) {
        profile.hardware = hardwareNamed(device);
    }
    return false;
}

bool isSameDevice(const std::string& one, const std::string& other) {
    if (lowered(one) == lowered(other)) {
        return true;
    }
    Profile a, b;
    setDevice(a, one);
    setDevice(b, other);
    return a.device == b.device || (!a.hardware.empty() && a.hardware == b.hardware);
}

std::string unknownDeviceText(const std::string& device) {
    return fmt::format(
        "{} is not in the hardware table: no time is checked against its datasheet, nothing is "
        "modelled on it and its memory is not known.",
        visibleText(device));
}

} // namespace loadline
