// GPUs as the protocol sees them: the CUDA plugin behind the Backend interface.
#pragma once

#include "gpu/backend.h"
#include "gpu/cuda/plugin.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace loadline::gpu {

/// Devices that the plugin finds on this machine.
struct CudaListing {
    std::vector<DeviceInfo> devices; ///< key "cuda:0", ...
    std::string missing; ///< a sentence where there is none: no plugin, no driver, driver too old, no GPU
    std::string cublas;  ///< where cuBLAS is, or that there is none and what that means
};

/// Touches no device more than listing needs. `salt`: makes identities useless to others.
CudaListing listCudaDevices(const std::filesystem::path& plugin, const std::string& salt);
CudaListing listCudaDevices(const CudaPluginApi& api, const std::string& salt);

/// A device in use; Error where it cannot be. One prepared point at a time: preparing another ends the one
/// before.
Result<std::unique_ptr<Backend>> openCudaBackend(const CudaPluginApi& api, int device,
                                                 const std::string& salt);

} // namespace loadline::gpu
