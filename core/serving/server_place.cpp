// Classes of formats, generations of GPUs.
#include "core/serving/server_place.h"

#include "core/cost/device/atlas_name.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

struct FormatClass {
    std::string_view word;
    std::string_view name;
};

constexpr auto formatClasses = std::to_array<FormatClass>({
    {"bf16", "16 bits"},
    {"bfloat16", "16 bits"},
    {"fp16", "16 bits"},
    {"fp8", "8 bits"},
    {"fp8_block", "8 bits"},
    {"fp8-block", "8 bits"},
    {"nvfp4", "4 bits"},
    {"mxfp4", "4 bits"},
    {"w4a16_mxfp4", "4 bits"},
    {"w4a8_mxfp4_mxfp8", "4 bits"},
    {"int4", "4 bits"},
    {"int4_wo", "4 bits"},
});

/// Dense int8 and int4 stand alone: weight-only kernels of another engine, whose servers nobody measured.
std::string_view denseClassOf(std::string_view word) {
    return word == "int8" || word == "int4" ? word : formatClassOf(word);
}

} // namespace

std::string_view formatClassOf(std::string_view word) {
    const auto* const found = std::ranges::find(formatClasses, word, &FormatClass::word);
    return found == formatClasses.end() ? word : found->name;
}

const Hardware* hardwareOfServer(std::string_view gpu) {
    const AtlasName* const name = findAtlasName(gpu);
    return findHardware(name == nullptr ? gpu : name->hardware);
}

ServerPlace ServerPlaces::of(const ServerPoint& point) {
    const auto [known, isNew] = hardware_.try_emplace(point.gpu, nullptr);
    if (isNew) {
        known->second = hardwareOfServer(point.gpu);
    }
    const Hardware* const hardware = known->second;
    return {.point = &point,
            .gpu = hardware == nullptr ? std::string_view(point.gpu) : std::string_view(hardware->key),
            .generation = hardware == nullptr ? GpuGeneration::Other : hardware->generation,
            .formatClass = point.experts.empty() ? denseClassOf(point.weights) : formatClassOf(point.experts),
            .kvClass = formatClassOf(point.kv)};
}

} // namespace loadline
