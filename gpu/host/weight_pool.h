// Random weights in one large piece of memory, looked at as matrices of any shape: so that each call of a
// measurement reads weights that no cache holds, and preparing a point costs nothing.
#pragma once

#include "gpu/format/aligned_vector.h"
#include "gpu/host/host_runner.h"

#include <cstdint>

namespace loadline::gpu {

/// Codes are uniform; E4M4 scales lie between 1/4 and 1/2; fp16 weights between 1/16 and 1 on both sides of
/// 0.
class WeightPool {
public:
    /// `bytes` for k-bit weights and as many for fp16; made when they are first asked for.
    explicit WeightPool(std::size_t bytes, std::uint64_t seed);

    /// At least two of `matrices` neighbouring matrices must fit: grows where they do not.
    void reserve(const KBitShape& shape, int matrices);
    void reserveDense(std::int64_t k, std::int64_t n, int matrices);

    /// How many matrices of this shape there are, side by side.
    [[nodiscard]] std::int64_t matricesOf(const KBitShape& shape) const;
    [[nodiscard]] std::int64_t denseMatricesOf(std::int64_t k, std::int64_t n) const;

    /// Precondition: reserved; `index` below matricesOf.
    [[nodiscard]] PackedView packed(const KBitShape& shape, std::int64_t index) const;
    [[nodiscard]] DenseView dense(std::int64_t k, std::int64_t n, std::int64_t index) const;

    /// The codes' memory, for measuring how fast it can be read; a multiple of 64 bytes.
    [[nodiscard]] const AlignedVector<std::uint32_t>& words();

private:
    void fillWords(std::size_t words);
    void fillHalves(std::size_t halves);

    std::size_t bytes_;
    std::uint64_t seed_;
    AlignedVector<std::uint32_t> words_;
    AlignedVector<std::uint8_t> scales_;
    AlignedVector<std::uint16_t> halves_;
};

} // namespace loadline::gpu
