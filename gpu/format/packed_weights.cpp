// Blocks read from one layout and written to another; one block is one row's 32 weights.
#include "gpu/format/packed_weights.h"

#include "core/base/parallel_for.h"
#include "gpu/format/codebook.h"
#include "gpu/format/e4m4.h"
#include "gpu/format/fragment_layout.h"
#include "gpu/format/lane_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::gpu {
namespace {

using BlockCodes = std::array<std::uint8_t, blockWeights>;

/// Rows that share no word with other rows in any layout: the unit of parallel work.
constexpr std::int64_t strip = 16;

template <typename Body>
void forEachStrip(const KBitShape& shape, Body body) {
    parallelFor(static_cast<std::size_t>(tilesOf(shape.n, strip)), 0, {}, [&](std::size_t index, unsigned) {
        const auto first = static_cast<std::int64_t>(index) * strip;
        for (std::int64_t row = first; row < std::min(first + strip, shape.n); ++row) {
            for (std::int64_t block = 0; block < blocksPerRow(shape); ++block) {
                body(row, block);
            }
        }
    });
}

std::int64_t planeWord(const KBitShape& shape, Layout layout, std::int64_t row, std::int64_t block, int bit) {
    return layout == Layout::PlanesFlat ? planesFlatWord(shape, row, block, bit)
                                        : planesTiledWord(shape, row, block, bit);
}

BitPlace fieldPlace(const KBitShape& shape, Layout layout, std::int64_t row, std::int64_t k) {
    return layout == Layout::Fragments ? fragmentField(shape, row, k) : laneField(shape, row, k);
}

BitPlace signPlace(const KBitShape& shape, Layout layout, std::int64_t row, std::int64_t k) {
    return layout == Layout::Fragments ? fragmentSign(shape, row, k) : laneSign(shape, row, k);
}

std::uint32_t fieldIn(Layout layout, int bits, std::uint32_t code) {
    return layout == Layout::Lanes ? laneFieldOf(bits, code) : fieldOf(bits, code);
}

std::uint32_t codeIn(Layout layout, int bits, std::uint32_t field, std::uint32_t sign) {
    return layout == Layout::Lanes ? laneCodeOf(bits, field, sign) : codeOf(bits, field, sign);
}

bool isPlanes(Layout layout) {
    return layout == Layout::PlanesFlat || layout == Layout::PlanesTiled;
}

std::uint32_t bitsAt(const AlignedVector<std::uint32_t>& words, BitPlace place, int count) {
    return words[static_cast<std::size_t>(place.word)] >> place.shift & ((1U << count) - 1);
}

void orBits(AlignedVector<std::uint32_t>& words, BitPlace place, std::uint32_t value) {
    words[static_cast<std::size_t>(place.word)] |= value << place.shift;
}

/// Into words that are still 0.
void writeBlock(PackedWeights& to, std::int64_t row, std::int64_t block, const std::uint8_t* codes) {
    const KBitShape& shape = to.shape;
    for (int e = 0; e < blockWeights; ++e) {
        const std::uint32_t code = codes[e];
        if (isPlanes(to.layout)) {
            for (int bit = 0; bit < shape.bits; ++bit) {
                orBits(to.words, {planeWord(shape, to.layout, row, block, bit), e}, code >> bit & 1);
            }
            continue;
        }
        const std::int64_t k = block * blockWeights + e;
        orBits(to.words, fieldPlace(shape, to.layout, row, k), fieldIn(to.layout, shape.bits, code));
        if (hasSigns(shape.bits)) {
            orBits(to.words, signPlace(shape, to.layout, row, k), signOf(shape.bits, code));
        }
    }
}

BlockCodes readBlock(const PackedWeights& from, std::int64_t row, std::int64_t block) {
    const KBitShape& shape = from.shape;
    BlockCodes codes{};
    for (int e = 0; e < blockWeights; ++e) {
        std::uint32_t code = 0;
        if (isPlanes(from.layout)) {
            for (int bit = 0; bit < shape.bits; ++bit) {
                code |= bitsAt(from.words, {planeWord(shape, from.layout, row, block, bit), e}, 1) << bit;
            }
        } else {
            const std::int64_t k = block * blockWeights + e;
            const std::uint32_t field =
                bitsAt(from.words, fieldPlace(shape, from.layout, row, k), fieldBitsOf(shape.bits));
            const std::uint32_t sign =
                hasSigns(shape.bits) ? bitsAt(from.words, signPlace(shape, from.layout, row, k), 1) : 0;
            code = codeIn(from.layout, shape.bits, field, sign);
        }
        codes[static_cast<std::size_t>(e)] = static_cast<std::uint8_t>(code);
    }
    return codes;
}

PackedWeights emptyPacked(const KBitShape& shape, Layout layout, AbsmaxFormat absmax) {
    PackedWeights packed{shape, layout, absmax, {}, {}, {}};
    const PackedSize size = packedSizeOf(shape, layout);
    packed.words.resize(static_cast<std::size_t>(size.words));
    if (absmax == AbsmaxFormat::E4M4) {
        packed.absmaxBytes.resize(static_cast<std::size_t>(size.scales));
    } else {
        packed.absmaxFloats.resize(static_cast<std::size_t>(size.scales));
    }
    return packed;
}

std::size_t flatBlock(const KBitShape& shape, std::int64_t row, std::int64_t block) {
    return static_cast<std::size_t>(planesFlatAbsmax(shape, row, block));
}

} // namespace

std::size_t PackedWeights::bytes() const {
    return words.size() * sizeof(std::uint32_t) + absmaxBytes.size() + absmaxFloats.size() * sizeof(float);
}

PackedSize packedSizeOf(const KBitShape& shape, Layout layout) {
    const std::int64_t blocks = blocksPerRow(shape);
    std::int64_t scales = shape.n * blocks;
    if (layout == Layout::PlanesTiled) {
        scales = tilesOf(shape.n, planesTileN) * tilesOf(shape.k, planesTileK) * (planesTileN * 2);
    } else if (layout == Layout::Fragments) {
        scales = fragmentTiles(shape) * (fragmentRows * 2);
    } else if (layout == Layout::Lanes) {
        scales = tilesOf(shape.n, laneRows) * laneRows * blocks;
    }
    return {scales * shape.bits, scales}; // every layout has k words for each scale
}

std::int64_t absmaxPlace(const KBitShape& shape, Layout layout, std::int64_t row, std::int64_t block) {
    switch (layout) {
    case Layout::PlanesTiled:
        return planesTiledAbsmax(shape, row, block);
    case Layout::Fragments:
        return fragmentAbsmax(shape, row, block);
    case Layout::Lanes:
        return laneAbsmax(shape, row, block);
    case Layout::PlanesFlat:
        break;
    }
    return planesFlatAbsmax(shape, row, block);
}

QuantisedWeights quantise(const KBitShape& shape, const std::vector<float>& weights) {
    QuantisedWeights result{shape, std::vector<std::uint8_t>(weights.size()),
                            std::vector<float>(weights.size() / blockWeights)};
    const float* book = codebookOf(shape.bits);
    forEachStrip(shape, [&](std::int64_t row, std::int64_t block) {
        const std::size_t first = flatBlock(shape, row, block) * blockWeights;
        float absmax = 0;
        for (std::size_t i = first; i < first + blockWeights; ++i) {
            absmax = std::max(absmax, std::abs(weights[i]));
        }
        result.absmax[first / blockWeights] = absmax;
        const float divisor = std::max(absmax, 1e-8F);
        for (std::size_t i = first; i < first + blockWeights; ++i) {
            result.codes[i] = static_cast<std::uint8_t>(nearestCode(book, shape.bits, weights[i] / divisor));
        }
    });
    return result;
}

PackedWeights pack(const QuantisedWeights& weights, Layout layout, AbsmaxFormat absmax) {
    PackedWeights packed = emptyPacked(weights.shape, layout, absmax);
    forEachStrip(weights.shape, [&](std::int64_t row, std::int64_t block) {
        const std::size_t flat = flatBlock(weights.shape, row, block);
        writeBlock(packed, row, block, weights.codes.data() + flat * blockWeights);
        const auto place = static_cast<std::size_t>(absmaxPlace(weights.shape, layout, row, block));
        if (absmax == AbsmaxFormat::E4M4) {
            packed.absmaxBytes[place] = encodeE4m4(weights.absmax[flat]);
        } else {
            packed.absmaxFloats[place] = weights.absmax[flat];
        }
    });
    return packed;
}

QuantisedWeights unpack(const PackedWeights& weights) {
    const KBitShape& shape = weights.shape;
    const auto blocks = static_cast<std::size_t>(shape.n * blocksPerRow(shape));
    QuantisedWeights result{shape, std::vector<std::uint8_t>(blocks * blockWeights),
                            std::vector<float>(blocks)};
    forEachStrip(shape, [&](std::int64_t row, std::int64_t block) {
        const std::size_t flat = flatBlock(shape, row, block);
        const BlockCodes codes = readBlock(weights, row, block);
        std::copy(codes.begin(), codes.end(),
                  result.codes.begin() + static_cast<std::ptrdiff_t>(flat * blockWeights));
        const auto place = static_cast<std::size_t>(absmaxPlace(shape, weights.layout, row, block));
        result.absmax[flat] = weights.absmaxFormat == AbsmaxFormat::E4M4
                                  ? decodeE4m4(weights.absmaxBytes[place])
                                  : weights.absmaxFloats[place];
    });
    return result;
}

std::vector<double> weightsOfRow(const PackedWeights& weights, std::int64_t row) {
    const KBitShape& shape = weights.shape;
    const float* book = codebookOf(shape.bits);
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(shape.k));
    for (std::int64_t block = 0; block < blocksPerRow(shape); ++block) {
        const auto place = static_cast<std::size_t>(absmaxPlace(shape, weights.layout, row, block));
        const double scale = weights.absmaxFormat == AbsmaxFormat::E4M4
                                 ? decodeE4m4(weights.absmaxBytes[place])
                                 : weights.absmaxFloats[place];
        for (const std::uint8_t code : readBlock(weights, row, block)) {
            result.push_back(book[code] * scale);
        }
    }
    return result;
}

PackedWeights repack(const PackedWeights& weights, Layout layout) {
    const KBitShape& shape = weights.shape;
    PackedWeights packed = emptyPacked(shape, layout, weights.absmaxFormat);
    forEachStrip(shape, [&](std::int64_t row, std::int64_t block) {
        writeBlock(packed, row, block, readBlock(weights, row, block).data());
        const auto from = static_cast<std::size_t>(absmaxPlace(shape, weights.layout, row, block));
        const auto to = static_cast<std::size_t>(absmaxPlace(shape, layout, row, block));
        if (weights.absmaxFormat == AbsmaxFormat::E4M4) {
            packed.absmaxBytes[to] = weights.absmaxBytes[from];
        } else {
            packed.absmaxFloats[to] = weights.absmaxFloats[from];
        }
    });
    return packed;
}

std::vector<float> dequantise(const QuantisedWeights& weights) {
    std::vector<float> result(weights.codes.size());
    const float* book = codebookOf(weights.shape.bits);
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = book[weights.codes[i]] * weights.absmax[i / blockWeights];
    }
    return result;
}

} // namespace loadline::gpu
