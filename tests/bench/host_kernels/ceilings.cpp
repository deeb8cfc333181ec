#include "tests/bench/host_kernels/ceilings.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>

using namespace loadline::gpu;

namespace loadline::bench {

HostRunner& runner(unsigned threads) {
    static std::map<unsigned, std::unique_ptr<HostRunner>> runners;
    std::unique_ptr<HostRunner>& found = runners[threads];
    if (!found) {
        Result<OpenBlas> blas = OpenBlas::load();
        found = std::make_unique<HostRunner>(threads, blas ? std::optional(blas.value()) : std::nullopt);
    }
    if (found->openBlas()) {
        found->openBlas()->setThreads(static_cast<int>(threads));
    }
    return *found;
}

const AlignedVector<std::uint64_t>& largeData() {
    static const AlignedVector<std::uint64_t> data(rotatedBytes / sizeof(std::uint64_t), 1);
    return data;
}

std::uint64_t readSlice(unsigned threads, std::size_t round) {
    const auto* from = reinterpret_cast<const char*>(largeData().data());
    return runner(threads).read(thisCpu().best(), from + round % 5 * sliceBytes, sliceBytes);
}

double readBandwidth(unsigned threads) {
    static std::map<unsigned, double> known;
    double& best = known[threads];
    if (best == 0) {
        for (int pass = 0; pass < 12; ++pass) {
            const double seconds = secondsOf(threads, [&] {
                benchmark::DoNotOptimize(
                    runner(threads).read(thisCpu().best(), largeData().data(), rotatedBytes));
            });
            best = std::max(best, static_cast<double>(rotatedBytes) / seconds);
        }
    }
    return best;
}

double gemmRate(unsigned threads) {
    static std::map<unsigned, double> known;
    double& best = known[threads];
    if (best == 0) {
        constexpr std::int64_t side = 2048;
        DenseWeights weights{.k = side, .n = side, .fp32 = {}, .fp16 = {}};
        weights.fp16.assign(static_cast<std::size_t>(side * side), 0x3555); // 1/3
        const std::vector<float> x(static_cast<std::size_t>(side * side), 0.5F);
        std::vector<float> y(x.size());
        for (int pass = 0; pass < 5; ++pass) {
            const double seconds = secondsOf(threads, [&] {
                runner(threads).run(HostKernel{HostMethod::DenseFp16, thisCpu().best()},
                                    {.dense = &weights, .rowsM = side, .x = x.data(), .y = y.data()});
            });
            best = std::max(best, 2.0 * side * side * side / seconds);
        }
    }
    return best;
}

} // namespace loadline::bench
