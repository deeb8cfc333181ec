// The work of the busiest multiprocessor: steps of its blocks, ends of units, and what comes around them.
#include "core/cost/analytic/swap_ab_time.h"

#include "core/cost/analytic/fixed_cost.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr int sumsAtOnce = 8; // loads of a thread under way together: swap_ab_many_finish.cuh

int blocksOf(const GpuArchitecture& architecture, const SwapAbTile& tile, int sharedBytes) {
    const int blocks =
        residentBlocks(architecture, {.warps = swapAbWarps, .registers = 1, .sharedBytes = sharedBytes});
    return std::min(tile.blocksByRegisters(), blocks);
}

/// Steps of the busiest multiprocessor and of the mean one; each block takes an equal piece of all steps.
struct Pieces {
    double busiest = 1;
    double mean = 1;
    bool shared = false; ///< units of rows are cut among blocks
    double moreEnds = 0; ///< of units, of the busiest multiprocessor, beyond each block's last
};

Pieces piecesOf(const SwapAbTile& tile, const SwapAbCall& call, int resident, int multiprocessors) {
    const double units = call.groups * std::ceil(static_cast<double>(call.size.n) / tile.unitRows());
    const double stepsOfUnit = std::ceil(static_cast<double>(call.size.k) / tile.stepK());
    const double all = units * stepsOfUnit;
    const double blocks = std::min<double>(resident * multiprocessors, std::ceil(all));
    const double ofBlock = std::ceil(all / blocks);
    const double ofMultiprocessor = std::ceil(blocks / multiprocessors);
    const bool shared = std::fmod(ofBlock, stepsOfUnit) != 0 || std::fmod(all, blocks) != 0;
    return {.busiest = ofMultiprocessor * ofBlock,
            .mean = all / multiprocessors,
            .shared = shared,
            // A piece that begins anywhere touches 1 + (steps - 1) / (steps of a unit) units in the mean.
            .moreEnds =
                ofMultiprocessor * (shared ? (ofBlock - 1) / stepsOfUnit : ofBlock / stepsOfUnit - 1)};
}

/// Batches in which a thread reads the sums of all blocks.
int batchesOf(const SwapAbTile& tile, double rowsM) {
    const double threads = swapAbWarps * 32;
    return static_cast<int>(std::ceil(tile.unitRows() * rowsM / (threads * sumsAtOnce)));
}

} // namespace

SwapAbResidence swapAbResidence(const GpuArchitecture& architecture, const SwapAbTile& tile) {
    const int deep = blocksOf(architecture, tile, tile.sharedBytes);
    const int shallow = blocksOf(architecture, tile, tile.shallowSharedBytes);
    const int stages = deep >= shallow ? tile.stages : 2;
    const int blocks = std::max(deep, shallow);
    return {.blocks = blocks, .stages = stages, .underWayBytes = blocks * (stages - 1) * tile.stageBytes};
}

std::optional<ModelledTime> swapAbTime(const ModelledDevice& device, const SwapAbCall& call) {
    const SwapAbLoop* const loop = swapAbLoop(device.architecture.counted, call.kBits, call.rowsM);
    const SwapAbTile* const tile = swapAbTile(call.kBits, call.rowsM);
    if (loop == nullptr || tile == nullptr) {
        return std::nullopt;
    }
    const SwapAbResidence residence = swapAbResidence(device.architecture, *tile);
    ModelledTime time;
    time.blocks = residence.blocks;
    if (time.blocks == 0) {
        return std::nullopt;
    }
    time.bytes = call.bytes;
    const Pieces pieces = piecesOf(*tile, call, time.blocks, device.gpu.multiprocessors);
    time.imbalance = pieces.busiest / pieces.mean;
    addMemory(time, device, residence.underWayBytes);
    // Each unit reads all rows of x; once is among the bytes that the call must move.
    const double units = std::ceil(static_cast<double>(call.size.n) / tile->unitRows());
    addCache(time, device,
             (units - 1) * call.groups * call.rowsM * static_cast<double>(call.size.k) * bytesOfHalf);
    const double read = swapAbLoop(90, 4, 1)->outside; // the instance whose steps were read
    const FixedCall fixed{.instructions = loop->outside / read,
                          .blocks = time.blocks,
                          .table = call.kBits >= 4,
                          .batches = batchesOf(*tile, call.rowsM),
                          .shared = pieces.shared,
                          .routed = call.routed};
    const double turns = pieces.busiest * swapAbWarps;
    const double ends = pieces.moreEnds * swapAbWarps * fixed.instructions * swapAbEndInstructions();
    addPipes(time, device,
             {.issued = turns * loop->issued + ends,
              .alu = turns * loop->alu,
              .wavefronts = turns * tile->wavefronts,
              .flop = turns * tile->mma * flopOfMma});
    partOf(time, KernelLimit::Fixed) =
        device.assumed.nodeUs + swapAbFixedCost(device.gpu, fixed, device.assumed).us;
    return summed(time, device);
}

} // namespace loadline
