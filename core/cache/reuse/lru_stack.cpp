// The places of blocks: a bit each, counted by a Fenwick tree over words.
#include "core/cache/reuse/lru_stack.h"

namespace loadline {
namespace {

constexpr std::size_t roomForEach = 4; // places a block: compacting stays rare

/// Returns std::popcount(bits), which would be a library call if the processor's own instruction may be
/// missing.
constexpr std::uint32_t onesIn(std::uint64_t bits) {
    bits -= (bits >> 1) & 0x5555'5555'5555'5555;
    bits = (bits & 0x3333'3333'3333'3333) + ((bits >> 2) & 0x3333'3333'3333'3333);
    bits = (bits + (bits >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
    return static_cast<std::uint32_t>((bits * 0x0101'0101'0101'0101) >> 56);
}

static_assert(onesIn(~std::uint64_t{0}) == 64 && onesIn(0x8000'0000'0000'0005) == 3);

} // namespace

LruStack::LruStack(std::uint32_t blocks, std::size_t longest)
    : place_(blocks, never), bits_((roomForEach * blocks + longest) / wordBits + 1), sums_(bits_.size() + 1) {
}

void LruStack::addTo(std::size_t word, std::uint32_t change) {
    for (std::size_t i = word + 1; i < sums_.size(); i += i & (~i + 1)) {
        sums_[i] += change; // wraps around for what is taken away
    }
}

std::uint64_t LruStack::upTo(std::uint32_t place) const {
    const std::size_t word = place / wordBits;
    const std::uint32_t bit = place % wordBits;
    std::uint64_t count = onesIn(bits_[word] & (~std::uint64_t{0} >> (wordBits - 1 - bit)));
    for (std::size_t i = word; i > 0; i -= i & (~i + 1)) {
        count += sums_[i];
    }
    return count;
}

void LruStack::mark(std::uint32_t first, std::size_t count, bool held) {
    while (count > 0) {
        const std::size_t word = first / wordBits;
        const std::uint32_t bit = first % wordBits;
        const auto here = static_cast<std::uint32_t>(std::min<std::size_t>(count, wordBits - bit));
        bits_[word] ^= (~std::uint64_t{0} >> (wordBits - here)) << bit;
        addTo(word, held ? here : 0U - here);
        first += here;
        count -= here;
    }
}

void LruStack::compact() {
    std::vector<std::uint32_t> before(bits_.size());
    std::uint32_t sum = 0;
    for (std::size_t word = 0; word < bits_.size(); ++word) {
        before[word] = sum;
        sum += onesIn(bits_[word]);
    }
    for (std::uint32_t& place : place_) {
        if (place != never) {
            const std::uint64_t below = (std::uint64_t{1} << (place % wordBits)) - 1;
            place = before[place / wordBits] + onesIn(bits_[place / wordBits] & below);
        }
    }
    std::ranges::fill(bits_, 0);
    std::ranges::fill(sums_, 0);
    next_ = sum;
    mark(0, sum, true);
}

} // namespace loadline
