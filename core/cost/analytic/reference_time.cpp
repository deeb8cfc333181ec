// Blocks, turns and latencies of the reference designs.
#include "core/cost/analytic/reference_time.h"

#include "core/cost/analytic/reference_counts.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double lanes = 32;
constexpr double blocksWanted = 4;    // of each multiprocessor, by cutting K: launch/plane_mma.cu
constexpr double columnsOfTile = 128; // to which N is filled up

/// Blocks of a multiprocessor, and how they run.
struct Blocks {
    double ofBusiest = 1; ///< blocks of the busiest multiprocessor
    double turns = 1;     ///< of a block
    double atOnce = 1;    ///< blocks that are resident together, no more than there are
    double imbalance = 1;
};

Blocks blocksOf(const ModelledDevice& device, double all, double turns, int resident) {
    const double each = all / device.gpu.multiprocessors;
    const double busiest = std::ceil(each);
    return {.ofBusiest = busiest,
            .turns = turns,
            .atOnce = std::min<double>(resident, busiest),
            .imbalance = busiest / each};
}

ModelledTime timeOf(const ModelledDevice& device, const ReferenceCall& call, const ReferenceLoop& loop,
                    const ReferenceTile& tile, const Blocks& blocks) {
    ModelledTime time;
    time.bytes = call.bytes;
    time.blocks = static_cast<int>(blocks.atOnce);
    time.imbalance = blocks.imbalance;
    const double warps = blocks.ofBusiest * tile.warps;
    addPipes(time, device,
             {.issued = warps * (blocks.turns * loop.issued + loop.outside),
              .alu = warps * (blocks.turns * loop.alu + loop.outsideAlu),
              .wavefronts = warps * blocks.turns * loop.wavefronts,
              .flop = warps * blocks.turns * tile.mma * flopOfMma});
    // A turn that K does not fill has less under way.
    const double filled = static_cast<double>(call.size.k) / (blocks.turns * tile.stepK);
    addMemory(time, device, blocks.atOnce * tile.aheadBytes * std::min(filled, 1.0));
    return time;
}

/// Which expert, and which rows of x: before anything can be sent for.
double routedCycles(const ModelledDevice& device, const ReferenceCall& call) {
    return call.routed ? 3 * device.architecture.cacheCycles : 0;
}

} // namespace

std::optional<ModelledTime> scalarTime(const ModelledDevice& device, const ReferenceCall& call) {
    const ReferenceLoop* const loop = scalarLoop(device.architecture.counted, call.kBits, call.rowsM);
    if (loop == nullptr) {
        return std::nullopt;
    }
    const ReferenceTile tile = scalarTile(call.kBits);
    const int resident =
        residentBlocks(device.architecture,
                       {.warps = tile.warps, .registers = loop->registers, .sharedBytes = tile.sharedBytes});
    const double turns = std::ceil(static_cast<double>(call.size.k) / tile.stepK);
    const Blocks blocks = blocksOf(device, static_cast<double>(call.size.n) * call.experts, turns, resident);
    ModelledTime time = timeOf(device, call, *loop, tile, blocks);
    // Planes, then x; five exchanges within the warp, one through shared memory.
    const double cycles = routedCycles(device, call) + device.architecture.memoryCycles +
                          device.architecture.cacheCycles + 6 * device.assumed.sharedCycles +
                          device.assumed.barrierCycles;
    partOf(time, KernelLimit::Fixed) = device.assumed.nodeUs + device.cyclesUs(cycles);
    return summed(time, device);
}

std::optional<ModelledTime> mmaTime(const ModelledDevice& device, const ReferenceCall& call) {
    const ReferenceLoop* const loop = mmaLoop(device.architecture.counted, call.kBits, call.rowsM);
    if (loop == nullptr) {
        return std::nullopt;
    }
    const ReferenceTile tile = mmaTile(call.kBits, loop->rows);
    const int resident =
        residentBlocks(device.architecture,
                       {.warps = tile.warps, .registers = loop->registers, .sharedBytes = tile.sharedBytes});
    const double tilesN = std::ceil(static_cast<double>(call.size.n) / columnsOfTile) *
                          (columnsOfTile / tile.columns) * call.experts;
    const double tilesK = std::ceil(static_cast<double>(call.size.k) / tile.stepK);
    const double splits =
        std::clamp(std::ceil(blocksWanted * device.gpu.multiprocessors / tilesN), 1.0, tilesK);
    const Blocks blocks = blocksOf(device, tilesN * splits, std::ceil(tilesK / splits), resident);
    ModelledTime time = timeOf(device, call, *loop, tile, blocks);
    addCache(time, device, // each tile of columns reads all rows of x
             (tilesN - call.experts) * call.rowsM * static_cast<double>(call.size.k) * bytesOfHalf);
    // The first tile. Then, where K is cut: sums to L2, a fence, the count of arrivals, and the last block
    // reads the sums of all, one after the other.
    double cycles = routedCycles(device, call) + device.architecture.memoryCycles +
                    3 * device.assumed.sharedCycles + 2 * device.assumed.barrierCycles;
    if (splits > 1) {
        const double sums = std::ceil(call.rowsM * tile.columns / (tile.warps * lanes));
        cycles += (3 + sums) * device.architecture.cacheCycles + 2 * device.assumed.barrierCycles;
    }
    partOf(time, KernelLimit::Fixed) = device.assumed.nodeUs + device.cyclesUs(cycles);
    return summed(time, device);
}

} // namespace loadline
