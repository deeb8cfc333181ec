// Opens the rehearsed plugin, and looks at the stage after every test.
#include "tests/gpu/rehearse/rehearsal.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace loadline::gpu::rehearse {

namespace {

const CudaPluginApi& opened(const std::filesystem::path& path) {
    const auto api = openCudaPlugin(path);
    if (!api) {
        throw std::runtime_error(api.error().sentence());
    }
    return **api;
}

} // namespace

const CudaPluginApi& plugin() {
    static const CudaPluginApi& api = [&]() -> const CudaPluginApi& {
        // Both are found by the plugin's own search: cuBLAS by the variable, NVML by the name it is open
        // under.
        setenv("LOADLINE_CUBLAS", LOADLINE_MADE_UP_CUBLAS, 1);
        EXPECT_NE(dlopen(LOADLINE_MADE_UP_NVML, RTLD_NOW | RTLD_LOCAL), nullptr) << dlerror();
        begin({}); // no device: the search alone
        const CudaPluginApi& made = opened(LOADLINE_REHEARSED_PLUGIN);
        CudaProbe probe = {};
        made.probe(&probe);
        return made;
    }();
    return api;
}

const CudaPluginApi& pluginWithCublas(const std::string& cublas) {
    plugin();
    static int copies = 0; // the loader knows again a library by its name
    const auto copy =
        std::filesystem::temp_directory_path() /
        ("loadline_rehearsed_" + std::to_string(getpid()) + "_" + std::to_string(++copies) + ".so");
    std::filesystem::copy_file(LOADLINE_REHEARSED_PLUGIN, copy,
                               std::filesystem::copy_options::overwrite_existing);
    setenv("LOADLINE_CUBLAS", cublas.c_str(), 1);
    const CudaPluginApi& made = opened(copy);
    CudaProbe probe = {};
    made.probe(&probe);
    setenv("LOADLINE_CUBLAS", LOADLINE_MADE_UP_CUBLAS, 1);
    std::filesystem::remove(copy);
    return made;
}

void Rehearsal::SetUp() {
    plugin();
    stageOf({cut(rtx3050(), 6)});
}

void Rehearsal::TearDown() {
    EXPECT_EQ(broken(), std::vector<std::string>{});
    EXPECT_EQ(leftBehind(), std::vector<std::string>{});
}

std::unique_ptr<Backend> Rehearsal::open(int index) {
    auto backend = openCudaBackend(plugin(), index, "salt");
    EXPECT_TRUE(backend) << (backend ? "" : backend.error().sentence());
    return backend ? std::move(*backend) : nullptr;
}

void Rehearsal::stageOf(const std::vector<StagedDevice>& devices) {
    Stage stage;
    stage.devices = devices;
    stage.ptxasLogs = LOADLINE_PTXAS_LOGS;
    begin(stage);
}

} // namespace loadline::gpu::rehearse
