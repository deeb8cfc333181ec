// Random numbers that are the same on every platform: no floating point, no library distributions.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace loadline::generate {

/// A seed that depends on both; different pairs give unrelated ones.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

/// xoshiro256++ (Blackman and Vigna, 2018), seeded through SplitMix64.
class Random {
public:
    explicit Random(std::uint64_t seed);
    std::uint64_t next();
    /// Returns a number in [0, n), n in [1, 2^32]; the bias below 2^-32 does not matter here.
    std::uint64_t below(std::uint64_t n);
    /// Returns a number in [low, high], both included.
    std::int64_t between(std::int64_t low, std::int64_t high);
    bool chance(unsigned perMille);
    /// Index by weight; at least one weight is above 0.
    std::size_t pick(std::span<const std::uint32_t> weights);

    template <typename T, std::size_t n>
    const T& oneOf(const std::array<T, n>& values) {
        return values[below(n)];
    }

private:
    std::array<std::uint64_t, 4> state_{};
};

/// Numbers by octave: weight i stands for those that round to 2^(first + i) on a logarithmic scale, the
/// buckets of the published distributions.
struct Octaves {
    int first = 0;
    std::span<const std::uint32_t> weights;
};

std::int64_t draw(Random& random, const Octaves& octaves);

} // namespace loadline::generate
