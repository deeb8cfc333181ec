// Every kernel on every GPU there is, against float64. Skipped visibly where there is none.
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/cuda_work.h"
#include "gpu/host/half.h"
#include "tests/gpu/cuda/plugin_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace loadline::gpu {
namespace {

std::size_t indexOf(int i) {
    return static_cast<std::size_t>(i);
}

/// LOADLINE_GPU_CHECK=small keeps to sizes that compute-sanitizer gets through in minutes.
bool onlySmall() {
    const char* const wanted = std::getenv("LOADLINE_GPU_CHECK");
    return wanted != nullptr && std::string(wanted) == "small";
}

class OnDevice : public testing::Test {
protected:
    void SetUp() override {
        if (cudaPluginFile().empty()) {
            GTEST_SKIP() << "this build has no CUDA plugin";
        }
        const auto api = openCudaPlugin(cudaPluginFile());
        ASSERT_TRUE(api) << api.error().sentence();
        api_ = *api;
        const CudaListing listing = listCudaDevices(*api_, "test");
        if (!listing.missing.empty()) {
            GTEST_SKIP() << listing.missing;
        }
        hasCublas_ = listing.devices.front().facts.count("cublas") != 0;
        auto backend = openCudaBackend(*api_, 0, "test");
        ASSERT_TRUE(backend) << backend.error().sentence();
        backend_ = std::move(*backend);
    }

    void check(const PointSpec& spec) {
        ASSERT_TRUE(backend_->supports(spec));
        const auto outcome = backend_->check(spec, ++seed_);
        ASSERT_TRUE(outcome) << outcome.error().sentence();
        EXPECT_TRUE(outcome->passed) << nameOf(spec.kernel) << ' ' << textOf(spec.size) << " x "
                                     << spec.experts << ", k = " << spec.kBits << ", M = " << spec.rowsM
                                     << ": " << outcome->what;
    }

    /// Shapes that fill their tiles and shapes that do not, deep and wide.
    static std::vector<GemmSize> sizes() {
        std::vector<GemmSize> sizes = {{.k = 32, .n = 8}, {.k = 96, .n = 200}, {.k = 512, .n = 256}};
        if (!onlySmall()) {
            sizes.insert(sizes.end(),
                         {{.k = 2048, .n = 512}, {.k = 2080, .n = 1000}, {.k = 14336, .n = 384}});
        }
        return sizes;
    }

    const CudaPluginApi* api_ = nullptr;
    bool hasCublas_ = false;
    std::unique_ptr<Backend> backend_;
    std::uint64_t seed_ = 0;
};

TEST_F(OnDevice, DenseKernelsMatchFloat64) {
    for (const GemmSize& size : sizes()) {
        for (const int bits : {2, 3, 4, 5}) {
            check({.kernel = Kernel::Dequantise, .size = size, .rowsM = 0, .kBits = bits});
            for (const int m : {1, 2, 3, 4, 8, 16, 17, 32, 33, 64}) {
                for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb}) {
                    if (m <= mostRowsOf(kernel)) {
                        check({.kernel = kernel, .size = size, .rowsM = m, .kBits = bits});
                    }
                }
            }
        }
    }
}

TEST_F(OnDevice, GroupedKernelsMatchFloat64) {
    for (const GemmSize& size : sizes()) {
        for (const int bits : {2, 3, 4, 5}) {
            for (const int m : {1, 3, 17}) {
                for (const Kernel kernel :
                     {Kernel::GroupedScalar, Kernel::GroupedMma, Kernel::GroupedSwapAb}) {
                    if (m <= mostRowsOf(kernel)) {
                        check({.kernel = kernel, .size = size, .experts = 4, .rowsM = m, .kBits = bits});
                    }
                }
            }
        }
    }
}

TEST_F(OnDevice, CublasMatchesFloat64) {
    if (!hasCublas_) {
        GTEST_SKIP() << "no cuBLAS";
    }
    for (const int m : {1, 17, 64}) {
        check({.kernel = Kernel::CublasFp16, .size = {.k = 512, .n = 264}, .rowsM = m});
        check({.kernel = Kernel::BatchedFp16, .size = {.k = 512, .n = 264}, .experts = 3, .rowsM = m});
    }
}

/// Graphs of rotated copies replay and leave sums clean: the same point, sampled often.
TEST_F(OnDevice, PointsReplay) {
    for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb, Kernel::Dequantise}) {
        auto point = backend_->prepare({.kernel = kernel,
                                        .size = {.k = 512, .n = 512},
                                        .rowsM = kernel == Kernel::Dequantise ? 0 : 4,
                                        .kBits = 4},
                                       {.copies = 3, .calls = 8});
        ASSERT_TRUE(point) << point.error().sentence();
        for (int i = 0; i < 5; ++i) {
            const auto sample = (*point)->sample();
            ASSERT_TRUE(sample) << sample.error().sentence();
            EXPECT_GT(sample->us, 0);
            EXPECT_GT(sample->clockMhz, 100);
            EXPECT_LT(sample->clockMhz, 5000);
        }
    }
}

TEST_F(OnDevice, AttentionMatchesFloat64) {
    CudaSession* session = nullptr;
    char message[256] = {};
    ASSERT_EQ(api_->openSession(0, &session, message, sizeof message), CudaStatus::Ok) << message;
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (const int headDim : {64, 128, 256}) {
        for (const int queries : {0, 100}) { // 0: decode
            CudaWork work = {};
            work.operation = queries == 0 ? CudaOperation::AttentionDecode : CudaOperation::AttentionPrefill;
            work.m = std::max(queries, 1);
            work.batch = 2;
            work.queryHeads = 4;
            work.kvHeads = 2;
            work.headDim = headDim;
            work.context = 300;
            const auto make = [&](std::int64_t count) {
                std::vector<std::uint16_t> values;
                for (std::int64_t i = 0; i < count; ++i) {
                    values.push_back(halfOfFloat(normal(random)));
                }
                return values;
            };
            const std::vector<std::uint16_t> q = make(work.batch * work.m * work.queryHeads * headDim);
            const std::int64_t keys = work.batch * work.context * work.kvHeads * headDim;
            const std::vector<std::uint16_t> kv = make(2 * keys);
            std::vector<std::uint16_t> y(q.size());
            CudaCheck data = {};
            data.weights = kv.data();
            data.weightBytes = static_cast<std::int64_t>(kv.size() * 2);
            data.x = q.data();
            data.xBytes = data.yBytes = static_cast<std::int64_t>(q.size() * 2);
            data.y = y.data();
            ASSERT_EQ(api_->check(session, &work, &data), CudaStatus::Ok) << api_->lastError(session);
            double difference = 0;
            double size = 0;
            for (int row = 0; row < work.batch * work.m * work.queryHeads; ++row) {
                const int kvHead = row % work.queryHeads / 2;
                const int position = row / work.queryHeads % work.m;
                const int sequence = row / work.queryHeads / work.m;
                std::vector<double> sum(static_cast<std::size_t>(headDim));
                double weight = 0;
                for (std::int64_t key = 0; key <= work.context - work.m + position; ++key) {
                    const std::int64_t at =
                        ((sequence * work.context + key) * work.kvHeads + kvHead) * headDim;
                    double score = 0;
                    for (int d = 0; d < headDim; ++d) {
                        score += static_cast<double>(floatOfHalf(q[indexOf(row * headDim + d)])) *
                                 floatOfHalf(kv[static_cast<std::size_t>(at + d)]);
                    }
                    const double p = std::exp(score / std::sqrt(headDim));
                    weight += p;
                    for (int d = 0; d < headDim; ++d) {
                        sum[static_cast<std::size_t>(d)] +=
                            p * floatOfHalf(kv[static_cast<std::size_t>(keys + at + d)]);
                    }
                }
                for (int d = 0; d < headDim; ++d) {
                    const double expected = sum[static_cast<std::size_t>(d)] / weight;
                    const double got = floatOfHalf(y[indexOf(row * headDim + d)]);
                    difference += (got - expected) * (got - expected);
                    size += expected * expected;
                }
            }
            EXPECT_LT(std::sqrt(difference / size), 2e-3) << headDim << ' ' << queries;
        }
    }
    api_->closeSession(session);
}

} // namespace
} // namespace loadline::gpu
