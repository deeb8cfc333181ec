// What serves, as far as a log tells.
#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/read_server_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {
namespace {

constexpr double fourBitsWithScales = 4.5;

/// As drivers print the names of those in hardwareTable() that a name alone tells: an "Apple M3 Max" has one
/// of two bandwidths.
struct DeviceName {
    std::string_view printed;
    std::string_view key;
};
constexpr std::array deviceNames = {
    DeviceName{"NVIDIA GeForce RTX 4090", "RTX4090"},
    DeviceName{"NVIDIA GeForce RTX 5090", "RTX5090"},
    DeviceName{"NVIDIA L40S", "L40S"},
    DeviceName{"NVIDIA H100 80GB HBM3", "H100-SXM"},
    DeviceName{"NVIDIA H200", "H200-SXM"},
    DeviceName{"NVIDIA A100-SXM4-80GB", "A100-SXM-80"},
    DeviceName{"NVIDIA B200", "B200-HGX"},
};

/// Where one device holds all of the model.
std::string_view deviceOf(const ServerLog& log) {
    const bool alone = factOf(log, "devices").empty() && factOf(log, "on_cpu").empty();
    const auto found = std::ranges::find(deviceNames, factOf(log, "device"), &DeviceName::printed);
    return alone && found != deviceNames.end() ? found->key : "";
}

/// Whose models are published weights unless their names say otherwise.
bool ofDataCentres(const ServerFormat* server) {
    return server != nullptr && (server->key == "vllm" || server->key == "sglang");
}

} // namespace

ServedOnLog servedOnLog(ServedOn chosen, const ServerLog& log) {
    ServedOnLog result{std::move(chosen), ""};
    const NamedModel named = modelNamed(factOf(log, "model"));
    if (result.served.model == nullptr) {
        result.served.model = named.model;
    }
    if (result.served.bitsPerWeight == 0) {
        result.served.bitsPerWeight = named.bitsPerWeight;
    }
    if (result.served.bitsPerWeight == 0 && result.served.model != nullptr) {
        result.served.bitsPerWeight = ofDataCentres(log.server) ? fp16Bits : fourBitsWithScales;
        result.assumption =
            fmt::format("{} bits a weight are assumed: no name tells them", result.served.bitsPerWeight);
    }
    if (result.served.device.empty() && result.served.bandwidthGBs == 0) {
        result.served.device = deviceOf(log);
    }
    return result;
}

} // namespace loadline
