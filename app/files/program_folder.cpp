// Asks the system for the executable's path.
#include "app/files/program_folder.h"

#include "gpu/cuda/plugin.h"

#include <system_error>

#if defined(_WIN32)
#include <windows.h>

#include <array>
#endif

#ifndef LOADLINE_PLUGIN_FOLDER
#define LOADLINE_PLUGIN_FOLDER "../lib/loadline/plugins" // of an installation, seen from the program's folder
#endif

namespace loadline::app {

std::filesystem::path programFolder() {
#if defined(_WIN32)
    std::array<wchar_t, 32768> path = {};
    const DWORD length = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    return length == 0 ? std::filesystem::path() : std::filesystem::path(path.data()).parent_path();
#else
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::path() : program.parent_path();
#endif
}

std::filesystem::path cudaPluginPath() {
    const std::filesystem::path beside = programFolder() / gpu::cudaPluginFileName();
    const std::filesystem::path installed =
        (programFolder() / LOADLINE_PLUGIN_FOLDER / gpu::cudaPluginFileName()).lexically_normal();
    std::error_code ignored;
    return !std::filesystem::exists(beside, ignored) && std::filesystem::exists(installed, ignored)
               ? installed
               : beside;
}

} // namespace loadline::app
