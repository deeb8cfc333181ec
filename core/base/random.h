// Random numbers by their place: the k-th of a seed, the same on every platform and in any order.
#pragma once

#include <cmath>
#include <cstdint>

namespace loadline {

/// The bits of x scattered: a bijection (SplitMix64's finaliser; Steele, Lea and Flood 2014, variant 13 of
/// Stafford's).
constexpr std::uint64_t scattered(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// A seed that depends on both; different pairs give unrelated ones.
constexpr std::uint64_t seedOf(std::uint64_t seed, std::uint64_t part) {
    return scattered(scattered(seed + 0x9e3779b97f4a7c15U) ^ (part * 0xd1342543de82ef95U + 1));
}

/// SplitMix64 started at a place that the seed chooses, read at any position.
class RandomStream {
public:
    constexpr explicit RandomStream(std::uint64_t seed) : start_(seedOf(seed, 0)) {}

    /// 64 random bits: the k-th of this seed.
    [[nodiscard]] constexpr std::uint64_t at(std::uint64_t k) const {
        return scattered(start_ + (k + 1) * 0x9e3779b97f4a7c15U);
    }

private:
    std::uint64_t start_;
};

/// floor(bits n / 2^64): 64 random bits as a number in [0, n), n > 0. The bias is below n / 2^64.
constexpr std::uint32_t below(std::uint32_t n, std::uint64_t bits) {
    const std::uint64_t low = (bits & 0xffffffffU) * n;
    return static_cast<std::uint32_t>(((bits >> 32) * n + (low >> 32)) >> 32);
}

/// Part `index` of an even spread over [0, 1) that begins at `from`, however many parts there are: multiples
/// of the golden ratio.
inline double evenSpread(double from, std::int64_t index) {
    constexpr double golden = 0.6180339887498949;
    const double place = from + static_cast<double>(index) * golden;
    return place - std::floor(place);
}

} // namespace loadline
