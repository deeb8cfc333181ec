// Decodes the fields of the swap-AB kernel's tiles to operands of the tensor core: by a table, or by
// permutes.
#pragma once

#include "gpu/cuda/kernel/swap_ab_shape.cuh"

namespace loadline::gpu {

/// The values of the codebook that a lane needs for its part of a decoder: read before the first copies are
/// sent off, they are there when the copies are.
template <int Bits, class Lane>
struct SwapAbCodebook {
    float value[4]; ///< k = 4, 5: of both fields of a pair; k = 2, 3: of each field (k = 3: magnitudes)

    LOADLINE_LANE SwapAbCodebook(const Lane& lane, const float* codebook) {
        if constexpr (fieldBitsOf(Bits) == 4) {
            const float* const values = codebook + (hasSigns(Bits) ? 16 : 0);
            value[0] = lane.load(values + (lane.thread() & 15));
            value[1] = lane.load(values + (lane.thread() >> 4));
        } else {
            // By shuffles among four lanes: of values known to be the warp's, ptxas keeps some in uniform
            // registers, and moves them before each permute.
            const float mine = lane.load(codebook + (hasSigns(Bits) ? 4 : 0) + (lane.thread() & 3));
            LOADLINE_UNROLL
            for (std::uint32_t i = 0; i < 4; ++i) {
                value[i] = lane.shuffle(mine, i, 4);
            }
        }
    }
};

/// The table that lanes look up: k = 4, 5 the half2 of each pair of fields (k = 5: of magnitudes) in shared
/// memory, every lane its own copy, so that lane i reads bank i only; k = 2, 3 the lower and upper bytes of
/// all values in registers.
template <int Bits, class Lane>
class SwapAbDecoder {
public:
    /// All 256 threads; values times `factor`. The table, at `origin`, is there after the block's next
    /// barrier.
    LOADLINE_LANE SwapAbDecoder(const Lane& lane, const SwapAbCodebook<Bits, Lane>& codebook,
                                std::uint32_t origin, float factor = 1)
        : lane_(lane), mine_((hasTable ? lane.sharedOrigin() : lane.sharedAddress()) + origin - tableAhead +
                             static_cast<std::uint32_t>(lane.inWarp() * 4)) {
        if constexpr (hasTable) {
            const auto thread = static_cast<std::uint32_t>(lane.thread());
            const std::uint32_t pair =
                lane.packHalves(factor * codebook.value[0], factor * codebook.value[1]);
            LOADLINE_UNROLL
            for (std::uint32_t i = 0; i < 8; ++i) { // each at another place of the line: no bank is met twice
                lane.storeShared(origin + thread * 256 + (thread % 8 * 16 ^ i * 16),
                                 Chunk{{pair, pair, pair, pair}});
            }
        } else {
            LOADLINE_UNROLL
            for (int i = 0; i < 1 << Bits; ++i) { // k = 3: magnitudes, then their negatives
                const float value = codebook.value[i % 4];
                const std::uint32_t half = lane.toHalf(factor * (i < 4 ? value : -value));
                low_[i / 4] |= (half & 255U) << (i % 4 * 8);
                high_[i / 4] |= (half >> 8U) << (i % 4 * 8);
            }
        }
    }

    /// The A operands of both MMA steps of a block of K. `fields`, `signs`: a lane's of a tile, as stored.
    LOADLINE_LANE void operator()(const std::uint32_t (&fields)[4], std::uint32_t signs, int block,
                                  std::uint32_t (&a)[2][4]) const {
        if constexpr (hasTable) {
            LOADLINE_UNROLL
            for (int p = 0; p < 8; ++p) {
                const std::uint32_t at = lane_.permute(fields[block * 2 + p / 4], mine_,
                                                       0x7604U | static_cast<unsigned>(p % 4) << 4U);
                a[p / 4][p % 4] = lane_.template loadConstant<tableAhead>(at);
                if constexpr (hasSigns(Bits)) {
                    a[p / 4][p % 4] ^= signs << (15 - block * 8 - p) & 0x80008000U;
                }
            }
        } else {
            LOADLINE_UNROLL
            for (int step = 0; step < 2; ++step) {
                std::uint32_t selector = fields[block] >> (2 * step) & 0x33333333U;
                if constexpr (hasSigns(Bits)) {
                    const int bit = 2 * block + step;
                    selector |= (bit < 2 ? signs << (2 - bit) : signs >> (bit - 2)) & 0x44444444U;
                }
                LOADLINE_UNROLL
                for (int half = 0; half < 2; ++half) {
                    const std::uint32_t four = selector >> (16 * half);
                    const std::uint32_t low = lane_.permute(low_[0], low_[registers - 1], four);
                    const std::uint32_t high = lane_.permute(high_[0], high_[registers - 1], four);
                    a[step][2 * half] = lane_.permute(low, high, 0x5140U);
                    a[step][2 * half + 1] = lane_.permute(low, high, 0x7362U);
                }
            }
        }
    }

private:
    static constexpr bool hasTable = fieldBitsOf(Bits) == 4;
    static constexpr int tableAhead = 1024;
    static constexpr int registers = Bits == 3 ? 2 : 1; ///< of four bytes

    const Lane& lane_;
    std::uint32_t mine_; ///< tableAhead before the lane's copy of the table; unused without a table
    std::uint32_t low_[registers] = {};
    std::uint32_t high_[registers] = {};
};

/// A lane's fields of a tile whose first line is at `tile`.
template <class Shape, int Bits, class Lane>
LOADLINE_LANE void loadFields(const Lane& lane, std::uint32_t tile, std::uint32_t (&fields)[4],
                              std::uint32_t& signs) {
    const auto inWarp = static_cast<std::uint32_t>(lane.inWarp());
    if constexpr (Shape::hasTable) {
        const auto chunk = lane.template loadShared<Chunk>(tile + Shape::spread(inWarp * 16));
        LOADLINE_UNROLL
        for (int i = 0; i < 4; ++i) {
            fields[i] = chunk.word[i];
        }
    } else {
        const auto chunk = lane.template loadShared<HalfChunk>(tile + Shape::spread(inWarp * 8));
        fields[0] = chunk.word[0];
        fields[1] = chunk.word[1];
    }
    if constexpr (hasSigns(Bits)) {
        signs = lane.template loadShared<std::uint32_t>(tile + (Shape::tileLines - 1) * Shape::pitch +
                                                        inWarp * 4);
    }
}

/// Byte `place` of four E4M4 scales as an fp32 2^116 times too small: subnormal where its exponent is 0, so
/// exact for all bytes.
template <class Lane>
LOADLINE_LANE float tinyScale(const Lane& lane, std::uint32_t four, int place) {
    const int shift = 19 - 8 * place;
    return lane.bitsToFloat((shift < 0 ? four >> (shift < 0 ? -shift : 0) : four << (shift < 0 ? 0 : shift)) &
                            0x07f80000U);
}

inline constexpr float scaleOfTiny = 8.3076749736557242e34F; ///< 2^116

} // namespace loadline::gpu
