// The generator and the one distribution that everything is drawn from.
#include "tests/tools/generate/transcript/random.h"

#include "core/base/random.h"

#include <algorithm>
#include <bit>

namespace loadline::generate {
namespace {

std::uint64_t splitMix(std::uint64_t& state) {
    return scattered(state += 0x9e3779b97f4a7c15U);
}

} // namespace

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t state = a;
    state = splitMix(state) ^ b;
    return splitMix(state);
}

Random::Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
        word = splitMix(seed);
    }
}

std::uint64_t Random::next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t n) {
    return ((next() >> 32) * n) >> 32;
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
}

bool Random::chance(unsigned perMille) {
    return below(1000) < perMille;
}

std::size_t Random::pick(std::span<const std::uint32_t> weights) {
    std::uint64_t sum = 0;
    for (const std::uint32_t weight : weights) {
        sum += weight;
    }
    std::uint64_t at = below(sum);
    std::size_t index = 0;
    while (at >= weights[index]) {
        at -= weights[index];
        ++index;
    }
    return index;
}

std::int64_t draw(Random& random, const Octaves& octaves) {
    const int exponent = octaves.first + static_cast<int>(random.pick(octaves.weights));
    const std::int64_t low =
        std::max<std::int64_t>(1, ((std::int64_t{46'341} << exponent) >> 16) + 1); // 2^(e - 1/2)
    const std::int64_t high = std::max(low, ((std::int64_t{92'682} << exponent) >> 16));
    return random.between(low, high);
}

} // namespace loadline::generate
