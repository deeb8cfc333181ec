// One step of the swap-AB kernel: bringing tiles into the ring, looking pairs up, multiplying.
#pragma once

#include "gpu/cuda/kernel/decode.cuh"
#include "gpu/cuda/kernel/swap_ab_shape.cuh"

namespace loadline::gpu {

/// Every lane its own copy of the half2 of each pair of fields: lane i reads bank i only. k = 3, 5: of the
/// magnitudes.
template <int Bits, class Lane>
LOADLINE_LANE void fillPairTable(const Lane& lane, const float* codebook) {
    constexpr int fieldBits = fieldBitsOf(Bits);
    constexpr int skip = hasSigns(Bits) ? 1 << fieldBits : 0;
    constexpr int pairs = 1 << (2 * fieldBits);
    for (int pair = lane.warp(); pair < pairs; pair += lane.threads() / warpLanes) {
        const float low = codebook[skip + (pair & ((1 << fieldBits) - 1))];
        const float high = codebook[skip + (pair >> fieldBits)];
        lane.storeShared(static_cast<std::uint32_t>(pair * 128 + lane.inWarp() * 4),
                         lane.packHalves(low, high));
    }
    lane.sync();
}

/// A warp's copies: its two tiles of W, and its share of x. Addresses are kept per lane and moved along K;
/// what lies outside W or x becomes zeroes.
template <class Shape, int Bits, class Lane>
class SwapAbLoader {
public:
    LOADLINE_LANE SwapAbLoader(const Lane& lane, const SwapAbArgs& args)
        : lane_(lane), a_(args), rowWarp_(lane.warp() % Shape::rowWarps),
          kWarp_(lane.warp() / Shape::rowWarps), tilesK_(static_cast<int>(ceilDivide(args.k, fragmentK))) {}

    LOADLINE_LANE void load(int group, int unit, int step, int slot) {
        if (group != group_ || unit != unit_) {
            aimAtWeights(group, unit);
        }
        const std::uint32_t stage = Shape::ringOffset + static_cast<std::uint32_t>(slot) * Shape::stageBytes;
        const int tileK = step * Shape::kWarps + kWarp_;
        loadWeights(stage + static_cast<std::uint32_t>(lane_.warp()) * Shape::weightBytes, tileK);
        loadX(stage + Shape::warps * Shape::weightBytes + static_cast<std::uint32_t>(kWarp_) * Shape::xBytes,
              tileK);
    }

private:
    static constexpr int chunks = static_cast<int>(Shape::codeBytes / 16); ///< of a tile
    static constexpr int copies = (Shape::tilesPerWarp * chunks + warpLanes - 1) / warpLanes;

    LOADLINE_LANE static std::uintptr_t addressOf(const void* p) {
        return reinterpret_cast<std::uintptr_t>(p);
    }
    LOADLINE_LANE static const void* at(std::uintptr_t address) {
        return reinterpret_cast<const void*>(address); // NOLINT(performance-no-int-to-ptr)
    }

    LOADLINE_LANE void aimAtWeights(int group, int unit) {
        if (group != group_) {
            rows_ = rowsOfGroup(a_.groups, group, a_.m);
            LOADLINE_UNROLL
            for (int i = 0; i < 2; ++i) { // a lane brings chunk lane % 8 of two tokens
                const int token = rowWarp_ * 8 + i * 4 + lane_.inWarp() / 8;
                x_[i] = token < rows_.size
                            ? addressOf(a_.x + rows_.ofX(token) * a_.k + lane_.inWarp() % 8 * 8)
                            : 0;
            }
        }
        group_ = group;
        unit_ = unit;
        const int tilesN = static_cast<int>(ceilDivide(a_.n, fragmentRows));
        const int tileN = (unit * Shape::rowWarps + rowWarp_) * Shape::tilesPerWarp;
        const std::int64_t first = (static_cast<std::int64_t>(rows_.expert) * tilesN + tileN) * tilesK_;
        LOADLINE_UNROLL
        for (int i = 0; i < copies; ++i) {
            const int chunk = i * warpLanes + lane_.inWarp();
            const int tile = chunk / chunks;
            codes_[i] =
                tile < Shape::tilesPerWarp && tileN + tile < tilesN
                    ? addressOf(a_.codes + (first + tile * tilesK_) * Shape::codeBytes + chunk % chunks * 16)
                    : 0;
        }
        const int tile = lane_.inWarp() / 2; // of scales, lanes 0 to 3 bring a chunk each
        scales_ = tile < Shape::tilesPerWarp && tileN + tile < tilesN
                      ? addressOf(a_.scales + (first + tile * tilesK_) * Shape::scaleBytes +
                                  lane_.inWarp() % 2 * 16)
                      : 0;
    }

    LOADLINE_LANE void loadWeights(std::uint32_t to, int tileK) const {
        const bool inK = tileK < tilesK_;
        to += static_cast<std::uint32_t>(lane_.inWarp()) * 16;
        LOADLINE_UNROLL
        for (int i = 0; i < copies; ++i) {
            if ((i + 1) * warpLanes <= Shape::tilesPerWarp * chunks ||
                i * warpLanes + lane_.inWarp() < Shape::tilesPerWarp * chunks) {
                lane_.copyAsync(to + i * warpLanes * 16,
                                at(codes_[i] + static_cast<std::uintptr_t>(tileK) * Shape::codeBytes),
                                inK && codes_[i] != 0);
            }
        }
        if (lane_.inWarp() < 2 * Shape::tilesPerWarp) {
            lane_.copyAsync(to + Shape::tilesPerWarp * Shape::codeBytes,
                            at(scales_ + static_cast<std::uintptr_t>(tileK) * Shape::scaleBytes),
                            inK && scales_ != 0);
        }
    }

    /// 128 bytes a token in 8 chunks, those of odd tokens with their halves exchanged: no bank is met twice.
    LOADLINE_LANE void loadX(std::uint32_t to, int tileK) const {
        const int chunk = lane_.inWarp() % 8;
        const int token = rowWarp_ * 8 + lane_.inWarp() / 8;
        const bool inK = tileK * fragmentK + chunk * 8 < a_.k;
        to += static_cast<std::uint32_t>(token * 128 + (chunk ^ (token & 1) * 4) * 16);
        LOADLINE_UNROLL
        for (int i = 0; i < 2; ++i) { // four tokens on: the same parity
            lane_.copyAsync(to + i * 4 * 128,
                            at(x_[i] + static_cast<std::uintptr_t>(tileK) * (fragmentK * 2)),
                            inK && x_[i] != 0);
        }
    }

    const Lane& lane_;
    const SwapAbArgs& a_;
    int rowWarp_;
    int kWarp_;
    int tilesK_;
    int group_ = -1;
    int unit_ = -1;
    GroupRows rows_;
    // Addresses as numbers, 0 for none: they are moved whether or not they are used.
    std::uintptr_t codes_[copies] = {};
    std::uintptr_t scales_ = 0;
    std::uintptr_t x_[2] = {};
};

/// What a warp has summed of its 32 rows of W.
template <int Tokens>
struct SwapAbSums {
    MmaResult of[2][Tokens] = {};
};

/// The A operands of both MMA steps of a block of K: eight pairs from the table. `fields`, `signs` as stored.
template <int Bits, class Lane>
LOADLINE_LANE void lookUpBlock(const Lane& lane, const std::uint32_t* fields, std::uint32_t signs, int block,
                               std::uint32_t (&a)[2][4]) {
    constexpr int pairBits = 2 * fieldBitsOf(Bits);
    constexpr std::uint32_t mask = ((1U << pairBits) - 1) << 7U; // a table row is 128 bytes
    const auto mine = static_cast<std::uint32_t>(lane.inWarp() * 4);
    LOADLINE_UNROLL
    for (int p = 0; p < 8; ++p) {
        const int pair = block * 8 + p;
        const std::uint32_t word = fields[pair * pairBits / 32];
        const int shift = pair * pairBits % 32 - 7;
        const std::uint32_t moved =
            shift < 0 ? word << (shift < 0 ? -shift : 0) : word >> (shift < 0 ? 0 : shift);
        a[p / 4][p % 4] = lane.template loadShared<std::uint32_t>((moved & mask) | mine);
        if constexpr (hasSigns(Bits)) {
            a[p / 4][p % 4] ^= signs << (15 - pair) & 0x80008000U;
        }
    }
}

template <int Bits, class Lane>
LOADLINE_LANE void loadFields(const Lane& lane, std::uint32_t tile, std::uint32_t (&fields)[4],
                              std::uint32_t& signs) {
    constexpr int words = fragmentLaneWords(Bits);
    const std::uint32_t mine = tile + static_cast<std::uint32_t>(lane.inWarp() * words * 4);
    if constexpr (words == 4) {
        const auto chunk = lane.template loadShared<Chunk>(mine);
        LOADLINE_UNROLL
        for (int i = 0; i < 4; ++i) {
            fields[i] = chunk.word[i];
        }
    } else {
        const auto chunk = lane.template loadShared<HalfChunk>(mine);
        fields[0] = chunk.word[0];
        fields[1] = chunk.word[1];
    }
    if constexpr (hasSigns(Bits)) {
        signs = lane.template loadShared<std::uint32_t>(
            tile + static_cast<std::uint32_t>(warpLanes * words * 4 + lane.inWarp() * 4));
    }
}

/// Multiplies a warp's two tiles of W by its x. Scales go onto the sums of a block up to 16 tokens, onto the
/// weights beyond: fewer instructions.
template <class Shape, int Bits, int Tokens, class Lane>
LOADLINE_LANE void swapAbStep(const Lane& lane, int slot, SwapAbSums<Tokens>& sums) {
    const std::uint32_t stage = Shape::ringOffset + static_cast<std::uint32_t>(slot) * Shape::stageBytes;
    const std::uint32_t weights = stage + static_cast<std::uint32_t>(lane.warp()) * Shape::weightBytes;
    const std::uint32_t x = stage + Shape::warps * Shape::weightBytes +
                            static_cast<std::uint32_t>(lane.warp() / Shape::rowWarps) * Shape::xBytes;
    const int g = lane.inWarp() / 4;
    const int t = lane.inWarp() % 4;
    std::uint32_t fields[2][4];
    std::uint32_t signs[2] = {};
    std::uint32_t scale[2];
    LOADLINE_UNROLL
    for (int r = 0; r < 2; ++r) {
        loadFields<Bits>(lane, weights + static_cast<std::uint32_t>(r) * Shape::codeBytes, fields[r],
                         signs[r]);
        scale[r] = lane.template loadShared<std::uint32_t>(weights + 2 * Shape::codeBytes +
                                                           static_cast<std::uint32_t>(r) * Shape::scaleBytes +
                                                           static_cast<std::uint32_t>(g * 4));
    }
    LOADLINE_UNROLL
    for (int block = 0; block < 2; ++block) {
        std::uint32_t a[2][2][4];
        float upper[2];
        float lower[2];
        LOADLINE_UNROLL
        for (int r = 0; r < 2; ++r) {
            lookUpBlock<Bits>(lane, fields[r], signs[r], block, a[r]);
            upper[r] = decodeScale(lane, scale[r] >> (16 * block) & 255U);
            lower[r] = decodeScale(lane, scale[r] >> (16 * block + 8) & 255U);
            if constexpr (Tokens > 2) {
                const std::uint32_t both[2] = {lane.packHalves(upper[r], upper[r]),
                                               lane.packHalves(lower[r], lower[r])};
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
                x + static_cast<std::uint32_t>(token * 128 + ((block * 4 + t) ^ (token & 1) * 4) * 16));
            LOADLINE_UNROLL
            for (int r = 0; r < 2; ++r) {
                if constexpr (Tokens > 2) {
                    lane.mma(sums.of[r][n], a[r][0], b.word[0], b.word[1]);
                    lane.mma(sums.of[r][n], a[r][1], b.word[2], b.word[3]);
                } else {
                    MmaResult ofBlock = {};
                    lane.mma(ofBlock, a[r][0], b.word[0], b.word[1]);
                    lane.mma(ofBlock, a[r][1], b.word[2], b.word[3]);
                    LOADLINE_UNROLL
                    for (int i = 0; i < 4; ++i) {
                        sums.of[r][n].value[i] += (i < 2 ? upper[r] : lower[r]) * ofBlock.value[i];
                    }
                }
            }
        }
    }
}

} // namespace loadline::gpu
