// The CUDA plugin without a GPU: it opens, says what is missing, and refuses work without crashing.
#include "gpu/cuda/plugin.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace loadline::gpu {
namespace {

#ifdef LOADLINE_CUDA_PLUGIN
constexpr const char* pluginPath = LOADLINE_CUDA_PLUGIN;
#else
constexpr const char* pluginPath = nullptr;
#endif

const CudaPluginApi* openBuilt() {
    if (pluginPath == nullptr) {
        return nullptr;
    }
    const auto api = openCudaPlugin(pluginPath);
    EXPECT_TRUE(api) << (api ? "" : api.error().sentence());
    return api ? *api : nullptr;
}

CudaProbe probeOf(const CudaPluginApi& api) {
    CudaProbe probe{};
    api.probe(&probe);
    return probe;
}

TEST(CudaPlugin, AbsentIsAnErrorThatSaysWhatToDo) {
    const auto api = openCudaPlugin("no-such-folder/libloadline_cuda.so");
    ASSERT_FALSE(api);
    EXPECT_NE(api.error().what.find("no CUDA plugin"), std::string::npos);
    EXPECT_NE(api.error().remedy, "");
}

TEST(CudaPlugin, AnotherLibraryIsRefused) {
    const auto text = std::filesystem::temp_directory_path() / "loadline_not_a_plugin.so";
    std::ofstream(text) << "not a library";
    const auto api = openCudaPlugin(text);
    std::filesystem::remove(text);
    ASSERT_FALSE(api);
    EXPECT_NE(api.error().what.find("cannot open"), std::string::npos) << api.error().what;
}

TEST(CudaPlugin, OpensAndSaysWhatIsThere) {
    const CudaPluginApi* const api = openBuilt();
    if (api == nullptr) {
        GTEST_SKIP() << "this build has no CUDA plugin";
    }
    EXPECT_NE(std::string(api->buildInfo).find("sm "), std::string::npos);
    const CudaProbe probe = probeOf(*api);
    EXPECT_GE(probe.runtimeCuda, 12000);
    EXPECT_EQ(probe.nvcc / 100, probe.runtimeCuda / 1000); // of one toolkit
    EXPECT_NE(std::string(probe.message), "");
    EXPECT_NE(std::string(probe.cublasMessage), "");
    EXPECT_EQ(probe.cublasVersion == 0,
              std::string(probe.cublasMessage).find("LOADLINE_CUBLAS") != std::string::npos);
    switch (probe.status) {
    case CudaStatus::Ok:
        EXPECT_GT(probe.devices, 0);
        break;
    case CudaStatus::NoDriver:
        EXPECT_EQ(probe.driverCuda, 0);
        EXPECT_NE(std::string(probe.message).find("No NVIDIA driver"), std::string::npos);
        break;
    case CudaStatus::DriverTooOld:
        EXPECT_LT(probe.driverCuda, probe.runtimeCuda);
        break;
    default:
        EXPECT_EQ(probe.status, CudaStatus::NoDevice);
    }
}

TEST(CudaPlugin, WithoutADeviceEveryCallFailsSoftly) {
    const CudaPluginApi* const api = openBuilt();
    if (api == nullptr) {
        GTEST_SKIP() << "this build has no CUDA plugin";
    }
    const CudaProbe probe = probeOf(*api);
    if (probe.status == CudaStatus::Ok) {
        GTEST_SKIP() << "this machine has a GPU";
    }
    CudaDeviceFacts facts{};
    EXPECT_EQ(api->deviceFacts(0, "salt", &facts), probe.status);
    CudaHealth health{};
    EXPECT_EQ(api->health(0, &health), probe.status);
    EXPECT_EQ(health.powerMw, -1);
    CudaSession* session = nullptr;
    char message[256] = {};
    EXPECT_EQ(api->openSession(0, &session, message, sizeof message), probe.status);
    EXPECT_EQ(session, nullptr);
    EXPECT_STREQ(message, probe.message);

    const CudaWork work{};
    CudaPrepared prepared{};
    EXPECT_EQ(api->prepare(session, &work, &prepared), CudaStatus::InvalidArgument);
    CudaSample sample{};
    std::int32_t taken = 7;
    EXPECT_EQ(api->sample(session, CudaSampling::Graph, 1, &sample, &taken), CudaStatus::InvalidArgument);
    EXPECT_EQ(taken, 0);
    double us = 0;
    EXPECT_EQ(api->emptyBracketUs(session, &us), CudaStatus::InvalidArgument);
    const CudaCheck check{};
    EXPECT_EQ(api->check(session, &work, &check), CudaStatus::InvalidArgument);
    EXPECT_STREQ(api->lastError(session), "no session");
    api->closeSession(session);
}

} // namespace
} // namespace loadline::gpu
