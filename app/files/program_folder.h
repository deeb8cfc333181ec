// Where this program lies, for files that are installed beside it.
#pragma once

#include <filesystem>

namespace loadline::app {

/// The folder of the running executable; empty where the system does not tell. Needs no QCoreApplication.
std::filesystem::path programFolder();

} // namespace loadline::app
