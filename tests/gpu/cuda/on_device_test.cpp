// Every kernel on every GPU there is, against float64. Skipped visibly where there is none.
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/cuda_work.h"
#include "tests/gpu/cuda/plugin_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace loadline::gpu {
namespace {

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

    void checkAttention(const AttentionCall& call) {
        ASSERT_TRUE(backend_->supportsAttention(call));
        const auto outcome = backend_->checkAttention(call, ++seed_);
        ASSERT_TRUE(outcome) << outcome.error().sentence();
        EXPECT_TRUE(outcome->passed) << textOf(call) << ": " << outcome->what;
    }

    /// Shapes that fill their tiles and shapes that do not, deep and wide. With the last of the small ones
    /// every M makes its blocks go twice through their rings and change units (cuda_check_test.cpp).
    static std::vector<GemmSize> sizes() {
        std::vector<GemmSize> sizes = {
            {.k = 32, .n = 8}, {.k = 96, .n = 200}, {.k = 512, .n = 256}, {.k = 1568, .n = 328}};
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
                    if (m <= designedRows(kernel)) {
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
                    if (m <= designedRows(kernel)) {
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

TEST_F(OnDevice, DequantiseThenCublasMatchesFloat64) {
    if (!hasCublas_) {
        GTEST_SKIP() << "no cuBLAS";
    }
    for (const GemmSize& size : sizes()) {
        for (const int bits : {2, 3, 4, 5}) {
            for (const int m : {1, 17, 64}) {
                check({.kernel = Kernel::DequantCublas, .size = size, .rowsM = m, .kBits = bits});
                check({.kernel = Kernel::GroupedDequant,
                       .size = size,
                       .experts = 3,
                       .rowsM = m,
                       .kBits = bits});
            }
        }
    }
}

/// One after the other takes no less than the longer of the two alone, and not much more than both.
TEST_F(OnDevice, APairTakesWhatItsPartsTake) {
    if (!hasCublas_ || onlySmall()) {
        GTEST_SKIP() << "no cuBLAS, or only small sizes";
    }
    const GemmSize size{.k = 4096, .n = 4096};
    const auto timeOf = [&](Kernel kernel, std::int64_t rowsM, int bits) {
        std::vector<double> us;
        auto point = backend_->prepare({.kernel = kernel, .size = size, .rowsM = rowsM, .kBits = bits},
                                       {.copies = 8, .calls = 32});
        for (int i = 0; point && i < 9; ++i) {
            const auto sample = (*point)->sample();
            us.push_back(sample ? sample->us : 0);
        }
        std::sort(us.begin(), us.end());
        return us.empty() ? 0 : us[us.size() / 2];
    };
    const double first = timeOf(Kernel::Dequantise, 0, 4);
    const double second = timeOf(Kernel::CublasFp16, 128, fp16Bits);
    const double both = timeOf(Kernel::DequantCublas, 128, 4);
    ASSERT_GT(first, 0);
    ASSERT_GT(second, 0);
    EXPECT_GT(both, std::max(first, second));
    EXPECT_LT(both, 1.5 * (first + second));
}

/// Sizes of models: cut, and at their full size on sampled rows.
TEST_F(OnDevice, FullSizesMatchFloat64) {
    if (onlySmall()) {
        GTEST_SKIP() << "only small sizes";
    }
    for (const GemmSize& size : {GemmSize{.k = 8192, .n = 8192}, GemmSize{.k = 14336, .n = 4096}}) {
        for (const int bits : {2, 3, 4, 5}) {
            check({.kernel = Kernel::Dequantise, .size = size, .rowsM = 0, .kBits = bits});
            for (const int m : {1, 8, 16, 32, 64}) {
                for (const Kernel kernel : {Kernel::Scalar, Kernel::Mma, Kernel::SwapAb}) {
                    if (m <= designedRows(kernel)) {
                        check({.kernel = kernel, .size = size, .rowsM = m, .kBits = bits});
                    }
                }
            }
        }
    }
}

/// Graphs of rotated copies replay, leave sums clean and the right output: the same point, sampled often.
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
        const auto outcome = (*point)->checkOutput(); // sums are zero, and y is that of the last node
        ASSERT_TRUE(outcome) << outcome.error().sentence();
        EXPECT_TRUE(outcome->passed) << nameOf(kernel) << ": " << outcome->what;
    }
}

TEST_F(OnDevice, AttentionReplays) {
    for (const AttentionCall& call : {AttentionCall{AttentionPhase::Decode, {4, 2, 64}, 2, 300},
                                      {AttentionPhase::Prefill, {4, 2, 64}, 2, 70}}) {
        auto point = backend_->prepareAttention(call, {.copies = 3, .calls = 5});
        ASSERT_TRUE(point) << point.error().sentence();
        for (int i = 0; i < 3; ++i) {
            const auto sample = (*point)->sample();
            ASSERT_TRUE(sample) << sample.error().sentence();
            EXPECT_GT(sample->us, 0);
        }
        const auto outcome = (*point)->checkOutput();
        ASSERT_TRUE(outcome) << outcome.error().sentence();
        EXPECT_TRUE(outcome->passed) << textOf(call) << ": " << outcome->what;
    }
}

TEST_F(OnDevice, AttentionMatchesFloat64) {
    using Tokens = std::vector<std::int64_t>;
    const Tokens cached = onlySmall() ? Tokens{1, 129} : Tokens{1, 63, 64, 300, 4097};
    const Tokens prompts = onlySmall() ? Tokens{33} : Tokens{1, 17, 100, 513};
    for (const int headDim : {64, 128, 256}) {
        std::vector<AttentionHeads> all = {{4, 2, headDim}};
        if (!onlySmall()) {
            all.insert(all.end(), {{8, 1, headDim}, {3, 3, headDim}, {40, 2, headDim}});
        }
        for (const AttentionHeads& heads : all) {
            for (const std::int64_t tokens : cached) {
                checkAttention({AttentionPhase::Decode, heads, 2, tokens});
            }
            for (const std::int64_t tokens : prompts) {
                checkAttention({AttentionPhase::Prefill, heads, 2, tokens});
            }
        }
    }
}
} // namespace
} // namespace loadline::gpu
