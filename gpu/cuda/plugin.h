// Finding and opening the CUDA plugin at run time.
#pragma once

#include "core/base/result.h"
#include "gpu/cuda/plugin_abi.h"

#include <filesystem>

namespace loadline::gpu {

/// The plugin's file name: "libloadline_cuda.so", "loadline_cuda.dll".
std::filesystem::path cudaPluginFileName();

/// Opens the plugin at `path`; it stays open until the process ends. Errors: the file is not there (this
/// build has no CUDA), the loader refuses it, or it speaks another ABI. The table is checked, complete and
/// never null.
Result<const CudaPluginApi*> openCudaPlugin(const std::filesystem::path& path);

} // namespace loadline::gpu
