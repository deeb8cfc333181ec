// Weights that lie somewhere else, as kernels read them.
#pragma once

#include "gpu/format/packed_weights.h"

#include <cstddef>
#include <cstdint>

namespace loadline::gpu {

/// Weights in rows, W[n][k], as fp32 or as fp16.
struct DenseWeights {
    std::int64_t k = 0; ///< a multiple of 32
    std::int64_t n = 0;
    AlignedVector<float> fp32;
    AlignedVector<std::uint16_t> fp16;

    [[nodiscard]] std::size_t bytes() const { return fp32.size() * sizeof(float) + fp16.size() * 2; }
};

/// K-bit weights in Layout::Lanes. Every pointer is aligned to 64 bytes.
struct PackedView {
    KBitShape shape;
    const std::uint32_t* words = nullptr;
    const std::uint8_t* absmaxBytes = nullptr; ///< E4M4, or null
    const float* absmaxFloats = nullptr;       ///< fp32, or null

    PackedView() = default;
    /// Precondition: in the lane layout, and outlives the view.
    PackedView(const PackedWeights* weights) // NOLINT(google-explicit-constructor): a pointer is a view
        : shape(weights->shape), words(weights->words.data()),
          absmaxBytes(weights->absmaxFormat == AbsmaxFormat::E4M4 ? weights->absmaxBytes.data() : nullptr),
          absmaxFloats(weights->absmaxFormat == AbsmaxFormat::Fp32 ? weights->absmaxFloats.data() : nullptr) {
    }
};

/// W[n][k] in rows; one of the two.
struct DenseView {
    std::int64_t k = 0;
    std::int64_t n = 0;
    const float* fp32 = nullptr;
    const std::uint16_t* fp16 = nullptr;

    DenseView() = default;
    DenseView(const DenseWeights* weights) // NOLINT(google-explicit-constructor)
        : k(weights->k), n(weights->n), fp32(weights->fp32.empty() ? nullptr : weights->fp32.data()),
          fp16(weights->fp16.empty() ? nullptr : weights->fp16.data()) {}
};

/// The target of dequantised rows: the one of the two that the method writes.
struct DenseOut {
    float* fp32 = nullptr;
    std::uint16_t* fp16 = nullptr;

    DenseOut() = default;
    DenseOut(DenseWeights* weights) // NOLINT(google-explicit-constructor)
        : fp32(weights->fp32.data()), fp16(weights->fp16.data()) {}
};

} // namespace loadline::gpu
