// One call each of the points that a profiler is to look at. Only on request: LOADLINE_GPU_CHECK=profiler,
// under Nsight Compute; ./dev gpu-check does it.
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/cuda_work.h"
#include "tests/gpu/cuda/plugin_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace loadline::gpu {
namespace {

TEST(Profiled, SwapAbAtOneEightAndSixtyFourRows) {
    const char* const wanted = std::getenv("LOADLINE_GPU_CHECK");
    if (wanted == nullptr || std::string(wanted) != "profiler") {
        GTEST_SKIP() << "only with LOADLINE_GPU_CHECK=profiler";
    }
    const auto api = openCudaPlugin(cudaPluginFile());
    ASSERT_TRUE(api) << api.error().sentence();
    CudaSession* session = nullptr;
    char message[256] = {};
    ASSERT_EQ((*api)->openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    for (const auto& [bits, rows] : {std::pair{4, 1}, {4, 8}, {4, 64}, {2, 1}}) {
        const PointSpec spec{
            .kernel = Kernel::SwapAb, .size = {.k = 8192, .n = 28672}, .rowsM = rows, .kBits = bits};
        const CudaWork work = cudaWorkOf(spec, {.copies = 1, .calls = 1});
        CudaPrepared prepared = {};
        EXPECT_EQ((*api)->prepare(session, &work, &prepared), CudaStatus::Ok) << (*api)->lastError(session);
        CudaSample sample = {};
        std::int32_t taken = 0;
        EXPECT_EQ((*api)->sample(session, CudaSampling::Isolated, 1, &sample, &taken), CudaStatus::Ok)
            << (*api)->lastError(session);
        std::printf("swap-AB 8192x28672 k=%d M=%d\n", bits, rows);
    }
    (*api)->closeSession(session);
}

} // namespace
} // namespace loadline::gpu
