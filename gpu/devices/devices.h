// The devices of this machine that kernels can be timed on.
#pragma once

#include "gpu/backend.h"
#include "gpu/host/host_backend.h"
#include "gpu/made_up/made_up_backend.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace loadline::gpu {

struct DeviceOptions {
    HostOptions host;
    std::filesystem::path cudaPlugin; ///< the file, whether it is there or not; empty: do not look for GPUs
    std::string salt;                 ///< makes the identity in a GPU's facts useless to others
    MadeUpBehaviour madeUp;
};

struct DeviceList {
    std::vector<DeviceInfo> devices;  ///< the CPU first, then each GPU; the made-up device is not listed
    std::vector<std::string> remarks; ///< what is missing for GPUs, and where cuBLAS is: a sentence each
};

/// Asks, and runs nothing.
DeviceList listDevices(const DeviceOptions& options);

/// Opens a device by key: "host", "cuda:0", "made-up". The Error names the devices there are.
Result<std::unique_ptr<Backend>> openDevice(const std::string& key, const DeviceOptions& options);

} // namespace loadline::gpu
