// Our own kernel: weights as the tensor core's 16-row operand, looked up in pairs; one design for 1 to 64
// rows.
#pragma once

#include "gpu/cuda/kernel/swap_ab_finish.cuh"
#include "gpu/cuda/kernel/swap_ab_stage.cuh"

namespace loadline::gpu {

// All work is one line of steps: (group, unit of rows of W, 64 K per warp of K), K fastest. Every block takes
// an equal piece of that line, whatever the shape (stream-K), and keeps its ring of asynchronous copies full
// across units. A unit that one block computes alone is stored at once; otherwise sums meet in `partial`, and
// the block that arrives last rounds and stores them, and leaves zeroes behind.

/// A place on the line of steps.
struct SwapAbCursor {
    int group = 0;
    int unit = 0;
    int step = 0;
};

/// Grid: any number of blocks, best as many as the device holds at once.
template <int Bits, int Tokens, int Stages, class Lane>
LOADLINE_LANE void swapAb(const Lane& lane, const SwapAbArgs& a) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    fillPairTable<Bits>(lane, a.codebook);
    const int units = static_cast<int>(ceilDivide(a.n, Shape::rows));
    const int steps = static_cast<int>(ceilDivide(a.k, fragmentK * Shape::kWarps));
    const SwapAbLine line{static_cast<std::int64_t>(groupCount(a.groups)) * units * steps, steps,
                          lane.gridX()};
    const std::int64_t begin = line.firstOf(lane.blockX());
    const std::int64_t end = line.firstOf(lane.blockX() + 1);
    if (begin == end) {
        return;
    }

    SwapAbCursor now;
    now.step = static_cast<int>(begin % steps);
    now.unit = static_cast<int>(begin / steps % units);
    now.group = static_cast<int>(begin / steps / units);
    const auto advance = [&](SwapAbCursor& cursor) {
        if (++cursor.step == steps) {
            cursor.step = 0;
            if (++cursor.unit == units) {
                cursor.unit = 0;
                ++cursor.group;
            }
        }
    };
    SwapAbCursor ahead = now;
    SwapAbLoader<Shape, Bits, Lane> loader(lane, a);
    LOADLINE_UNROLL
    for (int s = 0; s < Stages - 1; ++s) {
        if (begin + s < end) {
            loader.load(ahead.group, ahead.unit, ahead.step, s);
            advance(ahead);
        }
        lane.commitCopies();
    }

    SwapAbSums<Tokens> sums;
    int slot = 0;
    int freeSlot = Stages - 1;
    std::int64_t unitBegin = begin;
    for (std::int64_t at = begin; at < end; ++at) {
        lane.template waitCopies<Stages - 2>();
        if constexpr (Shape::rowWarps == 1) {
            lane.syncWarp(); // the ring is the warp's own
        } else {
            lane.sync();
        }
        if (at + Stages - 1 < end) {
            loader.load(ahead.group, ahead.unit, ahead.step, freeSlot);
            advance(ahead);
        }
        lane.commitCopies();
        swapAbStep<Shape, Bits, Tokens>(lane, slot, sums);
        slot = slot + 1 == Stages ? 0 : slot + 1;
        freeSlot = freeSlot + 1 == Stages ? 0 : freeSlot + 1;
        if (now.step + 1 == steps || at + 1 == end) {
            const bool alone = now.step + 1 == steps && at - unitBegin + 1 == steps;
            finishUnit<Shape, Tokens>(lane, a, line, now.group, now.unit, units, alone, sums);
            unitBegin = at + 1;
        }
        advance(now);
    }
}

} // namespace loadline::gpu
