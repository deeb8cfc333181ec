// MT19937.
#include "core/validate/np_rand.h"

#include <bit>

namespace loadline {

NpRandom::NpRandom(std::uint32_t seed) {
    constexpr std::uint32_t factor = 1'812'433'253;
    constexpr int shift = 30;
    std::uint32_t word = seed;
    for (std::size_t i = 0; i < words; ++i) {
        state_[i] = word;
        word = factor * (word ^ (word >> shift)) + static_cast<std::uint32_t>(i) + 1;
    }
}

void NpRandom::refill() {
    constexpr std::size_t middle = 397;
    constexpr std::uint32_t upper = 0x80000000;
    constexpr std::uint32_t matrix = 0x9908b0df;
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint32_t mixed = (state_[i] & upper) | (state_[(i + 1) % words] & ~upper);
        state_[i] = state_[(i + middle) % words] ^ (mixed >> 1) ^ ((mixed & 1) != 0 ? matrix : 0);
    }
    place_ = 0;
}

std::uint32_t NpRandom::next() {
    if (place_ == words) {
        refill();
    }
    std::uint32_t bits = state_[place_++];
    bits ^= bits >> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return bits ^ (bits >> 18);
}

std::int64_t NpRandom::integer(std::int64_t low, std::int64_t high) {
    const auto most = static_cast<std::uint32_t>(high - 1 - low);
    if (most == 0) {
        return low;
    }
    constexpr int bits = 32;
    const std::uint32_t mask = ~std::uint32_t{0} >> (bits - std::bit_width(most));
    std::uint32_t drawn = next() & mask;
    while (drawn > most) {
        drawn = next() & mask;
    }
    return low + drawn;
}

} // namespace loadline
