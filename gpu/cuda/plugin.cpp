// Opening the plugin by the system's loader, and looking at its table before trusting it.
#include "gpu/cuda/plugin.h"

#include <system_error>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace loadline::gpu {

namespace {

#ifdef _WIN32
constexpr const char* fileName = "loadline_cuda.dll";

CudaPluginEntry entryOf(const std::filesystem::path& path, std::string& problem) {
    const HMODULE library = LoadLibraryW(path.c_str());
    if (library == nullptr) {
        problem = "error " + std::to_string(GetLastError());
        return nullptr;
    }
    return reinterpret_cast<CudaPluginEntry>(
        reinterpret_cast<void*>(GetProcAddress(library, cudaPluginEntry)));
}
#else
constexpr const char* fileName = "libloadline_cuda.so";

/// nullptr with a problem: it cannot be opened; without one: it has no such entry.
CudaPluginEntry entryOf(const std::filesystem::path& path, std::string& problem) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const text = dlerror();
        problem = text == nullptr ? "the loader does not say why" : text;
        return nullptr;
    }
    return reinterpret_cast<CudaPluginEntry>(dlsym(library, cudaPluginEntry));
}
#endif

bool isComplete(const CudaPluginApi& api) {
    return api.abi == cudaPluginAbi && api.apiBytes == sizeof(CudaPluginApi) &&
           api.workBytes == sizeof(CudaWork) && api.factsBytes == sizeof(CudaDeviceFacts) &&
           api.sampleBytes == sizeof(CudaSample) && api.probe != nullptr && api.deviceFacts != nullptr &&
           api.health != nullptr && api.openSession != nullptr && api.closeSession != nullptr &&
           api.lastError != nullptr && api.prepare != nullptr && api.sample != nullptr &&
           api.emptyBracketUs != nullptr && api.check != nullptr;
}

} // namespace

std::filesystem::path cudaPluginFileName() {
    return fileName;
}

Result<const CudaPluginApi*> openCudaPlugin(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return Error{"this build has no CUDA plugin", path.string(),
                     "installing loadline-cuda, building where a CUDA toolkit is, or measuring the CPU"};
    }
    std::string problem;
    const CudaPluginEntry entry = entryOf(path, problem);
    if (!problem.empty()) {
        return Error{"cannot open the CUDA plugin: " + problem, path.string(), ""};
    }
    const CudaPluginApi* const api = entry == nullptr ? nullptr : entry(cudaPluginAbi);
    if (api == nullptr || !isComplete(*api)) {
        return Error{"the CUDA plugin belongs to another version of Loadline", path.string(),
                     "installing both from the same build"};
    }
    return api;
}

} // namespace loadline::gpu
