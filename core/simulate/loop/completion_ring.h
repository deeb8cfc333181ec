// Completions of decoding turns: counts by iteration, and the next iteration that is not empty.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace loadline {

/// A timing wheel over iterations, for at most 65,535 at once. Nothing may lie `span()` iterations or more
/// ahead of the oldest entry.
class CompletionRing {
public:
    /// `longest`: the most iterations between adding and the iteration added for.
    explicit CompletionRing(std::int64_t longest)
        : mask_(std::bit_ceil(static_cast<std::uint64_t>(longest) + 64) - 1), counts_(mask_ + 1),
          marks_((mask_ + 1) / 64) {}

    [[nodiscard]] std::int64_t span() const { return static_cast<std::int64_t>(mask_ + 1); }

    /// One more is done at the end of iteration `at`.
    void add(std::int64_t at) {
        const std::uint64_t slot = static_cast<std::uint64_t>(at) & mask_;
        ++counts_[slot];
        marks_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }

    /// Takes those of iteration `at` out; how many. Marks stay: a loop that takes every step has no branch.
    std::int32_t take(std::int64_t at) {
        std::uint16_t& count = counts_[static_cast<std::uint64_t>(at) & mask_];
        const std::int32_t taken = count;
        count = 0;
        return taken;
    }

    /// Takes those of iteration `at` out, which has at least one, and clears its mark; returns how many.
    std::int32_t takeMarked(std::int64_t at) {
        const std::uint64_t slot = static_cast<std::uint64_t>(at) & mask_;
        marks_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        return take(at);
    }

    /// Returns the first iteration from `from` on at whose end a turn is done. Precondition: there is one.
    [[nodiscard]] std::int64_t next(std::int64_t from) {
        const std::uint64_t slot = static_cast<std::uint64_t>(from) & mask_;
        const std::uint64_t within = slot % 64;
        std::uint64_t index = slot / 64;
        std::uint64_t word = marks_[index] >> within << within;
        std::int64_t first = from - static_cast<std::int64_t>(within); // iteration of the word's first bit
        while (true) {
            while (word != 0) {
                const int bit = std::countr_zero(word);
                if (counts_[index * 64 + static_cast<std::uint64_t>(bit)] != 0) {
                    return first + bit;
                }
                word &= word - 1;
                marks_[index] &= ~(std::uint64_t{1} << bit);
            }
            index = (index + 1) & (marks_.size() - 1);
            first += 64;
            word = marks_[index];
        }
    }

private:
    std::uint64_t mask_;
    std::vector<std::uint16_t> counts_;
    std::vector<std::uint64_t> marks_; ///< a bit for each slot; set wherever its count is not zero
};

} // namespace loadline
