// Fills the memory and cuts views out of it.
#include "gpu/host/weight_pool.h"

#include "core/base/free_memory.h"
#include "core/base/parallel_for.h"
#include "core/base/random.h"

#include <algorithm>

namespace loadline::gpu {
namespace {

constexpr std::int64_t lineBytes = 64;

std::int64_t alignedTo(std::int64_t count, std::int64_t step) {
    return tilesOf(count, step) * step;
}

std::int64_t wordsOf(const KBitShape& shape) {
    return alignedTo(packedSizeOf(shape, Layout::Lanes).words, lineBytes / 4);
}

std::int64_t scalesOf(const KBitShape& shape) {
    return alignedTo(packedSizeOf(shape, Layout::Lanes).scales, lineBytes);
}

std::int64_t halvesOf(std::int64_t k, std::int64_t n) {
    return alignedTo(k * n, lineBytes / 2);
}

/// Four values from each 64 random bits, in parallel: write(i, 16 random bits).
template <typename Write>
void fill(std::size_t count, std::uint64_t seed, Write write) {
    constexpr std::size_t part = std::size_t{1} << 18;
    const RandomStream random(seed);
    parallelFor((count + part - 1) / part, 0, {}, [&](std::size_t index, unsigned) {
        const std::size_t end = std::min(count, (index + 1) * part);
        for (std::size_t i = index * part; i < end; i += 4) {
            std::uint64_t bits = random.at(i / 4);
            for (std::size_t j = i; j < std::min(i + 4, end); ++j, bits >>= 16U) {
                write(j, static_cast<std::uint16_t>(bits));
            }
        }
    });
}

} // namespace

WeightPool::WeightPool(std::size_t bytes, std::uint64_t seed) : bytes_(bytes), seed_(seed) {}

void WeightPool::fillWords(std::size_t words) {
    freeMemory(words_); // before more is taken
    words_.resize((words + 15) / 16 * 16);
    auto* halves = reinterpret_cast<unsigned char*>(words_.data());
    fill(words_.size() * 2, seed_, [&](std::size_t i, std::uint16_t bits) {
        halves[2 * i] = static_cast<unsigned char>(bits);
        halves[2 * i + 1] = static_cast<unsigned char>(bits >> 8U);
    });
    scales_.resize(words_.size() / 2 + lineBytes); // k = 2: two words for each scale
    fill(scales_.size(), seedOf(seed_, 1), [&](std::size_t i, std::uint16_t bits) {
        scales_[i] = static_cast<std::uint8_t>(0x90U | (bits & 15U)); // 2^(9 - 11) (1 + m/16)
    });
}

void WeightPool::fillHalves(std::size_t halves) {
    freeMemory(halves_);
    halves_.resize((halves + 31) / 32 * 32);
    fill(halves_.size(), seedOf(seed_, 2), [&](std::size_t i, std::uint16_t bits) {
        const std::uint32_t exponent = 11U + (bits >> 10U & 3U); // of an IEEE half: 2^-4 to 2^-1
        halves_[i] = static_cast<std::uint16_t>((bits & 0x83FFU) | exponent << 10U);
    });
}

void WeightPool::reserve(const KBitShape& shape, int matrices) {
    const auto wanted =
        std::max(bytes_ / sizeof(std::uint32_t), static_cast<std::size_t>(2 * matrices * wordsOf(shape)));
    if (words_.size() < wanted) {
        fillWords(wanted);
    }
}

void WeightPool::reserveDense(std::int64_t k, std::int64_t n, int matrices) {
    const auto wanted =
        std::max(bytes_ / sizeof(std::uint16_t), static_cast<std::size_t>(2 * matrices * halvesOf(k, n)));
    if (halves_.size() < wanted) {
        fillHalves(wanted);
    }
}

std::int64_t WeightPool::matricesOf(const KBitShape& shape) const {
    return std::min(static_cast<std::int64_t>(words_.size()) / wordsOf(shape),
                    static_cast<std::int64_t>(scales_.size()) / scalesOf(shape));
}

std::int64_t WeightPool::denseMatricesOf(std::int64_t k, std::int64_t n) const {
    return static_cast<std::int64_t>(halves_.size()) / halvesOf(k, n);
}

PackedView WeightPool::packed(const KBitShape& shape, std::int64_t index) const {
    PackedView view;
    view.shape = shape;
    view.words = words_.data() + index * wordsOf(shape);
    view.absmaxBytes = scales_.data() + index * scalesOf(shape);
    return view;
}

DenseView WeightPool::dense(std::int64_t k, std::int64_t n, std::int64_t index) const {
    DenseView view;
    view.k = k;
    view.n = n;
    view.fp16 = halves_.data() + index * halvesOf(k, n);
    return view;
}

const AlignedVector<std::uint32_t>& WeightPool::words() {
    if (words_.empty()) {
        fillWords(bytes_ / sizeof(std::uint32_t));
    }
    return words_;
}

} // namespace loadline::gpu
