// What serves, as far as a log tells.
#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/read_server_log.h"

#include <fmt/format.h>

#include <utility>

namespace loadline {
namespace {

constexpr double fourBitsWithScales = 4.5;

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
    return result;
}

} // namespace loadline
