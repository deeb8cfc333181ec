// Rates of pipes, and how many blocks fit.
#include "core/cost/analytic/pipes.h"

#include "core/cost/analytic/fixed_cost.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr double aluPerClock = 2;
constexpr double wavefrontsPerClock = 1;
constexpr int reservedShared = 1024; // bytes that every block takes beside its own
constexpr int registersOfAll = 65536;
constexpr int registerStep = 8;

} // namespace

double& partOf(ModelledTime& time, KernelLimit limit) {
    return time.partUs.at(static_cast<std::size_t>(limit));
}

void addPipes(ModelledTime& time, const ModelledDevice& device, const PipeWork& work) {
    const auto pipeUs = [&](double count, double perClock) {
        return device.cyclesUs(count / perClock / device.assumed.pipeShare);
    };
    partOf(time, KernelLimit::Issue) = pipeUs(work.issued, issuedPerClock);
    partOf(time, KernelLimit::Alu) = pipeUs(work.alu, aluPerClock);
    partOf(time, KernelLimit::Shared) = pipeUs(work.wavefronts, wavefrontsPerClock);
    partOf(time, KernelLimit::Tensor) = device.tensorUs(work.flop);
}

void addMemory(ModelledTime& time, const ModelledDevice& device, double underWay) {
    partOf(time, KernelLimit::Memory) = device.bytesUs(time.bytes, device.assumed.memoryShare);
    partOf(time, KernelLimit::InFlight) =
        time.bytes / device.gpu.multiprocessors / underWay * device.assumed.memoryLatencyUs;
}

void addCache(ModelledTime& time, const ModelledDevice& device, double more) {
    if (device.architecture.cacheBytesPerClock > 0) {
        partOf(time, KernelLimit::Cache) = device.cyclesUs(
            (time.bytes + more) / device.architecture.cacheBytesPerClock / device.assumed.pipeShare);
    }
}

ModelledTime summed(ModelledTime time, const ModelledDevice& device) {
    const auto fixed = time.partUs.begin() + static_cast<std::ptrdiff_t>(KernelLimit::Fixed);
    time.us = *fixed + *std::max_element(time.partUs.begin(), fixed);
    time.limit = static_cast<KernelLimit>(std::ranges::max_element(time.partUs) - time.partUs.begin());
    time.readShare = device.bytesUs(time.bytes, device.assumed.readShare) / time.us;
    return time;
}

int residentBlocks(const GpuArchitecture& architecture, const BlockNeeds& block) {
    if (block.sharedBytes > architecture.sharedBytesPerBlock) {
        return 0;
    }
    constexpr int lanes = 32;
    const int registers = (block.registers + registerStep - 1) / registerStep * registerStep;
    return std::min({registersOfAll / (registers * lanes * block.warps),
                     architecture.sharedBytes / (block.sharedBytes + reservedShared),
                     architecture.warps / block.warps, architecture.blocks});
}

} // namespace loadline
