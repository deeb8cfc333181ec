// The swap-AB kernel for 9 to 64 rows: x is copied into the ring, and the warps of a block keep step.
#pragma once

#include "gpu/cuda/kernel/swap_ab_many_finish.cuh"

namespace loadline::gpu {

/// A warp's copies: its two tiles of W, and its share of x. What lies outside W or x becomes zeroes, and its
/// address is one that is inside.
template <class Shape, int Bits, class Lane>
class SwapAbCopies {
public:
    int left = 0; ///< steps until aim is needed

    LOADLINE_LANE SwapAbCopies(const Lane& lane, const SwapAbArgs& a, const SwapAbLine& line,
                               const SwapAbCursor& from)
        : lane_(lane), a_(a), line_(line), cursor_(from), tilesK_((a.k + fragmentK - 1) / fragmentK),
          xEnd_((a.k - lane.inWarp() % 8 * 8 + fragmentK - 1) / fragmentK) {}

    /// Aims at the next unit; beyond the last, copies bring zeroes.
    LOADLINE_LANE void aim() {
        if (cursor_.left == 0) {
            left = 0x7fffffff;
            inN_ = there_[0] = there_[1] = false;
            return;
        }
        const bool dense = a_.groups.count == nullptr;
        const int group = dense ? 0 : cursor_.unit / line_.units;
        const GroupRows rows = rowsOfGroup(a_.groups, group, a_.m);
        const int unit = cursor_.unit - group * line_.units;
        const int rowWarp = lane_.warp() % Shape::rowWarps;
        tile_ = cursor_.step * Shape::kWarps + lane_.warp() / Shape::rowWarps;
        left = cursor_.steps(line_);
        cursor_.toNextUnit(line_);

        const int strips = (a_.n + fragmentStripRows - 1) / fragmentStripRows;
        const int strip = unit * Shape::strips + rowWarp / 2;
        inN_ = strip < strips;
        const std::int64_t first =
            (static_cast<std::int64_t>(rows.expert) * strips + (inN_ ? strip : strips - 1)) * tilesK_;
        codes_ = a_.codes + first * stripBytes + rowWarp % 2 * warpBytes + lane_.inWarp() * 16;
        scales_ = a_.scales + first * fragmentStripScales + lane_.inWarp() % 8 * 16;
        LOADLINE_UNROLL
        for (int i = 0; i < 2; ++i) { // a lane brings chunk lane % 8 of two tokens
            const int token = rowWarp * 8 + i * 4 + lane_.inWarp() / 8;
            there_[i] = token < rows.size;
            x_[i] = a_.x + rows.ofX(there_[i] ? token : 0) * a_.k + lane_.inWarp() % 8 * 8;
        }
    }

    /// The next step of the piece into the stage at `stage`.
    LOADLINE_LANE void load(std::uint32_t stage) {
        const auto inWarp = static_cast<std::uint32_t>(lane_.inWarp());
        loadWeights(stage + static_cast<std::uint32_t>(lane_.warp()) * (Shape::warpLines * Shape::pitch),
                    inWarp);
        loadX(stage + (Shape::warps * Shape::warpLines +
                       static_cast<std::uint32_t>(lane_.warp() / Shape::rowWarps) * Shape::xLines) *
                          Shape::pitch);
        tile_ += Shape::kWarps;
    }

private:
    static constexpr int stripBytes = fragmentStripTiles * fragmentTileWords(Bits) * 4;
    static constexpr std::uint32_t warpBytes = stripBytes / 2;

    LOADLINE_LANE void loadWeights(std::uint32_t to, std::uint32_t inWarp) const {
        constexpr std::uint32_t chunks = warpBytes / 16;
        const bool inside = inN_ && tile_ < tilesK_;
        const int tile = tile_ < tilesK_ ? tile_ : 0;
        const unsigned char* const codes = lane_.template ahead<stripBytes>(codes_, tile);
        LOADLINE_UNROLL
        for (std::uint32_t i = 0; i * warpLanes < chunks; ++i) {
            if ((i + 1) * warpLanes <= chunks || i * warpLanes + inWarp < chunks) {
                lane_.copyAsync(to + Shape::spread(inWarp * 16) + Shape::spread(i * 512), codes + i * 512,
                                inside);
            }
        }
        if (inWarp < 8) {
            lane_.copyAsync(to + inWarp * 16 + (Shape::warpLines - 1) * Shape::pitch,
                            lane_.template ahead<fragmentStripScales>(scales_, tile), inside);
        }
    }

    /// 128 bytes a token in 8 chunks, those of odd tokens with their halves exchanged: no bank is met twice.
    LOADLINE_LANE void loadX(std::uint32_t to) const {
        const int token = lane_.warp() % Shape::rowWarps * 8 + lane_.inWarp() / 8;
        const bool inK = tile_ < xEnd_;
        to += static_cast<std::uint32_t>(token) * Shape::pitch +
              static_cast<std::uint32_t>((lane_.inWarp() % 8 ^ (token & 1) * 4) * 16);
        LOADLINE_UNROLL
        for (std::uint32_t i = 0; i < 2; ++i) { // four tokens on: the same parity
            lane_.copyAsync(to + i * 4 * Shape::pitch,
                            lane_.template ahead<2 * fragmentK>(x_[i], inK ? tile_ : 0), inK && there_[i]);
        }
    }

    const Lane& lane_;
    const SwapAbArgs& a_;
    const SwapAbLine& line_;
    SwapAbCursor cursor_;
    int tilesK_;
    int xEnd_; ///< the tile from which on the lane's chunk is not there
    int tile_ = 0;
    bool inN_ = false;
    bool there_[2] = {};
    const unsigned char* codes_ = nullptr; ///< a lane's of the first tile
    const unsigned char* scales_ = nullptr;
    const std::uint16_t* x_[2] = {};
};

/// Multiplies a warp's two tiles of W by its x. Scales go onto the sums of a block of 16 tokens, onto the
/// weights where there are more: fewer instructions.
template <class Shape, int Bits, int Tokens, class Lane>
LOADLINE_LANE void swapAbManyStep(const Lane& lane, const SwapAbDecoder<Bits, Lane>& decode,
                                  std::uint32_t stage, SwapAbSums<Tokens>& sums) {
    const std::uint32_t weights =
        stage + static_cast<std::uint32_t>(lane.warp()) * (Shape::warpLines * Shape::pitch);
    const std::uint32_t x =
        stage + (Shape::warps * Shape::warpLines +
                 static_cast<std::uint32_t>(lane.warp() / Shape::rowWarps) * Shape::xLines) *
                    Shape::pitch;
    const int g = lane.inWarp() / 4;
    const int t = lane.inWarp() % 4;
    std::uint32_t fields[2][4];
    std::uint32_t signs[2] = {};
    LOADLINE_UNROLL
    for (std::uint32_t r = 0; r < 2; ++r) {
        loadFields<Shape, Bits>(lane, weights + r * Shape::tileLines * Shape::pitch, fields[r], signs[r]);
    }
    const auto scales = lane.template loadShared<HalfChunk>(
        weights + (Shape::warpLines - 1) * Shape::pitch +
        static_cast<std::uint32_t>(g * 16 + lane.warp() % Shape::rowWarps % 2 * 8));
    LOADLINE_UNROLL
    for (int block = 0; block < 2; ++block) {
        std::uint32_t a[2][2][4];
        LOADLINE_UNROLL
        for (int r = 0; r < 2; ++r) {
            decode(fields[r], signs[r], block, a[r]);
            if constexpr (Tokens > 2) {
                const std::uint32_t upper = (scales.word[r] & 0x00ff00ffU) << 6U; // fp16, 16 times too small
                const std::uint32_t lower = scales.word[r] >> 2U & 0x3fc03fc0U;
                const std::uint32_t both[2] = {lane.permute(upper, upper, block == 0 ? 0x1010U : 0x3232U),
                                               lane.permute(lower, lower, block == 0 ? 0x1010U : 0x3232U)};
                LOADLINE_UNROLL
                for (int i = 0; i < 8; ++i) {
                    a[r][i / 4][i % 4] = lane.multiplyHalves(a[r][i / 4][i % 4], both[i % 2]);
                }
            }
        }
        LOADLINE_UNROLL
        for (int n = 0; n < Tokens; ++n) {
            const int token = n * 8 + g;
            const auto b = lane.template loadShared<Chunk>(
                x + static_cast<std::uint32_t>(token) * Shape::pitch +
                static_cast<std::uint32_t>(((block * 4 + t) ^ (token & 1) * 4) * 16));
            LOADLINE_UNROLL
            for (int r = 0; r < 2; ++r) {
                if constexpr (Tokens > 2) {
                    lane.mma(sums.of[r][n], a[r][0], b.word[0], b.word[1]);
                    lane.mma(sums.of[r][n], a[r][1], b.word[2], b.word[3]);
                } else {
                    MmaResult ofBlock;
                    lane.multiply(ofBlock, a[r][0], b.word[0], b.word[1]);
                    lane.mma(ofBlock, a[r][1], b.word[2], b.word[3]);
                    LOADLINE_UNROLL
                    for (int i = 0; i < 4; ++i) {
                        sums.of[r][n].value[i] +=
                            tinyScale(lane, scales.word[r], 2 * block + i / 2) * ofBlock.value[i];
                    }
                }
            }
        }
    }
}

/// Grid: any number of blocks, best as many as the device holds at once.
template <int Bits, int Tokens, int Stages, class Lane>
LOADLINE_LANE void swapAbMany(const Lane& lane, const SwapAbArgs& a) {
    using Shape = SwapAbShape<Bits, Tokens, Stages>;
    const SwapAbLine line = swapAbLine<Shape>(a, lane.gridX());
    SwapAbCursor now = swapAbCursor(line, lane.blockX());
    if (now.left == 0) {
        return;
    }
    const SwapAbCodebook<Bits, Lane> codebook(lane, a.codebook);
    const std::uint32_t origin = Shape::origin(lane);
    const std::uint32_t firstStage = origin + Shape::ringOffset;
    SwapAbCopies<Shape, Bits, Lane> copies(lane, a, line, now);
    const auto sendFor = [&](std::uint32_t stage) {
        if (copies.left == 0) {
            copies.aim();
        }
        --copies.left;
        copies.load(stage);
        lane.commitCopies();
    };
    sendFor(firstStage);
    const SwapAbDecoder<Bits, Lane> decode(lane, codebook, origin, // while the first step is on its way
                                           Tokens > 2 ? 16.0F : 1.0F);
    LOADLINE_UNROLL
    for (std::uint32_t s = 1; s < Stages - 1; ++s) {
        sendFor(firstStage + s * Shape::stageBytes);
    }

    SwapAbSums<Tokens> sums;
    const std::uint32_t lastStage = firstStage + (Stages - 1) * Shape::stageBytes;
    std::uint32_t free = lastStage; // where the next copies go
    while (now.left > 0) {
        const int steps = now.steps(line);
        for (int todo = steps; todo > 0;) {
            if (copies.left == 0) {
                copies.aim();
            }
            int turns = todo < copies.left ? todo : copies.left;
            todo -= turns;
            copies.left -= turns;
            do {
                lane.template waitCopies<Stages - 2>();
                lane.sync(); // what was read of `free` and what was copied for others is done
                copies.load(free);
                lane.commitCopies();
                free = free == lastStage ? firstStage : free + Shape::stageBytes;
                swapAbManyStep<Shape, Bits, Tokens>(lane, decode, free, sums);
            } while (--turns > 0);
        }
        finishMany<Shape, Tokens>(lane, a, line, now.unit, steps, origin, sums);
        now.toNextUnit(line);
    }
}

} // namespace loadline::gpu
