// The CPU, GPUs by way of the plugin, and the made-up device.
#include "gpu/devices/devices.h"

#include "gpu/cuda/cuda_backend.h"

#include <charconv>
#include <optional>

namespace loadline::gpu {
namespace {

constexpr std::string_view cudaPrefix = "cuda:";

std::optional<int> cudaIndexOf(const std::string& key) {
    int index = 0;
    if (!key.starts_with(cudaPrefix)) {
        return std::nullopt;
    }
    const char* const begin = key.data() + cudaPrefix.size();
    const char* const end = key.data() + key.size();
    const auto [stop, problem] = std::from_chars(begin, end, index);
    return problem == std::errc{} && stop == end && index >= 0 ? std::optional(index) : std::nullopt;
}

Result<std::unique_ptr<Backend>> openCuda(int index, const DeviceOptions& options) {
    const Result<const CudaPluginApi*> api = openCudaPlugin(options.cudaPlugin);
    if (!api) {
        return api.error();
    }
    return openCudaBackend(**api, index, options.salt);
}

} // namespace

DeviceList listDevices(const DeviceOptions& options) {
    DeviceList list;
    list.devices.push_back(hostDevice(options.host));
    if (options.cudaPlugin.empty()) {
        return list;
    }
    CudaListing cuda = listCudaDevices(options.cudaPlugin, options.salt);
    for (DeviceInfo& device : cuda.devices) {
        list.devices.push_back(std::move(device));
    }
    for (const std::string& remark : {cuda.missing, cuda.cublas}) {
        if (!remark.empty()) {
            list.remarks.push_back(remark);
        }
    }
    return list;
}

Result<std::unique_ptr<Backend>> openDevice(const std::string& key, const DeviceOptions& options) {
    if (key == "host") {
        return openHostBackend(options.host);
    }
    if (key == "made-up") {
        return openMadeUpBackend(options.madeUp);
    }
    if (const auto index = cudaIndexOf(key)) {
        return openCuda(*index, options);
    }
    std::string known;
    for (const DeviceInfo& device : listDevices(options).devices) {
        known += (known.empty() ? "" : ", ") + device.key;
    }
    return Error{"there is no device \"" + key + "\"", "", known};
}

} // namespace loadline::gpu
