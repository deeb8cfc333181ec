// NumPy's legacy random numbers (numpy.random.seed, numpy.random.randint): benchmark clients draw from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace loadline {

/// The generator of numpy.random.RandomState(seed): MT19937, init_genrand (Matsumoto and Nishimura 2002).
class NpRandom {
public:
    explicit NpRandom(std::uint32_t seed);

    /// Returns the next 32 bits.
    std::uint32_t next();

    /// Returns an integer from `low` to `high` - 1, as randint(low, high): bits under the smallest mask that
    /// holds the range, drawn again while beyond it; nothing is drawn for a range of one value.
    /// Precondition: low < high, and high - low < 2^32.
    std::int64_t integer(std::int64_t low, std::int64_t high);

private:
    static constexpr std::size_t words = 624;

    void refill();

    std::array<std::uint32_t, words> state_{};
    std::size_t place_ = words;
};

} // namespace loadline
