// Attention problems of made-up inputs, their KV blocks in any order, and their answers in float64.
#pragma once

#include "gpu/cuda/kernel/attention_shape.cuh"
#include "gpu/format/aligned_vector.h"
#include "tests/gpu/emulate/emulated_lane.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline::gpu {

struct AttentionSizes {
    int headDim = 64;
    int queryHeads = 1;
    int kvHeads = 1;
    std::vector<int> lengths; ///< keys of each sequence
    int m = 1;
    bool inOrder = false; ///< KV blocks as they come, without others between them: contiguous
};

/// Inputs in fp16 and outputs poisoned. The cache has KV blocks that belong to nobody; they, and what lies
/// behind the end of a sequence, are NaNs, and so are table entries behind a sequence's last block no blocks.
struct AttentionCase {
    AttentionSizes sizes;
    AttentionArgs args; ///< but what a run makes itself
    AlignedVector<std::uint16_t> q, k, v, out;
    std::vector<std::int32_t> table;
    std::vector<std::int32_t> lengths;

    AttentionCase(const AttentionSizes& of, unsigned seed);
    AttentionCase(const AttentionCase&) = delete;
    AttentionCase& operator=(const AttentionCase&) = delete;

    /// First half of key `key` of a sequence and KV head, in k and v.
    [[nodiscard]] std::int64_t placeOf(int sequence, int key, int kvHead) const;
    /// ||difference|| / ||reference||, NaN included.
    [[nodiscard]] double error() const;
    [[nodiscard]] bool guardIsWhole() const; ///< nothing was written behind the output
};

} // namespace loadline::gpu
