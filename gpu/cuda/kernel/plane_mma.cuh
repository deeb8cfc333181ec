// Tensor-core GEMM over tiled bit planes for up to 64 rows, codebook by shuffle, as published.
#pragma once

#include "gpu/cuda/kernel/decode.cuh"
#include "gpu/cuda/kernel/rows.cuh"
#include "gpu/format/layout.h"

namespace loadline::gpu {

// Rows of x are the tensor core's 16-row operand, so 1 row costs as much as 16. Two stages of asynchronous
// copies, K split over blocks, fp32 sums met by atomics and rounded by the block that arrives last. After
// bitsandbytes' k-bit GEMM (df55daf8).

struct PlaneMmaArgs {
    const std::uint32_t* planes = nullptr; ///< tiled (planesTiledWord), one expert after the other
    const std::uint8_t* scales = nullptr;  ///< E4M4, tiled
    const float* codebook = nullptr;       ///< 2^k values
    const std::uint16_t* x = nullptr;      ///< fp16, [rows, K]
    std::uint16_t* y = nullptr;            ///< fp16, [rows, N]
    float* partial = nullptr;              ///< zeroes before and after: groups x tokens x N filled up to 128
    unsigned* arrived = nullptr;           ///< zeroes before and after: groups x N tiles
    int k = 0;                             ///< a multiple of 32
    int n = 0;
    int m = 0;      ///< dense: rows, at most 16 RowTiles
    int splits = 1; ///< of K, at most its tiles
    Groups groups;
};

template <int Bits, int RowTiles>
struct PlaneMmaShape {
    static constexpr int warps = RowTiles == 1 ? 4 : 8;
    static constexpr int threads = warps * warpLanes;
    static constexpr int launchBlocks = RowTiles == 1 ? 6 : 2; ///< per multiprocessor, to leave registers for
    static constexpr int columns = warps * 16;                 ///< of y, per block
    static constexpr int rows = RowTiles * 16;
    static constexpr std::uint32_t xBytes = rows * planesTileK * 2;
    static constexpr std::uint32_t planeBytes = columns * 2 * Bits * 4;
    static constexpr std::uint32_t scaleBytes = columns * 2;
    static constexpr std::uint32_t stageBytes = xBytes + planeBytes + scaleBytes;
    static constexpr std::uint32_t flagOffset = 2 * stageBytes;
    static constexpr std::uint32_t sharedBytes = flagOffset + 16;
};

namespace detail {

/// visit(chunk) for a thread's share of `Chunks` chunks of 16 bytes.
template <int Threads, int Chunks, class Visit>
LOADLINE_LANE void eachChunk(int thread, const Visit& visit) {
    LOADLINE_UNROLL
    for (int first = 0; first < Chunks; first += Threads) {
        if (first + Threads <= Chunks || first + thread < Chunks) {
            visit(first + thread);
        }
    }
}

/// Copies one tile of K into a stage.
template <class Shape, int Bits, class Lane>
LOADLINE_LANE void loadPlaneTile(const Lane& lane, const PlaneMmaArgs& a, const GroupRows& rows,
                                 int firstColumn, int tileK, std::uint32_t stage) {
    eachChunk<Shape::threads, Shape::xBytes / 16>(lane.thread(), [&](int chunk) {
        const int row = chunk / 8;
        const int k = tileK * planesTileK + chunk % 8 * 8;
        const bool valid = row < rows.size && k < a.k;
        lane.copyAsync(stage + static_cast<std::uint32_t>(row * 128 + (chunk % 8 ^ row % 8) * 16),
                       valid ? a.x + rows.ofX(row) * a.k + k : a.x, valid);
    });
    const std::int64_t tilesN = ceilDivide(a.n, planesTileN);
    const std::int64_t tile =
        (rows.expert * ceilDivide(a.k, planesTileK) + tileK) * tilesN + firstColumn / planesTileN;
    const std::int64_t block = tile * (planesTileN * 2) + firstColumn % planesTileN * 2;
    eachChunk<Shape::threads, Shape::planeBytes / 16>(lane.thread(), [&](int chunk) {
        lane.copyAsync(stage + Shape::xBytes + static_cast<std::uint32_t>(chunk) * 16,
                       a.planes + block * Bits + chunk * 4, true);
    });
    eachChunk<Shape::threads, Shape::scaleBytes / 16>(lane.thread(), [&](int chunk) {
        lane.copyAsync(stage + Shape::xBytes + Shape::planeBytes + static_cast<std::uint32_t>(chunk) * 16,
                       a.scales + block + chunk * 16, true);
    });
}

/// The B operand of one step of 16 K for one column of a lane.
template <int Bits, class Lane>
LOADLINE_LANE void decodeStep(const Lane& lane, const std::uint32_t (&plane)[Bits], float entry, float scale,
                              int first, std::uint32_t (&b)[2]) {
    LOADLINE_UNROLL
    for (int half = 0; half < 2; ++half) {
        float value[2];
        LOADLINE_UNROLL
        for (int i = 0; i < 2; ++i) {
            const int e = first + half * 8 + i;
            std::uint32_t code = 0;
            LOADLINE_UNROLL
            for (int bit = 0; bit < Bits; ++bit) {
                code |= (plane[bit] >> e & 1U) << bit;
            }
            value[i] = lane.shuffle(entry, code) * scale;
        }
        b[half] = lane.packHalves(value[0], value[1]);
    }
}

} // namespace detail

/// Grid: (ceil(N / 128) * 128 / columns, splits, groups).
template <int Bits, int RowTiles, class Lane>
LOADLINE_LANE void planeMma(const Lane& lane, const PlaneMmaArgs& a) {
    using Shape = PlaneMmaShape<Bits, RowTiles>;
    if (lane.blockZ() >= groupCount(a.groups)) {
        return;
    }
    const GroupRows rows = rowsOfGroup(a.groups, lane.blockZ(), a.m);
    const int firstColumn = lane.blockX() * Shape::columns;
    const int tilesK = static_cast<int>(ceilDivide(a.k, planesTileK));
    const int begin = static_cast<int>(static_cast<std::int64_t>(tilesK) * lane.blockY() / a.splits);
    const int end = static_cast<int>(static_cast<std::int64_t>(tilesK) * (lane.blockY() + 1) / a.splits);
    const float entry = a.codebook[lane.inWarp() & ((1 << Bits) - 1)];
    const int g = lane.inWarp() / 4;
    const int t = lane.inWarp() % 4;
    MmaResult sums[2][RowTiles] = {};

    detail::loadPlaneTile<Shape, Bits>(lane, a, rows, firstColumn, begin, 0);
    lane.commitCopies();
    for (int tileK = begin; tileK < end; ++tileK) {
        const std::uint32_t stage = (tileK - begin) % 2 == 0 ? 0 : Shape::stageBytes;
        if (tileK + 1 < end) {
            detail::loadPlaneTile<Shape, Bits>(lane, a, rows, firstColumn, tileK + 1,
                                               Shape::stageBytes - stage);
        }
        lane.commitCopies();
        lane.template waitCopies<1>();
        lane.sync();
        LOADLINE_UNROLL
        for (int block = 0; block < 2; ++block) {
            std::uint32_t plane[2][Bits];
            float scale[2];
            LOADLINE_UNROLL
            for (int j = 0; j < 2; ++j) {
                const auto place = static_cast<std::uint32_t>((lane.warp() * 16 + j * 8 + g) * 2 + block);
                LOADLINE_UNROLL
                for (int bit = 0; bit < Bits; ++bit) {
                    plane[j][bit] = lane.template loadShared<std::uint32_t>(
                        stage + Shape::xBytes + (place * Bits + static_cast<std::uint32_t>(bit)) * 4);
                    plane[j][bit] >>= 2 * t; // elements 2t, 2t+1, ... at fixed places
                }
                scale[j] = decodeScale(lane, lane.template loadShared<std::uint8_t>(
                                                 stage + Shape::xBytes + Shape::planeBytes + place));
            }
            LOADLINE_UNROLL
            for (int step = 0; step < 2; ++step) {
                std::uint32_t b[2][2];
                LOADLINE_UNROLL
                for (int j = 0; j < 2; ++j) {
                    detail::decodeStep<Bits>(lane, plane[j], entry, scale[j], step * 16, b[j]);
                }
                LOADLINE_UNROLL
                for (int r = 0; r < RowTiles; ++r) {
                    const int row = r * 16 + lane.inWarp() % 16;
                    const int chunk = block * 4 + step * 2 + lane.inWarp() / 16;
                    std::uint32_t x[4];
                    lane.loadMatrices(x,
                                      stage + static_cast<std::uint32_t>(row * 128 + (chunk ^ row % 8) * 16));
                    LOADLINE_UNROLL
                    for (int j = 0; j < 2; ++j) {
                        lane.mma(sums[j][r], x, b[j][0], b[j][1]);
                    }
                }
            }
        }
        lane.sync();
    }

    const int paddedN = static_cast<int>(ceilDivide(a.n, planesTileN)) * planesTileN;
    float* partial = a.partial + static_cast<std::int64_t>(lane.blockZ()) * Shape::rows * paddedN;
    LOADLINE_UNROLL
    for (int j = 0; j < 2; ++j) {
        LOADLINE_UNROLL
        for (int r = 0; r < RowTiles; ++r) {
            LOADLINE_UNROLL
            for (int i = 0; i < 4; ++i) {
                const int row = r * 16 + g + i / 2 * 8;
                const int column = firstColumn + lane.warp() * 16 + j * 8 + t * 2 + i % 2;
                if (row < rows.size && column < a.n) {
                    if (a.splits == 1) {
                        a.y[rows.ofY(row) * a.n + column] = lane.toHalf(sums[j][r].value[i]);
                    } else {
                        lane.addAtomic(partial + static_cast<std::int64_t>(row) * paddedN + column,
                                       sums[j][r].value[i]);
                    }
                }
            }
        }
    }
    if (a.splits == 1) {
        return;
    }
    unsigned* arrived =
        a.arrived + static_cast<std::int64_t>(lane.blockZ()) * (paddedN / Shape::columns) + lane.blockX();
    lane.fence();
    lane.sync();
    if (lane.thread() == 0) {
        lane.storeShared(Shape::flagOffset, lane.addAtomic(arrived, 1U) + 1);
    }
    lane.sync();
    if (lane.template loadShared<unsigned>(Shape::flagOffset) != static_cast<unsigned>(a.splits)) {
        return;
    }
    lane.fence();
    for (int i = lane.thread(); i < rows.size * Shape::columns; i += Shape::threads) {
        const int row = i / Shape::columns;
        const int column = firstColumn + i % Shape::columns;
        float* sum = partial + static_cast<std::int64_t>(row) * paddedN + column;
        if (column < a.n) {
            a.y[rows.ofY(row) * a.n + column] = lane.toHalf(lane.loadFresh(sum));
        }
        *sum = 0;
    }
    if (lane.thread() == 0) {
        *arrived = 0;
    }
}

} // namespace loadline::gpu
