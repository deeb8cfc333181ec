// The reference design: GEMV over flat bit planes for 1 to 4 rows, codebook by shuffle, as published.
#pragma once

#include "gpu/cuda/kernel/decode.cuh"
#include "gpu/cuda/kernel/rows.cuh"

namespace loadline::gpu {

// Two warps compute one column (row of W): thread t takes blocks t, t + 64, ... of K. It extracts each code
// bit by bit, fetches its value from the lane that keeps it, and sums in fp32. After bitsandbytes' k-bit GEMV
// (kbitScalarGemv at df55daf8), whose design is kept so that its figures can be reproduced; scales are
// decoded exactly here, by as many instructions.

struct ScalarGemvArgs {
    const std::uint32_t* planes = nullptr; ///< flat (planesFlatWord), one expert after the other
    const std::uint8_t* scales = nullptr;  ///< E4M4, flat
    const float* codebook = nullptr;       ///< 2^k values
    const std::uint16_t* x = nullptr;      ///< fp16, [rows, K]
    std::uint16_t* y = nullptr;            ///< fp16, [rows, N]
    int k = 0;                             ///< a multiple of 32
    int n = 0;
    Groups groups;
};

inline constexpr int scalarThreads = 64;
inline constexpr int scalarSharedBytes = 2 * 4 * 4; ///< a partial sum per warp and row
inline constexpr int scalarMaxRows = 4;

/// Blocks per multiprocessor to leave registers for; sm_86 holds no more than 16.
template <int Rows>
constexpr int scalarBlocks() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 860
    return 16;
#else
    return Rows == 1 ? 24 : (Rows == 2 ? 20 : 16);
#endif
}

/// Adds one block of K of a column to the sums of a thread; one without a block (`mine` false) only takes
/// part in the shuffles. `entry`: the codebook's value that this lane keeps.
template <int Bits, int Rows, class Lane>
LOADLINE_LANE void addBlock(const Lane& lane, const ScalarGemvArgs& a, std::int64_t firstBlock, int block,
                            bool mine, const std::uint16_t* const (&x)[Rows], float entry,
                            float (&sum)[Rows]) {
    std::uint32_t plane[Bits] = {};
    float scale = 0;
    if (mine) {
        loadPlanes(lane, a.planes + (firstBlock + block) * Bits, plane);
        scale = decodeScale(lane, a.scales[firstBlock + block]);
    }
    LOADLINE_UNROLL
    for (int eight = 0; eight < 4; ++eight) {
        float weight[8];
        LOADLINE_UNROLL
        for (int e = 0; e < 8; ++e) {
            weight[e] = lane.shuffle(entry, codeInPlanes<Bits>(plane, 8 * eight + e)) * scale;
        }
        LOADLINE_UNROLL
        for (int m = 0; m < Rows; ++m) {
            if (mine) {
                const Chunk eightX =
                    lane.stream(reinterpret_cast<const Chunk*>(x[m] + block * 32 + 8 * eight));
                LOADLINE_UNROLL
                for (int e = 0; e < 8; ++e) {
                    sum[m] += weight[e] * lane.toFloat(eightX.word[e / 2] >> (e % 2 * 16) & 0xffffU);
                }
            }
        }
    }
}

/// Grid: (N, groups). Rows: of a dense GEMM exactly Rows, of a group at most Rows.
template <int Bits, int Rows, class Lane>
LOADLINE_LANE void scalarGemv(const Lane& lane, const ScalarGemvArgs& a) {
    const int column = lane.blockX();
    if (lane.blockY() >= groupCount(a.groups)) {
        return;
    }
    const GroupRows rows = rowsOfGroup(a.groups, lane.blockY(), Rows);
    const int blocks = a.k / 32;
    const std::int64_t firstBlock = (static_cast<std::int64_t>(rows.expert) * a.n + column) * blocks;
    const std::uint16_t* x[Rows];
    LOADLINE_UNROLL
    for (int m = 0; m < Rows; ++m) {
        x[m] = a.x + rows.ofX(m < rows.size ? m : 0) * a.k;
    }
    const float entry = a.codebook[lane.inWarp() & ((1 << Bits) - 1)];
    float sum[Rows] = {};
    for (int base = 0; base < blocks; base += scalarThreads) {
        const int block = base + lane.thread();
        addBlock<Bits, Rows>(lane, a, firstBlock, block, block < blocks, x, entry, sum);
    }
    LOADLINE_UNROLL
    for (int m = 0; m < Rows; ++m) {
        LOADLINE_UNROLL
        for (int mask = 16; mask > 0; mask /= 2) {
            sum[m] += lane.shuffleXor(sum[m], mask);
        }
        if (lane.inWarp() == 0) {
            lane.storeShared(static_cast<std::uint32_t>(lane.warp() * Rows + m) * 4, sum[m]);
        }
    }
    lane.sync();
    const int m = lane.thread();
    if (m < rows.size) {
        const float total = lane.template loadShared<float>(static_cast<std::uint32_t>(m) * 4) +
                            lane.template loadShared<float>(static_cast<std::uint32_t>(Rows + m) * 4);
        a.y[rows.ofY(m) * a.n + column] = lane.toHalf(total);
    }
}

} // namespace loadline::gpu
