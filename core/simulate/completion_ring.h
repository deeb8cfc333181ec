// When those who decode will be done: counts by iteration, and the next iteration that is not empty.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace loadline {

/// A timing wheel over iterations, for at most 65,535 at once. Nothing may lie `span()` iterations or more
/// ahead of the oldest entry.
class CompletionRing {
public:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    /// `longest`: the most iterations between adding and the iteration added for.
    explicit CompletionRing(std::int64_t longest)
        : mask_(std::bit_ceil(static_cast<std::uint64_t>(longest) + 64) - 1), counts_(mask_ + 1),
          filled_((mask_ + 1) / 64) {}

    [[nodiscard]] std::int64_t span() const { return static_cast<std::int64_t>(mask_ + 1); }

    /// One more is done at the end of iteration `at`.
    void add(std::int64_t at) {
        const std::uint64_t slot = static_cast<std::uint64_t>(at) & mask_;
        ++counts_[slot];
        filled_[slot / 64] |= std::uint64_t{1} << (slot % 64);
        if (at < next_) {
            next_ = at;
        }
    }

    /// The first iteration at whose end somebody is done; `never` if there is none.
    [[nodiscard]] std::int64_t next() const { return next_; }

    /// Takes those of iteration next() out; how many. `remaining`: how many others there are.
    std::int32_t take(std::int64_t others) {
        const std::uint64_t slot = static_cast<std::uint64_t>(next_) & mask_;
        const std::int32_t count = counts_[slot];
        counts_[slot] = 0;
        filled_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        next_ = others > count ? search(next_ + 1) : never;
        return count;
    }

private:
    /// Precondition: there is an entry at `from` or after.
    [[nodiscard]] std::int64_t search(std::int64_t from) const {
        const std::uint64_t slot = static_cast<std::uint64_t>(from) & mask_;
        std::uint64_t word = filled_[slot / 64] >> (slot % 64);
        if (word != 0) {
            return from + std::countr_zero(word);
        }
        std::int64_t at = from + static_cast<std::int64_t>(64 - slot % 64);
        for (std::uint64_t index = slot / 64 + 1;; ++index, at += 64) {
            word = filled_[index & (filled_.size() - 1)];
            if (word != 0) {
                return at + std::countr_zero(word);
            }
        }
    }

    std::uint64_t mask_;
    std::vector<std::uint16_t> counts_;
    std::vector<std::uint64_t> filled_;
    std::int64_t next_ = never;
};

} // namespace loadline
