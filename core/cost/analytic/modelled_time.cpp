// Which kernel is modelled how; what needs no more than a line, and words.
#include "core/cost/analytic/modelled_time.h"

#include "core/cost/analytic/kernel_counts.h"
#include "core/cost/analytic/pipes.h"
#include "core/cost/analytic/reference_time.h"
#include "core/cost/analytic/swap_ab_time.h"
#include "core/cost/estimate/roofline.h"

#include <cmath>

namespace loadline {
namespace {

constexpr std::array<std::string_view, kernelLimitCount> limitKeys = {
    "memory", "in_flight", "l2", "issue", "alu", "shared", "tensor", "fixed"};
constexpr std::array<std::string_view, kernelLimitCount> limitWords = {
    "memory",  "bytes in flight", "the bandwidth of L2", "instruction issue",
    "the ALU", "shared memory",   "the tensor cores",    "launch and latencies"};

std::optional<ModelledTime> dequantiseTime(const ModelledDevice& device, GemmSize size, double experts,
                                           int kBits) {
    const DequantiseWarp* const warp = dequantiseWarp(device.architecture.counted, kBits);
    if (warp == nullptr) {
        return std::nullopt;
    }
    ModelledTime time;
    time.bytes = workOf(Kernel::Dequantise, size, experts, 0, kBits).bytes;
    partOf(time, KernelLimit::Memory) = device.bytesUs(time.bytes, device.assumed.memoryShare);
    const double warps =
        std::ceil(size.elements() * experts / dequantiseWeights / device.gpu.multiprocessors);
    addPipes(time, device,
             {.issued = warps * warp->issued,
              .alu = warps * warp->alu,
              .wavefronts = warps * warp->wavefronts,
              .flop = 0});
    partOf(time, KernelLimit::Fixed) = device.assumed.nodeUs + device.assumed.memoryLatencyUs;
    return summed(time, device);
}

ModelledTime fp16Time(const ModelledDevice& device, GemmSize size, double rowsM) {
    const Roofline roofline = defaultRoofline(device.hardware);
    const KernelWork work = workOf(Kernel::CublasFp16, size, 1, rowsM, fp16Bits);
    ModelledTime time;
    time.bytes = work.bytes;
    partOf(time, KernelLimit::Memory) = roofline.memoryUs(work.bytes);
    partOf(time, KernelLimit::Tensor) = roofline.computeUs(work.flop);
    partOf(time, KernelLimit::Fixed) = roofline.t0Us;
    return summed(time, device);
}

} // namespace

std::string_view keyOf(KernelLimit limit) {
    return limitKeys.at(static_cast<std::size_t>(limit));
}

std::string_view wordsOf(KernelLimit limit) {
    return limitWords.at(static_cast<std::size_t>(limit));
}

std::vector<std::pair<std::string_view, double>> assumptionsOf(const ModelAssumptions& assumed) {
    return {{"read_share", assumed.readShare},
            {"memory_share", assumed.memoryShare},
            {"pipe_share", assumed.pipeShare},
            {"node_us", assumed.nodeUs},
            {"memory_latency_us", assumed.memoryLatencyUs},
            {"shared_cycles", assumed.sharedCycles},
            {"barrier_cycles", assumed.barrierCycles},
            {"dependent_cycles", assumed.dependentCycles}};
}

std::optional<ModelledTime> modelledTime(const GpuFacts& gpu, Kernel kernel, GemmSize size, double rowsM,
                                         int kBits, double experts, const ModelAssumptions& assumed) {
    const ModelledDevice device{gpu, architectureOf(gpu), *findHardware(gpu.hardware), assumed};
    const double bytes = workOf(kernel, size, experts, rowsM, kBits).bytes;
    const ReferenceCall reference{.size = size,
                                  .experts = experts,
                                  .rowsM = rowsM,
                                  .kBits = kBits,
                                  .routed = isGrouped(kernel),
                                  .bytes = bytes};
    switch (kernel) {
    case Kernel::SwapAb:
    case Kernel::GroupedSwapAb:
        return swapAbTime(device, {.size = size,
                                   .groups = experts,
                                   .rowsM = rowsM,
                                   .kBits = kBits,
                                   .routed = isGrouped(kernel),
                                   .bytes = bytes});
    case Kernel::Scalar:
    case Kernel::GroupedScalar:
        return scalarTime(device, reference);
    case Kernel::Mma:
    case Kernel::GroupedMma:
        return mmaTime(device, reference);
    case Kernel::Dequantise:
        return dequantiseTime(device, size, experts, kBits);
    case Kernel::CublasFp16:
        return fp16Time(device, size, rowsM);
    default:
        return std::nullopt;
    }
}

} // namespace loadline
