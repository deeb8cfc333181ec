// Kernels that round activations to bytes, and activations that no byte stands for.
#include "gpu/host/host_runner.h"
#include "tests/gpu/host/guarded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace loadline::gpu {
namespace {

/// Infinities and NaNs make their own row NaN and leave the others as they were; what is almost nothing makes
/// 0.
TEST(Int8Activations, WithoutAByteAreDefined) {
    HostRunner runner(1);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    int kernels = 0;
    for (const HostKernel& kernel : hostKernels(thisCpu(), false)) {
        for (int bits = 2; bits <= 5 && specOf(kernel.method).int8 != nullptr; ++bits) {
            ++kernels;
            std::vector<float> weights(std::size_t{96} * 40);
            for (std::size_t i = 0; i < weights.size(); ++i) {
                weights[i] = std::cos(static_cast<float>(i));
            }
            const PackedWeights packed =
                pack(quantise({96, 40, bits}, weights), Layout::Lanes, AbsmaxFormat::Fp32);
            const auto run = [&](const std::vector<float>& x) {
                Guarded<float> y(std::size_t{3} * 40);
                runner.run(kernel, {.packed = &packed, .rowsM = 3, .x = x.data(), .y = y.data()});
                return std::vector<float>(y.values().begin(), y.values().end());
            };
            std::vector<float> x(std::size_t{3} * 96);
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] = std::sin(static_cast<float>(i));
            }
            const std::vector<float> before = run(x);
            std::fill_n(x.begin() + 96, 96, 1e-39F);
            for (const float odd : {infinity, -infinity, std::nanf("")}) {
                x[70] = odd;
                const std::vector<float> y = run(x);
                for (std::size_t n = 0; n < 40; ++n) {
                    EXPECT_TRUE(std::isnan(y[n])) << y[n];
                    EXPECT_NEAR(y[40 + n], 0, 1e-36);
                    EXPECT_EQ(y[80 + n], before[80 + n]);
                }
            }
        }
    }
    EXPECT_GT(kernels, 0);
}

} // namespace
} // namespace loadline::gpu
