// The swap-AB kernel.
#include "gpu/cuda/kernel/swap_ab.cuh"
#include "tests/gpu/rehearse/kernels.h"

namespace loadline::gpu::rehearse {

namespace {

template <int Bits, int Tokens, int Stages>
void add(std::vector<Kernel>& to) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    Kernel kernel;
    kernel.name = "swapAbKernelI" + mangledNumber(Bits) + mangledNumber(Tokens) + mangledNumber(Stages) + "E";
    kernel.argumentBytes = sizeof(SwapAbArgs);
    kernel.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<SwapAbArgs>(call);
        const auto tiles = static_cast<std::size_t>(fragmentTiles({a.k, a.n, Bits}));
        const auto units = static_cast<std::size_t>(tilesOf(a.n, Shape::rows));
        return {{a.codes, tiles * fragmentTileWords(Bits) * 4, 16, "codes"},
                {a.scales, tiles * fragmentRows * 2, 16, "scales"},
                {a.codebook, sizeof(float) << Bits, 4, "codebook"},
                {a.x, static_cast<std::size_t>(a.k) * 2, 16, "x"},
                {a.y, static_cast<std::size_t>(a.n) * 2, 2, "y"},
                {a.partial, static_cast<std::size_t>(swapAbPartials<Shape>(a.n, 1)) * 4, 4, "partial"},
                {a.arrived, units * 4, 4, "arrived"}};
    };
    kernel.run = [](const KernelCall& call) {
        const auto args = argumentsOf<SwapAbArgs>(call);
        return emulateGrid(
            call, [&](const emulate::EmulatedLane& lane) { swapAb<Bits, Tokens, Stages>(lane, args); });
    };
    to.push_back(std::move(kernel));
}

template <int Bits, int Tokens>
void addBoth(std::vector<Kernel>& to) {
    add<Bits, Tokens, 2>(to);
    if constexpr (swapAbStages(Bits, Tokens) != 2) {
        add<Bits, Tokens, swapAbStages(Bits, Tokens)>(to);
    }
}

template <int Bits>
void addOfBits(std::vector<Kernel>& to) {
    addBoth<Bits, 1>(to);
    addBoth<Bits, 2>(to);
    addBoth<Bits, 4>(to);
    addBoth<Bits, 8>(to);
}

} // namespace

void addSwapAbKernels(std::vector<Kernel>& to) {
    addOfBits<2>(to);
    addOfBits<3>(to);
    addOfBits<4>(to);
    addOfBits<5>(to);
}

} // namespace loadline::gpu::rehearse
