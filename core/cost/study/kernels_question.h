// Questions about kernels: the request of `loadline bench` and the choices of the Kernels page, with their
// fields.
#pragma once

#include "core/ask/field.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The request of `loadline bench`.
struct BenchRequest {
    std::string device = "host";  ///< a key of a device: "host", "cuda:0", "made-up"
    std::string shapes = "study"; ///< a preset's key, or a file of shapes
    std::vector<int> kBits = {2, 3, 4, 5};
    std::string preset = "standard"; ///< "quick", "standard", "thorough"
    unsigned threads = 0;            ///< of the host's kernels; 0: as many as there are processors
    bool int8Activations = false;    ///< the host's k-bit kernels round activations to bytes
    std::uint64_t seed = 1;          ///< of the points' order and of the weights
    std::string name = {};           ///< of the profile; empty: device, time and commit
    std::string out = {};            ///< also write the profile to this file; empty: do not
    bool operator==(const BenchRequest&) const = default;
};

/// Devices are chosen as "device:host", profiles by what --profile takes: a bundled name or a path.
inline constexpr std::string_view devicePrefix = "device:";

inline bool isDevice(std::string_view key) {
    return key.starts_with(devicePrefix);
}

/// The profiles and curves that the Kernels page shows, and the request that it would measure.
struct KernelsQuestion {
    std::string shown = "rtx4090-published"; ///< "device:host", or what --profile takes
    std::string compared = {};               ///< "": nothing
    std::string shape = {};                  ///< "2048x5120", "2048x512x8"; "" or not timed: the largest
    int kBits = 4;
    BenchRequest bench = {.preset = "quick"}; ///< of the device that is shown
    bool operator==(const KernelsQuestion&) const = default;
};

ask::Fields benchFields();
ask::Fields kernelsFields();

} // namespace loadline
