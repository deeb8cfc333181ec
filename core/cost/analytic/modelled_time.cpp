// From counts to a time: a roof per pipe, the work of the busiest multiprocessor, and what comes around it.
#include "core/cost/analytic/modelled_time.h"

#include "core/cost/analytic/fixed_cost.h"
#include "core/cost/analytic/kernel_counts.h"
#include "core/cost/estimate/roofline.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double aluPerClock = 2;
constexpr double wavefrontsPerClock = 1;
constexpr int reservedShared = 1024; // bytes that every block takes beside its own
constexpr double flopOfMma = 2.0 * 16 * 8 * 16;
constexpr int sumsAtOnce = 8; // loads of a thread under way together: swap_ab_many_finish.cuh

constexpr std::array<std::string_view, kernelLimitCount> limitKeys = {"memory", "in_flight", "issue", "alu",
                                                                      "shared", "tensor",    "fixed"};
constexpr std::array<std::string_view, kernelLimitCount> limitWords = {
    "memory",        "bytes in flight",  "instruction issue",   "the ALU",
    "shared memory", "the tensor cores", "launch and latencies"};

/// What a multiprocessor has to do, in warp instructions, wavefronts and floating-point operations.
struct PipeWork {
    double issued = 0;
    double alu = 0;
    double wavefronts = 0;
    double flop = 0;
};

struct Device {
    const GpuFacts& gpu;
    const GpuArchitecture& architecture;
    const Hardware& hardware;
    const ModelAssumptions& assumed;

    [[nodiscard]] double cyclesUs(double cycles) const { return cycles / gpu.clockMhz; }
    [[nodiscard]] double bytesUs(double bytes, double share) const {
        return bytes / (hardware.bandwidthGbS * bytesPerUsOfGbS * share);
    }
    /// Of one multiprocessor.
    [[nodiscard]] double tensorUs(double flop) const {
        return flop * gpu.multiprocessors /
               (hardware.fp16Tflops * flopPerUsOfTflops * architecture.mmaShare * assumed.pipeShare);
    }
};

double& part(ModelledTime& time, KernelLimit limit) {
    return time.partUs.at(static_cast<std::size_t>(limit));
}

void addPipes(ModelledTime& time, const Device& device, const PipeWork& work) {
    const auto pipeUs = [&](double count, double perClock) {
        return device.cyclesUs(count / perClock / device.assumed.pipeShare);
    };
    part(time, KernelLimit::Issue) = pipeUs(work.issued, issuedPerClock);
    part(time, KernelLimit::Alu) = pipeUs(work.alu, aluPerClock);
    part(time, KernelLimit::Shared) = pipeUs(work.wavefronts, wavefrontsPerClock);
    part(time, KernelLimit::Tensor) = device.tensorUs(work.flop);
}

/// The sum, and which part is the longest.
ModelledTime summed(ModelledTime time, const Device& device) {
    const auto fixed = time.partUs.begin() + static_cast<std::ptrdiff_t>(KernelLimit::Fixed);
    time.us = *fixed + *std::max_element(time.partUs.begin(), fixed);
    time.limit = static_cast<KernelLimit>(std::ranges::max_element(time.partUs) - time.partUs.begin());
    time.readShare = device.bytesUs(time.bytes, device.assumed.readShare) / time.us;
    return time;
}

int blocksOf(const GpuArchitecture& architecture, const SwapAbTile& tile, int sharedBytes) {
    return sharedBytes > architecture.sharedBytesPerBlock
               ? 0
               : std::min(tile.blocksByRegisters(),
                          architecture.sharedBytes / (sharedBytes + reservedShared));
}

/// Steps of the busiest multiprocessor and of the mean one; each block takes an equal piece of all steps.
struct Pieces {
    double busiest = 1;
    double mean = 1;
    bool shared = false; ///< units of rows are cut among blocks
};

Pieces piecesOf(const SwapAbTile& tile, GemmSize size, int resident, int multiprocessors) {
    const double units = std::ceil(static_cast<double>(size.n) / tile.unitRows());
    const double stepsOfUnit = std::ceil(static_cast<double>(size.k) / tile.stepK());
    const double all = units * stepsOfUnit;
    const double blocks = std::min<double>(resident * multiprocessors, all);
    const double ofBlock = std::ceil(all / blocks);
    return {.busiest = std::ceil(blocks / multiprocessors) * ofBlock,
            .mean = all / multiprocessors,
            .shared = std::fmod(ofBlock, stepsOfUnit) != 0 || std::fmod(all, blocks) != 0};
}

/// Batches in which a thread reads the sums of all blocks.
int batchesOf(const SwapAbTile& tile, double rowsM) {
    const double threads = swapAbWarps * 32;
    return static_cast<int>(std::ceil(tile.unitRows() * rowsM / (threads * sumsAtOnce)));
}

std::optional<ModelledTime> swapAbTime(const Device& device, GemmSize size, double rowsM, int kBits) {
    const SwapAbLoop* const loop = swapAbLoop(device.architecture.counted, kBits, rowsM);
    const SwapAbTile* const tile = swapAbTile(kBits, rowsM);
    if (loop == nullptr || tile == nullptr) {
        return std::nullopt;
    }
    const int deep = blocksOf(device.architecture, *tile, tile->sharedBytes);
    const int shallow = blocksOf(device.architecture, *tile, tile->shallowSharedBytes);
    const int stages = deep >= shallow ? tile->stages : 2;
    ModelledTime time;
    time.blocks = std::max(deep, shallow);
    if (time.blocks == 0) {
        return std::nullopt;
    }
    time.bytes = workOf(Kernel::SwapAb, size, 1, rowsM, kBits).bytes;
    const Pieces pieces = piecesOf(*tile, size, time.blocks, device.gpu.multiprocessors);
    time.imbalance = pieces.busiest / pieces.mean;
    part(time, KernelLimit::Memory) = device.bytesUs(time.bytes, device.assumed.memoryShare);
    const double underWay = static_cast<double>(time.blocks) * (stages - 1) * tile->stageBytes;
    part(time, KernelLimit::InFlight) =
        time.bytes / device.gpu.multiprocessors / underWay * device.assumed.memoryLatencyUs;
    const double turns = pieces.busiest * swapAbWarps;
    addPipes(time, device,
             {.issued = turns * loop->issued,
              .alu = turns * loop->alu,
              .wavefronts = turns * tile->wavefronts,
              .flop = turns * tile->mma * flopOfMma});
    const double read = swapAbLoop(90, 4, 1)->outside; // the instance whose steps were read
    const FixedCall fixed{.instructions = loop->outside / read,
                          .blocks = time.blocks,
                          .table = kBits >= 4,
                          .batches = batchesOf(*tile, rowsM),
                          .shared = pieces.shared};
    part(time, KernelLimit::Fixed) =
        device.assumed.nodeUs + swapAbFixedCost(device.gpu, fixed, device.assumed).us;
    return summed(time, device);
}

std::optional<ModelledTime> dequantiseTime(const Device& device, GemmSize size, int kBits) {
    const DequantiseWarp* const warp = dequantiseWarp(device.architecture.counted, kBits);
    if (warp == nullptr) {
        return std::nullopt;
    }
    ModelledTime time;
    time.bytes = workOf(Kernel::Dequantise, size, 1, 0, kBits).bytes;
    part(time, KernelLimit::Memory) = device.bytesUs(time.bytes, device.assumed.memoryShare);
    const double warps = std::ceil(size.elements() / dequantiseWeights / device.gpu.multiprocessors);
    addPipes(time, device,
             {.issued = warps * warp->issued,
              .alu = warps * warp->alu,
              .wavefronts = warps * warp->wavefronts,
              .flop = 0});
    part(time, KernelLimit::Fixed) = device.assumed.nodeUs + device.assumed.memoryLatencyUs;
    return summed(time, device);
}

ModelledTime fp16Time(const Device& device, GemmSize size, double rowsM) {
    const Roofline roofline = defaultRoofline(device.hardware);
    const KernelWork work = workOf(Kernel::CublasFp16, size, 1, rowsM, fp16Bits);
    ModelledTime time;
    time.bytes = work.bytes;
    part(time, KernelLimit::Memory) = roofline.memoryUs(work.bytes);
    part(time, KernelLimit::Tensor) = roofline.computeUs(work.flop);
    part(time, KernelLimit::Fixed) = roofline.t0Us;
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
            {"barrier_cycles", assumed.barrierCycles}};
}

std::optional<ModelledTime> modelledTime(const GpuFacts& gpu, Kernel kernel, GemmSize size, double rowsM,
                                         int kBits, const ModelAssumptions& assumed) {
    const Device device{gpu, architectureOf(gpu), *findHardware(gpu.hardware), assumed};
    switch (kernel) {
    case Kernel::SwapAb:
        return swapAbTime(device, size, rowsM, kBits);
    case Kernel::Dequantise:
        return dequantiseTime(device, size, kBits);
    case Kernel::CublasFp16:
        return fp16Time(device, size, rowsM);
    default:
        return std::nullopt;
    }
}

} // namespace loadline
