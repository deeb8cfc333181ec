// Random weights, codes and scales for tests, reproducible by seed.
#pragma once

#include "gpu/format/packed_weights.h"

#include <random>
#include <vector>

namespace loadline::gpu {

inline std::vector<float> normalValues(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(random);
    }
    return values;
}

/// Random codes; scales of the kind blocks of normal weights have, exact in E4M4.
inline QuantisedWeights randomCodes(const KBitShape& shape, unsigned seed) {
    std::mt19937 random(seed);
    QuantisedWeights weights{shape, std::vector<std::uint8_t>(static_cast<std::size_t>(shape.n * shape.k)),
                             std::vector<float>(static_cast<std::size_t>(shape.n * blocksPerRow(shape)))};
    for (std::uint8_t& code : weights.codes) {
        code = static_cast<std::uint8_t>(random() & ((1U << shape.bits) - 1));
    }
    for (float& scale : weights.absmax) {
        scale = static_cast<float>(16 + random() % 16) / 64;
    }
    return weights;
}

} // namespace loadline::gpu
