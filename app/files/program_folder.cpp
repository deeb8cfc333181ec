// Asks the system for the executable's path.
#include "app/files/program_folder.h"

#include <system_error>

#if defined(_WIN32)
#include <windows.h>

#include <array>
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

} // namespace loadline::app
