// Folder of this program, for files that are installed beside it.
#pragma once

#include <filesystem>

namespace loadline::app {

/// The folder of the running executable; empty where the system does not tell. Needs no QCoreApplication.
std::filesystem::path programFolder();

/// The CUDA plugin: beside the program, as it is built, or where an installation puts it. Where there is
/// none, the path where it would be.
std::filesystem::path cudaPluginPath();

} // namespace loadline::app
