// The names of a server's point, resolved: GPUs with their generation, formats with their class.
#pragma once

#include "core/cost/device/hardware.h"
#include "core/serving/server_point.h"

#include <map>
#include <string>
#include <string_view>

namespace loadline {

struct ServerPlace {
    const ServerPoint* point = nullptr;
    std::string_view gpu; ///< key in the hardware table; the point's own word if it has none
    GpuGeneration generation = GpuGeneration::Other;
    std::string_view formatClass; ///< formatClassOf() experts; without experts, of the linear layers
    std::string_view kvClass;
};

inline bool isSameGpu(const ServerPlace& one, const ServerPlace& other) {
    return one.gpu == other.gpu;
}

/// Resolves points; looks up each name of a GPU once. Points must outlive their places.
class ServerPlaces {
public:
    ServerPlace of(const ServerPoint& point);

private:
    std::map<std::string_view, const Hardware*> hardware_; ///< by a point's word; null: not known
};

/// Returns "16 bits", "8 bits" or "4 bits" of a word of the atlas's tables, of an engine or of a Storage's
/// key; the word itself of others: k-bit formats have kernels of their own.
std::string_view formatClassOf(std::string_view word);

/// Returns the GPU in the hardware table: by its key there or any name in the atlas. Null: not known.
const Hardware* hardwareOfServer(std::string_view gpu);

} // namespace loadline
