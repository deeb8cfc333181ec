// What goes wrong on a device gives a clear outcome, and leaves nothing behind.
#include "gpu/cuda/cuda_attention.h"
#include "gpu/cuda/cuda_work.h"
#include "tests/gpu/rehearse/rehearsal.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace loadline::gpu::rehearse {
namespace {

class FaultRehearsal : public Rehearsal {};

constexpr PointSpec small{.kernel = Kernel::SwapAb, .size = {.k = 64, .n = 32}, .rowsM = 1, .kBits = 4};

TEST_F(FaultRehearsal, EveryAllocationMayFail) {
    open(); // closed again: how many there are
    const int toOpen = counts().allocations;
    ASSERT_GT(toOpen, 4);
    for (int n = 1; n <= toOpen; ++n) {
        stage().allocationThatFails = n;
        const auto backend = openCudaBackend(plugin(), 0, "salt");
        ASSERT_FALSE(backend) << n;
        EXPECT_NE(backend.error().what.find("out of memory"), std::string::npos) << backend.error().what;
        EXPECT_EQ(leftBehind(), std::vector<std::string>{}) << "after allocation " << n;
    }
    stage().allocationThatFails = 0;
    const auto backend = open();
    const int before = counts().allocations;
    ASSERT_TRUE(backend->check(small, 1));
    const int toCheck = counts().allocations - before;
    ASSERT_EQ(toCheck, 2) << "the arena and the guarded output";
    EXPECT_TRUE(backend->check(small, 1)->passed);
    // Out of memory while the arena grows, then in it.
    const PointSpec larger{.kernel = Kernel::Mma, .size = {.k = 512, .n = 512}, .rowsM = 1, .kBits = 4};
    for (int n = 1; n <= 2; ++n) {
        stage().allocationThatFails = n;
        const auto outcome = backend->check(n == 1 ? larger : small, 1);
        ASSERT_TRUE(outcome);
        EXPECT_FALSE(outcome->passed);
        EXPECT_NE(outcome->what.find("out of memory"), std::string::npos) << outcome->what;
        stage().allocationThatFails = 0;
    }
    // The error is not taken for that of the next launch.
    const auto after = backend->check(small, 1);
    ASSERT_TRUE(after);
    EXPECT_TRUE(after->passed) << after->what;
}

TEST_F(FaultRehearsal, AFaultOfTheDeviceEndsTheSession) {
    auto backend = open();
    auto point = backend->prepare(small, {.copies = 2, .calls = 8});
    ASSERT_TRUE(point);
    ASSERT_TRUE((*point)->sample());
    stage().launchThatFaults = 5;
    const auto sample = (*point)->sample();
    ASSERT_FALSE(sample);
    EXPECT_NE(sample.error().what.find("cudaErrorIllegalAddress"), std::string::npos) << sample.error().what;
    EXPECT_FALSE((*point)->isolatedUs());
    EXPECT_FALSE(backend->check(small, 1)) << "a fault, not a wrong answer";
    EXPECT_FALSE(backend->prepare(small, {.copies = 2, .calls = 8}));
    backend.reset();              // does not hang, does not crash
    stageOf({cut(rtx3050(), 2)}); // a new process: what such a device has left behind is gone with it
}

TEST_F(FaultRehearsal, EveryLaunchOfACheckMayFault) {
    for (int n = 1; n <= 5; ++n) { // routing and kernel, with few blocks and with all
        stageOf({cut(rtx3050(), 2)});
        auto backend = open();
        stage().launchThatFaults = n;
        const PointSpec grouped{.kernel = Kernel::GroupedSwapAb,
                                .size = {.k = 64, .n = 32},
                                .experts = 2,
                                .rowsM = 2,
                                .kBits = 4};
        const auto outcome = backend->check(grouped, 1);
        if (n <= 4) {
            ASSERT_FALSE(outcome) << n;
            EXPECT_NE(outcome.error().what.find("cudaErrorIllegalAddress"), std::string::npos);
        } else {
            EXPECT_TRUE(outcome && outcome->passed);
        }
        backend.reset();
        if (n <= 4) {
            begin({});
        }
    }
}

TEST_F(FaultRehearsal, SizesThatNoGridHasAreRefused) {
    CudaSession* session = nullptr;
    char message[256] = {};
    ASSERT_EQ(plugin().openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    const auto statusOf = [&](const CudaWork& work) {
        CudaPrepared prepared = {};
        return plugin().prepare(session, &work, &prepared);
    };
    CudaWork work = {};
    work.copies = work.activationSets = work.nodes = 1;
    work.bits = 4;
    work.k = work.n = 32;
    work.operation = CudaOperation::GroupedScalar;
    work.experts = 4096;
    work.m = 128;
    EXPECT_EQ(statusOf(work), CudaStatus::NotSupported) << "131,072 groups of four rows";
    work.operation = CudaOperation::GroupedSwapAb;
    work.m = 1 << 20;
    EXPECT_EQ(statusOf(work), CudaStatus::NotSupported) << "2^32 rows";
    work.operation = CudaOperation::MoeRoute;
    work.m = 1;
    EXPECT_EQ(statusOf(work), CudaStatus::Ok) << plugin().lastError(session);
    work.operation = CudaOperation::AttentionDecode;
    work.headDim = 64;
    work.batch = 1024;
    work.queryHeads = 64;
    work.kvHeads = 64;
    work.context = 1;
    EXPECT_EQ(statusOf(work), CudaStatus::InvalidArgument);
    plugin().closeSession(session);
}

/// Shared memory at an address that the table of k = 4 and 5 does not allow for is refused, not trapped upon.
TEST_F(FaultRehearsal, SharedMemoryAtAnAddressThatIsNotKnown) {
    for (const unsigned origin : {2048U, 512U}) {
        stage().sharedOrigin = origin;
        const auto backend = open();
        const auto four = backend->check(small, 1);
        ASSERT_TRUE(four) << "the session goes on";
        EXPECT_FALSE(four->passed);
        EXPECT_NE(four->what.find("begins at " + std::to_string(origin)), std::string::npos) << four->what;
        const auto two =
            backend->check({.kernel = Kernel::SwapAb, .size = {.k = 64, .n = 32}, .rowsM = 1, .kBits = 2}, 1);
        ASSERT_TRUE(two);
        EXPECT_TRUE(two->passed) << "which has no table there";
    }
}

/// A table that would lead a kernel outside of the cache never reaches the device.
TEST_F(FaultRehearsal, TablesAndLengthsThatDoNotFitAreRefused) {
    CudaSession* session = nullptr;
    char message[256] = {};
    ASSERT_EQ(plugin().openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    const CudaWork work = cudaWorkOf({AttentionPhase::Decode, {1, 1, 64}, 2, 19}, {1, 1});
    const std::vector<std::uint16_t> cache(std::size_t{2} * 4 * 16 * 64);
    const std::vector<std::uint16_t> q(std::size_t{2} * 64);
    std::vector<std::uint16_t> y(q.size());
    const auto statusOf = [&](const std::vector<std::int32_t>& table,
                              const std::vector<std::int32_t>& lengths) {
        CudaCheck data = {};
        data.weights = cache.data();
        data.weightBytes = static_cast<std::int64_t>(cache.size() * 2);
        data.x = q.data();
        data.xBytes = data.yBytes = static_cast<std::int64_t>(q.size() * 2);
        data.y = y.data();
        data.kvTable = table.data();
        data.lengths = lengths.data();
        return plugin().check(session, &work, &data);
    };
    EXPECT_EQ(statusOf({3, 0, 2, 1}, {20, 1}), CudaStatus::Ok) << plugin().lastError(session);
    EXPECT_EQ(statusOf({3, 0, 4, 1}, {20, 1}), CudaStatus::InvalidArgument);
    EXPECT_EQ(statusOf({3, -1, 2, 1}, {20, 1}), CudaStatus::InvalidArgument);
    EXPECT_EQ(statusOf({3, 0, 2, 1}, {20, 0}), CudaStatus::InvalidArgument);
    EXPECT_EQ(statusOf({3, 0, 2, 1}, {21, 1}), CudaStatus::InvalidArgument);
    plugin().closeSession(session);
}

TEST_F(FaultRehearsal, ACublasThatDoesNotStart) {
    setenv("LOADLINE_REHEARSED_CUBLAS_STATUS", "1", 1);
    const CudaPluginApi& another = pluginWithCublas(LOADLINE_MADE_UP_CUBLAS);
    const auto backend = openCudaBackend(another, 0, "salt");
    unsetenv("LOADLINE_REHEARSED_CUBLAS_STATUS");
    ASSERT_TRUE(backend) << "our kernels need no cuBLAS: " << backend.error().sentence();
    EXPECT_TRUE((*backend)->check(small, 1)->passed);
    EXPECT_FALSE(
        (*backend)->supports({.kernel = Kernel::CublasFp16, .size = {.k = 64, .n = 64}, .rowsM = 1}));
    const auto ceilings = (*backend)->measureCeilings({});
    ASSERT_TRUE(ceilings) << ceilings.error().sentence();
    EXPECT_EQ(ceilings->count("gemm_tflop_s"), 0U);
    CudaProbe probe = {};
    another.probe(&probe);
    EXPECT_EQ(probe.cublasVersion, 0);
    EXPECT_NE(std::string(probe.cublasMessage).find("does not start (status 1)"), std::string::npos)
        << probe.cublasMessage;
}

TEST_F(FaultRehearsal, ACublasBesideTheCurrentFolderIsNotOpened) {
    const auto before = std::filesystem::current_path();
    const auto folder = std::filesystem::temp_directory_path() / ("cublas_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder / "lib64");
    std::filesystem::copy_file(LOADLINE_MADE_UP_CUBLAS, folder / "lib64" / "libcublas.so.13");
    std::filesystem::current_path(folder);
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
        setenv(variable, ".", 1);
    }
    CudaProbe probe = {};
    pluginWithCublas("./lib64/libcublas.so.13").probe(&probe);
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
        unsetenv(variable);
    }
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
    EXPECT_EQ(std::string(probe.cublasMessage).find("./"), std::string::npos) << probe.cublasMessage;
}

TEST_F(FaultRehearsal, WithoutCublasOnlyItsKernelsAreMissing) {
    const CudaPluginApi& without =
        pluginWithCublas(LOADLINE_MADE_UP_NVML); // a library without such functions
    CudaProbe probe = {};
    without.probe(&probe);
    EXPECT_EQ(probe.cublasVersion, 0);
    EXPECT_NE(std::string(probe.cublasMessage).find("lacks functions"), std::string::npos)
        << probe.cublasMessage;
    const auto backend = openCudaBackend(without, 0, "salt");
    ASSERT_TRUE(backend);
    EXPECT_FALSE(
        (*backend)->supports({.kernel = Kernel::CublasFp16, .size = {.k = 64, .n = 64}, .rowsM = 1}));
    EXPECT_TRUE((*backend)->supports(small));
    EXPECT_TRUE((*backend)->check(small, 1)->passed);
    const auto clock = (*backend)->warmUp(20, {});
    EXPECT_TRUE(clock);
}

} // namespace
} // namespace loadline::gpu::rehearse
