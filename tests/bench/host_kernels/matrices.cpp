#include "tests/bench/host_kernels/matrices.h"

#include "gpu/format/random_weights.h"
#include "tests/bench/host_kernels/ceilings.h"

#include <algorithm>
#include <map>
#include <random>

using namespace loadline::gpu;

namespace loadline::bench {

const std::vector<float>& input() {
    static const std::vector<float> x = [] {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        std::vector<float> values(static_cast<std::size_t>(sideK * 512));
        std::ranges::generate(values, [&] { return normal(random); });
        return values;
    }();
    return x;
}

const std::vector<PackedWeights>& packedCopies(int bits) {
    static std::map<int, std::vector<PackedWeights>> all;
    std::vector<PackedWeights>& copies = all[bits];
    for (std::size_t bytes = 0; bytes < rotatedBytes; bytes += copies.back().bytes()) {
        if (bytes == 0 && !copies.empty()) {
            break;
        }
        copies.push_back(
            randomPacked({sideK, sideN, bits}, Layout::Lanes, AbsmaxFormat::E4M4, copies.size()));
    }
    return copies;
}

const DenseWeights& denseMatrix(HostMethod method) {
    static std::map<bool, DenseWeights> all;
    const bool half = method == HostMethod::DenseFp16;
    DenseWeights& dense = all[half];
    if (dense.k == 0) {
        dense.k = sideK;
        dense.n = sideN;
        const auto count = static_cast<std::size_t>(sideK * sideN);
        dense.fp16.resize(half ? count : 0);
        dense.fp32.resize(half ? 0 : count);
        const HostKernel kernel{half ? HostMethod::DequantiseFp16 : HostMethod::DequantiseFp32,
                                thisCpu().best()};
        runner(1).run(kernel, {.packed = &packedCopies(4).front(), .out = &dense});
    }
    return dense;
}

HostMethod rivalMethod() {
    return runner(1).openBlas() ? HostMethod::OpenBlasFp32 : HostMethod::DenseFp32;
}

} // namespace loadline::bench
