// A launch on the host: block after block, or several at a time in random order.
#include "tests/gpu/emulate/emulated_lane.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

namespace loadline::gpu::emulate {

namespace {

using Kernel = std::function<void(const EmulatedLane&)>;

constexpr std::size_t mostResident = 4;
constexpr int mostIdleTurns = 4096; ///< of random warps, one after the other, before they wait for ever

/// A block that has begun: what its fibers run lives as long as it does.
struct Resident {
    EmulatedBlock block;
    std::function<void(int)> body;
};

void place(EmulatedBlock& block, const Launch& launch, int i) {
    block.grid = launch.grid;
    block.index = {i % launch.grid[0], i / launch.grid[0] % launch.grid[1],
                   i / launch.grid[0] / launch.grid[1]};
    block.sharedOrigin = launch.order == Order::Rising ? 0 : 1024;
    block.begin(launch.threads, launch.sharedBytes);
}

std::string runInTurn(const Launch& launch, const Kernel& kernel, int blocks) {
    EmulatedBlock block;
    for (int turn = 0; turn < blocks; ++turn) {
        place(block, launch, launch.order == Order::Rising ? turn : blocks - 1 - turn);
        const std::string stuck = block.fibers.run(launch.threads, launch.order,
                                                   [&](int thread) { kernel(EmulatedLane(block, thread)); });
        if (!stuck.empty() || !block.fault.empty()) {
            return block.fault.empty() ? stuck : block.fault;
        }
    }
    return {};
}

std::string runMixed(const Launch& launch, const Kernel& kernel, int blocks) {
    std::mt19937 random(launch.seed);
    std::vector<int> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const auto warps = static_cast<unsigned>((launch.threads + 31) / 32);
    std::vector<std::unique_ptr<Resident>> resident;
    std::vector<std::unique_ptr<Resident>> spare;
    for (int idle = 0; !order.empty() || !resident.empty();) {
        if (!order.empty() && resident.size() < mostResident) {
            if (spare.empty()) {
                spare.push_back(std::make_unique<Resident>());
            }
            Resident& next = *resident.emplace_back(std::move(spare.back()));
            spare.pop_back();
            place(next.block, launch, order.back());
            order.pop_back();
            next.body = [&next, &kernel](int thread) { kernel(EmulatedLane(next.block, thread)); };
            next.block.fibers.begin(launch.threads, next.body);
            continue;
        }
        auto& chosen = resident[random() % resident.size()];
        Fibers& fibers = chosen->block.fibers;
        const auto warp = static_cast<int>(random() % warps);
        idle = fibers.turn(warp, random() % 2 == 0 ? Order::Rising : Order::Falling) ? 0 : idle + 1;
        if (!chosen->block.fault.empty()) {
            return chosen->block.fault;
        }
        if (idle > mostIdleTurns) {
            return "threads wait for ever";
        }
        if (fibers.running() == 0) {
            std::swap(chosen, resident.back());
            spare.push_back(std::move(resident.back()));
            resident.pop_back();
        }
    }
    return {};
}

} // namespace

std::string runLaunch(const Launch& launch, const Kernel& kernel) {
    const int blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
    return launch.order == Order::Mixed ? runMixed(launch, kernel, blocks)
                                        : runInTurn(launch, kernel, blocks);
}

} // namespace loadline::gpu::emulate
