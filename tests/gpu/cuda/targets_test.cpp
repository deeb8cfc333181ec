// How fast our kernels are for the GPU they run on, as shares of its measured ceilings. Only on request:
// LOADLINE_GPU_CHECK=targets, on a GPU that nobody else uses; ./dev gpu-check does it.
#include "core/cost/analytic/reference_counts.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/protocol/plan.h"
#include "tests/gpu/cuda/plugin_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace loadline::gpu {
namespace {

class Targets : public testing::Test {
protected:
    void SetUp() override {
        const char* const wanted = std::getenv("LOADLINE_GPU_CHECK");
        if (wanted == nullptr || std::string(wanted) != "targets") {
            GTEST_SKIP() << "only with LOADLINE_GPU_CHECK=targets";
        }
        if (cudaPluginFile().empty()) {
            GTEST_SKIP() << "this build has no CUDA plugin";
        }
        const auto api = openCudaPlugin(cudaPluginFile());
        ASSERT_TRUE(api) << api.error().sentence();
        api_ = *api;
        auto backend = openCudaBackend(*api_, 0, "targets");
        if (!backend) {
            GTEST_SKIP() << backend.error().sentence();
        }
        backend_ = std::move(*backend);
        auto ceilings = backend_->measureCeilings({});
        ASSERT_TRUE(ceilings) << ceilings.error().sentence();
        ceilings_ = std::move(*ceilings);
        ASSERT_TRUE(backend_->warmUp(2000, {}));
        std::printf("%s: read %s GB/s, copy %s GB/s, empty node %s us\n", backend_->device().name.c_str(),
                    ceilings_["read_gb_s"].c_str(), ceilings_["copy_gb_s"].c_str(),
                    ceilings_["empty_call_us"].c_str());
    }

    /// Median time of a call over rotated copies, as the protocol takes it.
    double timeUs(const PointSpec& spec) {
        auto point = backend_->prepare(spec, rotationFor(*backend_, spec));
        EXPECT_TRUE(point) << (point ? "" : point.error().sentence());
        std::vector<double> us;
        for (int i = -2; point && i < 15; ++i) {
            const auto sample = (*point)->sample();
            EXPECT_TRUE(sample);
            if (sample && i >= 0) {
                us.push_back(sample->us);
            }
        }
        if (us.empty()) {
            return 0;
        }
        std::sort(us.begin(), us.end());
        return us[us.size() / 2];
    }

    /// Median time of a bare read of as many bytes, over as many copies.
    double readUs(std::int64_t bytes, const Rotation& rotation) {
        CudaSession* session = nullptr;
        char message[256] = {};
        EXPECT_EQ(api_->openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
        CudaWork work = {};
        work.operation = CudaOperation::Read;
        work.bytes = bytes / 16 * 16;
        work.copies = rotation.copies;
        work.activationSets = 1;
        work.nodes = rotation.calls;
        CudaPrepared prepared = {};
        EXPECT_EQ(api_->prepare(session, &work, &prepared), CudaStatus::Ok) << api_->lastError(session);
        std::array<CudaSample, 17> samples = {};
        std::int32_t taken = 0;
        EXPECT_EQ(api_->sample(session, CudaSampling::Graph, 17, samples.data(), &taken), CudaStatus::Ok);
        api_->closeSession(session);
        std::sort(samples.begin() + 2, samples.end(),
                  [](const CudaSample& a, const CudaSample& b) { return a.timeUs < b.timeUs; });
        return samples[9].timeUs / work.nodes;
    }

    double ceiling(const char* key) { return std::stod(ceilings_.at(key)); }

    const CudaPluginApi* api_ = nullptr;
    std::unique_ptr<Backend> backend_;
    Facts ceilings_;
};

/// 8192 x 8192 is 35 MB at k = 4, 8192 x 28672 125 MB.
constexpr GemmSize large[] = {{.k = 8192, .n = 8192}, {.k = 8192, .n = 28672}};

/// Against a bare read of the same bytes: what one node of so few can reach at all.
TEST_F(Targets, SwapAbReadsAtFourFifthsOfABareReadUpToEightRows) {
    for (const GemmSize& size : large) {
        for (const int m : {1, 2, 4, 8}) {
            const PointSpec spec{.kernel = Kernel::SwapAb, .size = size, .rowsM = m, .kBits = 4};
            const double us = timeUs(spec);
            const double bytes = backend_->weightBytes(spec);
            const double bare = readUs(static_cast<std::int64_t>(bytes), rotationFor(*backend_, spec));
            std::printf("swap-AB %s k=4 M=%d: %.2f us, %.1f %% of a bare read of the same bytes (%.2f us)",
                        textOf(size).c_str(), m, us, 100 * bare / us, bare);
            if (ceilings_.count("read_4_gib_gb_s") != 0) {
                std::printf(", %.1f %% of the rate of 4 GiB",
                            100 * bytes / us / 1e3 / ceiling("read_4_gib_gb_s"));
            }
            std::printf("\n");
            EXPECT_GE(bare / us, 0.8) << textOf(size) << " M " << m;
        }
    }
}

TEST_F(Targets, SwapAbIsNeverSlowerThanDequantiseAndCublasUpTo64Rows) {
    for (const GemmSize& size : large) {
        const double dequantise =
            timeUs({.kernel = Kernel::Dequantise, .size = size, .rowsM = 0, .kBits = 4});
        for (const int m : {1, 8, 16, 32, 64}) {
            const double ours = timeUs({.kernel = Kernel::SwapAb, .size = size, .rowsM = m, .kBits = 4});
            const double gemm = timeUs({.kernel = Kernel::CublasFp16, .size = size, .rowsM = m});
            const double both =
                timeUs({.kernel = Kernel::DequantCublas, .size = size, .rowsM = m, .kBits = 4});
            std::printf(
                "%s k=4 M=%d: swap-AB %.2f us, dequantise + cuBLAS %.2f + %.2f us, in one go %.2f us\n",
                textOf(size).c_str(), m, ours, dequantise, gemm, both);
            EXPECT_LE(ours, std::min(both, dequantise + gemm)) << textOf(size) << " M " << m;
        }
    }
}

TEST_F(Targets, DequantiseMovesAtMostOfTheCopyCeiling) {
    for (const GemmSize& size : large) {
        for (const int bits : {2, 3, 4, 5}) {
            const PointSpec spec{.kernel = Kernel::Dequantise, .size = size, .rowsM = 0, .kBits = bits};
            const double us = timeUs(spec);
            const double share =
                (backend_->weightBytes(spec) + 2 * size.elements()) / us / 1e3 / ceiling("copy_gb_s");
            std::printf("dequantise %s k=%d: %.2f us, %.1f %% of the copy ceiling\n", textOf(size).c_str(),
                        bits, us, 100 * share);
            EXPECT_GE(share, 0.85) << textOf(size) << " k " << bits;
        }
    }
}

/// The design's own limit: bytes, instructions (as counted for 9.0) at 128 lanes a clock, or the integer ones
/// of them at 64 (128 from compute capability 12 on), whichever takes longest.
TEST_F(Targets, TheScalarReferenceReachesItsOwnLimit) {
    const double multiprocessors = std::stod(backend_->device().facts.at("multiprocessors"));
    const bool fullRate = backend_->device().facts.at("compute_capability").rfind("\"12", 0) == 0;
    for (const int bits : {2, 4, 5}) {
        const PointSpec spec{.kernel = Kernel::Scalar, .size = large[0], .rowsM = 1, .kBits = bits};
        auto point = backend_->prepare(spec, rotationFor(*backend_, spec));
        ASSERT_TRUE(point);
        const auto sample = (*point)->sample();
        ASSERT_TRUE(sample);
        const ReferenceLoop& loop = *scalarLoop(90, bits, 1); // by warp, which has 1,024 weights
        const double clocks =
            large[0].elements() / 1024 * std::max(loop.issued / 4.0, loop.alu / (fullRate ? 4.0 : 2.0));
        const double limit = std::max(clocks / (multiprocessors * sample->clockMhz),
                                      backend_->weightBytes(spec) / 1e3 / ceiling("read_gb_s"));
        const double us = timeUs(spec);
        std::printf("scalar k=%d M=1: %.2f us, limit %.2f us\n", bits, us, limit);
        EXPECT_LE(us, limit * 1.1) << bits;
    }
}

} // namespace
} // namespace loadline::gpu
