#include "gpu/format/random_weights.h"

#include "core/base/parallel_for.h"
#include "gpu/format/e4m4.h"

#include <algorithm>

namespace loadline::gpu {
namespace {

/// SplitMix64's output for one index: any part of the sequence can be made alone.
std::uint64_t scramble(std::uint64_t index) {
    std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

template <typename Body>
void inParts(std::int64_t count, Body body) {
    constexpr std::int64_t part = 1 << 16;
    parallelFor(static_cast<std::size_t>(tilesOf(count, part)), 0, {}, [&](std::size_t index, unsigned) {
        const auto first = static_cast<std::int64_t>(index) * part;
        for (std::int64_t i = first; i < std::min(first + part, count); ++i) {
            body(i);
        }
    });
}

} // namespace

PackedWeights randomPacked(const KBitShape& shape, Layout layout, AbsmaxFormat absmax, std::uint64_t seed) {
    const PackedSize size = packedSizeOf(shape, layout);
    const std::uint64_t base = scramble(seed);
    const std::int64_t blocks = blocksPerRow(shape);
    PackedWeights packed{shape, layout, absmax, {}, {}, {}};
    packed.words.resize(static_cast<std::size_t>(size.words));
    std::uint32_t* words = packed.words.data();
    inParts(size.words, [&](std::int64_t i) {
        words[i] = static_cast<std::uint32_t>(scramble(base + static_cast<std::uint64_t>(i)));
    });
    const auto scaleAt = [&](std::int64_t i) {
        const std::uint64_t bits = scramble(~base - static_cast<std::uint64_t>(i)) % 16;
        return static_cast<float>(16 + bits) / 64;
    };
    if (absmax == AbsmaxFormat::E4M4) {
        packed.absmaxBytes.resize(static_cast<std::size_t>(size.scales));
        inParts(shape.n * blocks, [&](std::int64_t i) {
            const std::int64_t place = absmaxPlace(shape, layout, i / blocks, i % blocks);
            packed.absmaxBytes[static_cast<std::size_t>(place)] = encodeE4m4(scaleAt(i));
        });
    } else {
        packed.absmaxFloats.resize(static_cast<std::size_t>(size.scales));
        inParts(shape.n * blocks, [&](std::int64_t i) {
            const std::int64_t place = absmaxPlace(shape, layout, i / blocks, i % blocks);
            packed.absmaxFloats[static_cast<std::size_t>(place)] = scaleAt(i);
        });
    }
    return packed;
}

} // namespace loadline::gpu
