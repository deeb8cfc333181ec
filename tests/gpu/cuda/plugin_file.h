// Where the tests find the CUDA plugin.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace loadline::gpu {

/// That of this build, unless LOADLINE_CUDA_PLUGIN_FILE names another; empty: there is none.
inline std::filesystem::path cudaPluginFile() {
    if (const char* const named = std::getenv("LOADLINE_CUDA_PLUGIN_FILE")) {
        return named;
    }
#ifdef LOADLINE_CUDA_PLUGIN
    return LOADLINE_CUDA_PLUGIN;
#else
    return {};
#endif
}

} // namespace loadline::gpu
