// Quantising weights and moving them between layouts, on the host; every move keeps every bit.
#pragma once

#include "core/cost/format/absmax_format.h"
#include "gpu/format/aligned_vector.h"
#include "gpu/format/layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loadline::gpu {

/// Weights as codes: what a layout stores, without a layout.
struct QuantisedWeights {
    KBitShape shape;
    std::vector<std::uint8_t> codes; ///< [n][k], each below 2^bits
    std::vector<float> absmax;       ///< [n][k / 32], the scale of each block
};

/// W[n][k] to codes: each block of 32 is divided by max(absmax, 1e-8), each weight gets the nearest value of
/// the codebook. Preconditions: k a multiple of 32, bits 2..5, weights finite.
QuantisedWeights quantise(const KBitShape& shape, const std::vector<float>& weights);

/// Codes and scales in one layout.
struct PackedWeights {
    KBitShape shape;
    Layout layout = Layout::PlanesFlat;
    AbsmaxFormat absmaxFormat = AbsmaxFormat::E4M4;
    AlignedVector<std::uint32_t> words;
    AlignedVector<std::uint8_t> absmaxBytes; ///< E4M4 only
    AlignedVector<float> absmaxFloats;       ///< Fp32 only

    [[nodiscard]] std::size_t bytes() const; ///< words and scales, filling included
};

/// Words and scales that a layout takes, filling included.
struct PackedSize {
    std::int64_t words = 0;
    std::int64_t scales = 0;
};
PackedSize packedSizeOf(const KBitShape& shape, Layout layout);

/// Returns the place of a block's scale.
std::int64_t absmaxPlace(const KBitShape& shape, Layout layout, std::int64_t row, std::int64_t block);

/// Packs weights into a layout; with E4M4 each scale is rounded by encodeE4m4.
PackedWeights pack(const QuantisedWeights& weights, Layout layout, AbsmaxFormat absmax);
/// Scales as the format holds them: for E4M4 exactly decoded.
QuantisedWeights unpack(const PackedWeights& weights);
/// W[row][k] = codebook[code] * scale, in double.
std::vector<double> weightsOfRow(const PackedWeights& weights, std::int64_t row);
/// Moves weights to another layout: the same codes and the same scale bits.
PackedWeights repack(const PackedWeights& weights, Layout layout);

/// W[n][k] = codebook[code] * scale, each product rounded once to fp32.
std::vector<float> dequantise(const QuantisedWeights& weights);

} // namespace loadline::gpu
