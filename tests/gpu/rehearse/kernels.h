// The plugin's kernels by name, each run by emulation with what it was launched with.
#pragma once

#include "gpu/cuda/kernel/swap_ab_shape.cuh"
#include "tests/gpu/emulate/emulated_lane.h"
#include "tests/gpu/rehearse/stage.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace loadline::gpu::rehearse {

/// One launch as the kernel sees it.
struct KernelCall {
    std::array<int, 3> grid{1, 1, 1};
    int threads = 1;
    std::size_t sharedBytes = 0; ///< dynamic
    std::vector<unsigned char> arguments;
    double nowUs = 0;
    double clockMHz = 1000;
    int multiprocessors = 1;
};

/// A pointer among the arguments: at least `bytes` from it on are used.
struct Touched {
    const void* at = nullptr;
    std::size_t bytes = 1;
    std::size_t alignment = 1;
    const char* name = "";
};

struct Kernel {
    std::string name; ///< as mangled from its own name to its template's arguments: "fillKernel",
                      ///< "swapAbKernelILi4E..."
    std::size_t argumentBytes = 0;
    std::function<std::vector<Touched>(const KernelCall&)> touched;
    std::function<std::string(const KernelCall&)> run; ///< "" or which rule the kernel broke
    std::function<double(const KernelCall&)> us;       ///< it takes; empty: by its blocks
};

/// The kernel of a mangled device function; nullptr where none has such a name.
const Kernel* kernelOf(const std::string& mangled);

template <class Args>
Args argumentsOf(const KernelCall& call) {
    Args args;
    std::memcpy(&args, call.arguments.data(), sizeof args);
    return args;
}

/// The block that launches share, one after the other; every second one has its threads in falling order.
emulate::EmulatedBlock& sharedBlock();
emulate::Order nextOrder();

/// Runs body(lane) in every thread of every block; "" or what was broken.
template <class Body>
std::string emulateGrid(const KernelCall& call, const Body& body) {
    emulate::EmulatedBlock& block = sharedBlock();
    const emulate::Order order = nextOrder();
    block.grid = call.grid;
    block.fault.clear();
    for (int z = 0; z < call.grid[2]; ++z) {
        for (int y = 0; y < call.grid[1]; ++y) {
            for (int x = 0; x < call.grid[0]; ++x) {
                block.index = {x, y, z};
                block.sharedOrigin = !swapAbTableFits(stage().sharedOrigin) ? stage().sharedOrigin
                                     : order == emulate::Order::Rising      ? 0
                                                                            : 1024; // both are served
                block.begin(call.threads, call.sharedBytes);
                const std::string stuck = block.fibers.run(call.threads, order, [&](int thread) {
                    emulate::EmulatedLane lane(block, thread);
                    body(lane);
                });
                if (!stuck.empty() || !block.fault.empty()) {
                    return block.fault.empty() ? stuck : block.fault;
                }
            }
        }
    }
    return {};
}

void addGemvKernels(std::vector<Kernel>& to);
void addPlaneMmaKernels(std::vector<Kernel>& to);
void addSwapAbKernels(std::vector<Kernel>& to);
void addAttentionKernels(std::vector<Kernel>& to);
void addStreamKernels(std::vector<Kernel>& to);

/// "Li4E" for 4: how a template's number is mangled.
inline std::string mangledNumber(int number) {
    return "Li" + std::to_string(number) + "E";
}

} // namespace loadline::gpu::rehearse
