// Functions of each instruction set: plain functions over ranges of row groups, and the jobs they read. The
// files behind it are compiled with flags of their own; nothing but plain data crosses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadline::gpu {

/// y[m][n] = sum over k of x[m][k] W[n][k], W in the lane layout.
struct LaneJob {
    int bits = 4;
    std::int64_t k = 0;
    std::int64_t n = 0;
    const std::uint32_t* words = nullptr;     ///< aligned to 64 bytes
    const std::uint8_t* scaleBytes = nullptr; ///< E4M4, or null
    const float* scaleFloats = nullptr;       ///< fp32, or null; aligned to 64 bytes
    const float* book = nullptr;              ///< 16 floats by field: values or magnitudes, repeated
    const std::int8_t* book8 = nullptr;       ///< 16 bytes by field: the same times 127, rounded
    std::int64_t rowsM = 0;
    const float* x = nullptr;      ///< [rowsM][k]
    const float* xTiles = nullptr; ///< for gemm: x as packX leaves it
    float* y = nullptr;            ///< [rowsM][n]
    // x as bytes, for the int8 kernels: each block's bytes in laneSignBit's order, pass by pass; the rows of
    // a block side by side, so that a kernel finds those of a tile without a pointer for each.
    const std::int8_t* x8 = nullptr;     ///< [k / 32][rowsM][32]
    const float* x8Scale = nullptr;      ///< [k / 32][rowsM], 1 / 127 of the codebook included
    const std::int32_t* x8Sum = nullptr; ///< [k / 32][rowsM], -128 times the sum of the block's bytes
};

/// y[m][n] = sum over k of x[m][k] W[n][k], W[n][k] in rows.
struct DenseJob {
    std::int64_t k = 0; ///< a multiple of 32
    std::int64_t n = 0;
    const float* fp32 = nullptr;         ///< or
    const std::uint16_t* fp16 = nullptr; ///< IEEE half precision
    std::int64_t rowsM = 0;
    const float* x = nullptr;
    const float* xTiles = nullptr;
    float* y = nullptr;
};

/// W[n][k] in rows from the lane layout; one of the two outputs.
struct DequantiseJob {
    LaneJob weights;
    float* fp32 = nullptr;
    std::uint16_t* fp16 = nullptr; ///< rounded to nearest even
    bool streaming = false; ///< past the caches, for outputs larger than these; rows aligned to 64 bytes
};

/// out = softmax(scale q k^T) v for each sequence and query head; the queries are the last of the context,
/// each sees the positions up to its own. Query heads qHeads / kvHeads * h and on share K and V of head h.
struct AttentionJob {
    int qHeads = 0;
    int kvHeads = 0;
    int headDim = 0; ///< a multiple of 16
    std::int64_t batch = 0;
    std::int64_t queries = 0;                   ///< of each sequence; 1: decode
    std::int64_t context = 0;                   ///< positions of each sequence, the queries' included
    const float* q = nullptr;                   ///< [batch][queries][qHeads][headDim]
    const std::uint16_t* const* keys = nullptr; ///< of each sequence [context][kvHeads][headDim], fp16
    const std::uint16_t* const* values = nullptr;
    float scale = 0;      ///< of scores, times log2(e)
    float* out = nullptr; ///< as q
};

/// Positions of one sequence.
struct ContextPart {
    std::int64_t sequence = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t ahead =
        0; ///< no position from here on is called beforehand; `end`, or where the thread goes on
};

/// Returns the floats of a part of the context of one sequence: [qHeads][headDim] weighted values, then
/// [qHeads] greatest scores and [qHeads] weights.
constexpr std::int64_t partialFloats(int qHeads, int headDim) {
    return std::int64_t{qHeads} * (headDim + 2);
}

/// Prefill goes over the context in blocks of so many positions.
inline constexpr int prefillKeys = 96;

/// The queries of the heads that share a KV head are rows, those of one position side by side; this block
/// begins at `firstRow`.
struct PrefillBlock {
    std::int64_t sequence = 0;
    int kvHead = 0;
    std::int64_t firstRow = 0;
};

/// Returns the floats of scratch for prefillAttention with blocks of `rows`: keys, values, queries, sums,
/// scores and row states.
constexpr std::int64_t prefillFloats(int headDim, int rows) {
    return std::int64_t{prefillKeys} * (2 * headDim + 64 + rows) + std::int64_t{rows} * (2 * headDim + 4);
}

/// A range of units: groups of 16 rows of W, rows of x, or tiles of rows of x.
struct UnitRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// A GEMM works on panels of 32 rows of W by gemmPanelK, for gemmRowsM rows of x at a time.
inline constexpr int gemmPanelRows = 32;
inline constexpr int gemmPanelK = 128;
inline constexpr int gemmRowsM = 240;
inline constexpr int gemmScratchFloats = gemmPanelRows * (gemmPanelK + gemmRowsM);

/// One instruction set's kernels; null where it has none.
struct KernelTable {
    /// Decodes each weight once for several rows of x; for any M.
    void (*gemv)(const LaneJob&, UnitRange groups) = nullptr;
    /// gemv with bytes of x and of the codebook, summed as integers.
    void (*gemvInt8)(const LaneJob&, UnitRange groups) = nullptr;
    /// gemvInt8 where it also beats gemm at large M: multiplying bytes takes one instruction with VNNI.
    void (*gemmInt8)(const LaneJob&, UnitRange groups) = nullptr;
    /// Decodes panels of weights to fp32. `scratch`: gemmScratchFloats, aligned to 64 bytes.
    void (*gemm)(const LaneJob&, UnitRange groups, float* scratch) = nullptr;
    void (*dequantise)(const DequantiseJob&, UnitRange groups) = nullptr;
    void (*denseGemv)(const DenseJob&, UnitRange groups) = nullptr;
    void (*denseGemm)(const DenseJob&, UnitRange groups, float* scratch) = nullptr;
    /// Rows of x in a tile of xTiles: [tile][k][row], the last tile filled up with zeros.
    int tileRows = 1;
    void (*packX)(const float* x, std::int64_t rowsM, std::int64_t k, float* xTiles,
                  UnitRange tiles) = nullptr;
    /// Fills x8, x8Scale and x8Sum for some rows of job.x.
    void (*quantiseX)(const LaneJob& job, std::int8_t* x8, float* scale, std::int32_t* sum,
                      UnitRange rows) = nullptr;
    /// Reads `bytes` (a multiple of 64) once and returns something that depends on all of it.
    std::uint64_t (*read)(const void* data, std::size_t bytes) = nullptr;
    /// Copies `bytes` (a multiple of 64), past the caches where it can.
    void (*copy)(void* to, const void* from, std::size_t bytes) = nullptr;
    /// Fills `bytes` (a multiple of 64), past the caches where it can.
    void (*write)(void* to, std::size_t bytes) = nullptr;
    /// One query of each head over a part of the context, once through K and V for all heads.
    void (*decodeAttention)(const AttentionJob&, ContextPart, float* partial) = nullptr;
    /// `parts` partials of one sequence, `stride` floats apart, joined and divided by their weight.
    void (*combineAttention)(const AttentionJob&, std::int64_t sequence, const float* partials,
                             std::int64_t parts, std::int64_t stride) = nullptr;
    /// `scratch`: prefillFloats for prefillRows, aligned to 64 bytes.
    void (*prefillAttention)(const AttentionJob&, PrefillBlock, float* scratch) = nullptr;
    int prefillRows = 1;
};

const KernelTable& portableKernels();
const KernelTable& avx2Kernels();   ///< needs AVX2, FMA, F16C
const KernelTable& avx512Kernels(); ///< needs AVX-512 F, BW, VL, DQ, and VNNI for gemvInt8

} // namespace loadline::gpu
