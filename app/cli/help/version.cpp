// Facts recorded by the build, and facts found when the program runs.
#include "app/cli/help/version.h"

#include "app/files/program_folder.h"
#include "gpu/cuda/plugin.h"

#include <QtGlobal>
#include <fmt/format.h>

#if __has_include("revision.h") // made by the build (app/revision.cmake)
#include "revision.h"
#else
#define LOADLINE_REVISION ""
#define LOADLINE_REVISION_DATE ""
#define LOADLINE_BUILD_TYPE ""
#endif

namespace loadline::app {
namespace {

std::string compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "another compiler";
#endif
}

std::string cudaKernels() {
    const std::filesystem::path path = cudaPluginPath();
    const Result<const gpu::CudaPluginApi*> plugin = gpu::openCudaPlugin(path);
    return plugin ? fmt::format("{} ({})", (*plugin)->buildInfo, path.string())
                  : "none: " + plugin.error().sentence();
}

} // namespace

std::string revision() {
    return LOADLINE_REVISION;
}

std::string revisionDate() {
    return LOADLINE_REVISION_DATE;
}

std::string versionText() {
    const std::string commit = revision();
    const std::string type = LOADLINE_BUILD_TYPE;
    return fmt::format("loadline {}\n"
                       "commit        {}\n"
                       "Qt            {}, compiled with {}\n"
                       "build         {}, {}\n"
                       "CUDA kernels  {}\n",
                       LOADLINE_VERSION, commit.empty() ? "not known" : commit + ", " + revisionDate(),
                       qVersion(), QT_VERSION_STR, type.empty() ? "no type" : type, compiler(),
                       cudaKernels());
}

} // namespace loadline::app
