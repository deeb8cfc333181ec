// The swap-AB kernel for up to eight rows: every warp has its own ring and its own pace, and x stays in
// registers.
#pragma once

#include "gpu/cuda/kernel/swap_ab_decode.cuh"

namespace loadline::gpu {

/// How many tiles of 64 K a warp has in `steps` steps of a unit from `step` on.
template <class Shape>
LOADLINE_LANE int swapAbTiles(int k, int step, int steps, int kWarp) {
    const int all = ((k + fragmentK - 1) / fragmentK - kWarp + Shape::kWarps - 1) / Shape::kWarps;
    return (step + steps < all ? step + steps : all) - step;
}

/// The copies of a warp, one tile of 64 K of a strip after the other along the block's piece of the line,
/// into a ring of its own. A place in the ring is what is added to the lane's own offsets.
template <class Shape, int Bits, class Lane>
class SwapAbStream {
public:
    int left = 0; ///< tiles until aim is needed

    LOADLINE_LANE SwapAbStream(const Lane& lane, const SwapAbArgs& a, const SwapAbLine& line,
                               const SwapAbCursor& from)
        : lane_(lane), a_(a), line_(line), cursor_(from), codes_(a.codes), scales_(a.scales) {}

    /// Aims at the next unit in which the warp has tiles; beyond the last, copies bring nothing.
    LOADLINE_LANE void aim() {
        live_ = false;
        left = 0x7fffffff;
        while (cursor_.left > 0 && !live_) {
            const SwapAbCursor at = cursor_;
            cursor_.toNextUnit(line_);
            const int tiles = swapAbTiles<Shape>(a_.k, at.step, at.steps(line_), lane_.warp());
            if (tiles > 0) {
                left = tiles;
                live_ = true;
                aimAt(at);
            }
        }
    }

    LOADLINE_LANE void load(std::uint32_t place) {
        const std::uint32_t to = place + Shape::spread(static_cast<std::uint32_t>(lane_.inWarp()) * 16);
        const unsigned char* const codes = lane_.template ahead<stripBytes>(codes_, tile_);
        LOADLINE_UNROLL
        for (std::uint32_t i = 0; i < copies; ++i) {
            lane_.copyAsync(to + Shape::spread(i * 512), codes + i * 512, live_);
        }
        if (lane_.inWarp() < 8) {
            lane_.copyAsync(to + Shape::spread(copies * 512),
                            lane_.template ahead<fragmentStripScales>(scales_, tile_), live_);
        }
        tile_ += Shape::kWarps;
    }

private:
    static constexpr int stripBytes = fragmentStripTiles * fragmentTileWords(Bits) * 4;
    static constexpr std::uint32_t copies = stripBytes / 512; ///< of a whole warp

    LOADLINE_LANE void aimAt(const SwapAbCursor& at) {
        const int group = a_.groups.count == nullptr ? 0 : at.unit / line_.units;
        const int expert = a_.groups.count == nullptr ? 0 : a_.groups.expert[group];
        const int unit = at.unit - group * line_.units;
        const std::int64_t tilesK = (a_.k + fragmentK - 1) / fragmentK;
        const std::int64_t strip = (static_cast<std::int64_t>(expert) * line_.units + unit) * tilesK;
        tile_ = at.step * Shape::kWarps + lane_.warp();
        codes_ = a_.codes + strip * stripBytes + lane_.inWarp() * 16;
        scales_ = a_.scales + strip * fragmentStripScales + lane_.inWarp() % 8 * 16;
    }

    const Lane& lane_;
    const SwapAbArgs& a_;
    const SwapAbLine& line_;
    SwapAbCursor cursor_;
    bool live_ = false;
    int tile_ = 0;
    const unsigned char* codes_; ///< a lane's of the unit's first tile
    const unsigned char* scales_;
};

/// A lane's x of one token, 16 bytes a block of K, always one tile ahead. Of a token that is not there,
/// zeroes; of a block that is not there, what was before it: its scales are zero.
template <class Shape, class Lane>
class SwapAbTokens {
public:
    Chunk of[2] = {};

    LOADLINE_LANE SwapAbTokens(const Lane& lane, const SwapAbArgs& a) : lane_(lane), a_(a) {}

    LOADLINE_LANE void aim(const GroupRows& rows, int step) {
        const int token = lane_.inWarp() / 4;
        const bool there = token < rows.size;
        block_ = 2 * (step * Shape::kWarps + lane_.warp());
        end_ = there ? a_.k / blockWeights : 0;
        row_ = a_.x + rows.ofX(there ? token : 0) * a_.k + lane_.inWarp() % 4 * 8;
        of[0] = of[1] = {};
        load(0);
        load(1);
    }
    /// Block 0 or 1; after block 1 on to the next tile.
    LOADLINE_LANE void load(int block) {
        if (block_ + block < end_) {
            const std::uint16_t* const from = lane_.template ahead<2 * blockWeights>(row_, block_);
            of[block] = lane_.stream(reinterpret_cast<const Chunk*>(from + blockWeights * block));
        }
        block_ += block == 1 ? 2 * Shape::kWarps : 0;
    }

private:
    const Lane& lane_;
    const SwapAbArgs& a_;
    const std::uint16_t* row_ = nullptr;
    int block_ = 0; ///< of 32 K, the next tile's first
    int end_ = 0;
};

/// A warp's sums of its 64 rows, 2^116 times too small.
struct SwapAbFewSums {
    MmaResult of[fragmentStripTiles] = {};
};

/// Multiplies the tile at `place` of the ring by x, and sends for the x of the next one.
template <class Shape, int Bits, class Lane>
LOADLINE_LANE void swapAbFewStep(const Lane& lane, const SwapAbDecoder<Bits, Lane>& decode,
                                 std::uint32_t place, SwapAbTokens<Shape, Lane>& x, SwapAbFewSums& sums) {
    std::uint32_t fields[fragmentStripTiles][4];
    std::uint32_t signs[fragmentStripTiles] = {};
    LOADLINE_UNROLL
    for (std::uint32_t r = 0; r < fragmentStripTiles; ++r) {
        loadFields<Shape, Bits>(lane, place + r * Shape::tileLines * Shape::pitch, fields[r], signs[r]);
    }
    const auto scales = lane.template loadShared<Chunk>(place + (Shape::warpLines - 1) * Shape::pitch +
                                                        static_cast<std::uint32_t>(lane.inWarp() / 4 * 16));
    LOADLINE_UNROLL
    for (int block = 0; block < 2; ++block) {
        LOADLINE_UNROLL
        for (int r = 0; r < fragmentStripTiles; ++r) {
            std::uint32_t a[2][4];
            decode(fields[r], signs[r], block, a);
            MmaResult ofBlock;
            lane.multiply(ofBlock, a[0], x.of[block].word[0], x.of[block].word[1]);
            lane.mma(ofBlock, a[1], x.of[block].word[2], x.of[block].word[3]);
            const float upper = tinyScale(lane, scales.word[r], 2 * block);
            const float lower = tinyScale(lane, scales.word[r], 2 * block + 1);
            LOADLINE_UNROLL
            for (int i = 0; i < 4; ++i) {
                sums.of[r].value[i] += (i < 2 ? upper : lower) * ofBlock.value[i];
            }
        }
        x.load(block);
    }
}

/// The end of a unit, of which the block has done `steps`: sums over the warps; stored where these are all,
/// else added to those of the other blocks, of which the last stores them and leaves zeroes behind. Leaves
/// `sums` at zero.
template <class Shape, class Lane>
LOADLINE_LANE void finishFew(const Lane& lane, const SwapAbArgs& a, const SwapAbLine& line, int unit,
                             int steps, std::uint32_t origin, SwapAbFewSums& sums) {
    const bool alone = steps == line.steps;
    const int group = a.groups.count == nullptr ? 0 : unit / line.units;
    const GroupRows rows = rowsOfGroup(a.groups, group, a.m);
    // Two lines a token, its eights of rows exchanged by pairs of tokens: no bank is met twice.
    const auto place = [origin](int warp, int token, int eight, int row) {
        return origin + Shape::sumOffset +
               static_cast<std::uint32_t>((warp * 8 + token) * 2 + eight / 4) * Shape::pitch +
               static_cast<std::uint32_t>((eight % 4 ^ token / 2) * 32 + row * 4);
    };
    LOADLINE_UNROLL
    for (int right = 0; right < 2; ++right) {
        const int token = lane.inWarp() % 4 * 2 + right;
        if (token < rows.size) {
            LOADLINE_UNROLL
            for (int i = 0; i < 2 * fragmentStripTiles; ++i) {
                lane.storeShared(place(lane.warp(), token, i, lane.inWarp() / 4),
                                 sums.of[i / 2].value[i % 2 * 2 + right]);
            }
        }
    }
    sums = SwapAbFewSums{};
    lane.sync();

    const int row = lane.thread() % Shape::rows;
    const int column = (unit - group * line.units) * Shape::rows + row;
    constexpr int tokensApart = Shape::threads / Shape::rows;
    constexpr int most = Shape::tokens / tokensApart;
    const int firstToken = lane.thread() / Shape::rows;
    float* const partial = a.partial + static_cast<std::int64_t>(unit) * (Shape::rows * Shape::tokens) + row;
    const auto store = [&](int token, float value) {
        if (column < a.n) {
            a.y[rows.ofY(token) * a.n + column] = lane.toHalf(value);
        }
    };
    LOADLINE_UNROLL
    for (int i = 0; i < most; ++i) {
        const int token = firstToken + i * tokensApart;
        if (token < rows.size) {
            float sum = 0;
            LOADLINE_UNROLL
            for (int warp = 0; warp < Shape::warps; ++warp) {
                sum += lane.template loadShared<float>(place(warp, token, row / 8, row % 8));
            }
            if (alone) {
                store(token, sum * scaleOfTiny);
            } else {
                lane.addAtomic(partial + token * Shape::rows, sum * scaleOfTiny);
            }
        }
    }
    lane.sync();
    if (alone) {
        return;
    }
    if (lane.thread() == 0) {
        const auto done = static_cast<unsigned>(steps);
        const bool last = lane.arrive(a.arrived + unit, done) + done == static_cast<unsigned>(line.steps);
        if (last) {
            a.arrived[unit] = 0;
        }
        lane.storeShared(origin + Shape::flagOffset, last ? 1U : 0U);
    }
    lane.sync();
    if (lane.template loadShared<unsigned>(origin + Shape::flagOffset) != 0) {
        float all[most];
        LOADLINE_UNROLL
        for (int i = 0; i < most; ++i) { // all under way at the same time
            const int token = firstToken + i * tokensApart;
            all[i] = token < rows.size ? lane.loadFresh(partial + token * Shape::rows) : 0;
        }
        LOADLINE_UNROLL
        for (int i = 0; i < most; ++i) {
            const int token = firstToken + i * tokensApart;
            if (token < rows.size) {
                store(token, all[i]);
                partial[token * Shape::rows] = 0;
            }
        }
    }
}

/// Grid: any number of blocks, best as many as the device holds at once.
template <int Bits, int Stages, class Lane>
LOADLINE_LANE void swapAbFew(const Lane& lane, const SwapAbArgs& a) {
    using Shape = SwapAbShape<Bits, 1, Stages>;
    const SwapAbLine line = swapAbLine<Shape>(a, lane.gridX());
    SwapAbCursor now = swapAbCursor(line, lane.blockX());
    if (now.left == 0) {
        return;
    }
    const SwapAbCodebook<Bits, Lane> codebook(lane, a.codebook);
    const std::uint32_t origin = Shape::origin(lane);
    const std::uint32_t firstPlace =
        origin + Shape::ringOffset +
        static_cast<std::uint32_t>(lane.warp()) * (Shape::warpLines * Shape::pitch);
    const std::uint32_t lastPlace = firstPlace + (Stages - 1) * Shape::stageBytes;
    SwapAbStream<Shape, Bits, Lane> stream(lane, a, line, now);
    const auto sendFor = [&](std::uint32_t place) {
        if (stream.left == 0) {
            stream.aim();
        }
        --stream.left;
        stream.load(place);
        lane.commitCopies();
    };
    sendFor(firstPlace);
    const SwapAbDecoder<Bits, Lane> decode(lane, codebook, origin); // while the first tile is on its way
    const auto rowsOf = [&](int unit) {
        return rowsOfGroup(a.groups, a.groups.count == nullptr ? 0 : unit / line.units, a.m);
    };
    SwapAbTokens<Shape, Lane> x(lane, a);
    x.aim(rowsOf(now.unit), now.step);
    LOADLINE_UNROLL
    for (std::uint32_t s = 1; s < Stages - 1; ++s) {
        sendFor(firstPlace + s * Shape::stageBytes);
    }
    lane.sync();

    SwapAbFewSums sums;
    std::uint32_t free = lastPlace; // where the next copies go
    std::uint32_t at = firstPlace;
    while (now.left > 0) {
        const int steps = now.steps(line);
        int todo = swapAbTiles<Shape>(a.k, now.step, steps, lane.warp());
        while (todo > 0) {
            if (stream.left == 0) {
                stream.aim();
            }
            int turns = todo < stream.left ? todo : stream.left;
            todo -= turns;
            stream.left -= turns;
            do {
                lane.template waitCopies<Stages - 2>();
                lane.syncWarp(); // what was read of `free` and what was copied for others is done
                stream.load(free);
                lane.commitCopies();
                swapAbFewStep<Shape, Bits>(lane, decode, at, x, sums);
                free = free == lastPlace ? firstPlace : free + Shape::stageBytes;
                at = at == lastPlace ? firstPlace : at + Shape::stageBytes;
            } while (--turns > 0);
        }
        const int unit = now.unit;
        now.toNextUnit(line);
        if (now.left > 0) { // on its way while this unit is finished
            x.aim(rowsOf(now.unit), now.step);
        }
        finishFew<Shape>(lane, a, line, unit, steps, origin, sums);
    }
}

} // namespace loadline::gpu
