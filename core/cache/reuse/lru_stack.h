// Exact stack distances of a least-recently-used cache of any size, in one pass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace loadline {

/// All blocks by when they were last touched. A cache of C blocks holds the C on top, so a block hits there
/// if fewer than C others were touched since (Mattson's stack distance). Blocks that were touched one after
/// the other and are touched again in that order all have the same distance, so a whole run of them costs as
/// much as one: O(log n) a run, n blocks at most in runs of one.
class LruStack {
public:
    /// `blocks`: numbers from 0; `longest`: most of them touched between two calls of makeRoom().
    LruStack(std::uint32_t blocks, std::size_t longest);

    /// Makes room for the blocks of a request. Call it before they are touched.
    void makeRoom(std::size_t touches) {
        if (next_ + touches > bits_.size() * wordBits) {
            compact();
        }
    }

    [[nodiscard]] bool seen(std::uint32_t block) const { return place_[block] != never; }

    /// Blocks touched since `block` was, itself not counted. Precondition: seen().
    [[nodiscard]] std::uint64_t distance(std::uint32_t block) const { return live_ - upTo(place_[block]); }

    /// True if `next` was touched right after `block`, and neither since.
    [[nodiscard]] bool follows(std::uint32_t block, std::uint32_t next) const {
        return place_[next] == place_[block] + 1 && seen(next) && seen(block);
    }

    /// Touches `count` blocks, the i-th is `at(i)`; calls `onHits(distance, blocks)` for those seen before.
    template <typename At, typename OnHits>
    void touch(std::size_t count, At at, OnHits onHits) {
        std::size_t i = 0;
        while (i < count) {
            const std::uint32_t from = place_[at(i)];
            const std::size_t first = i;
            if (from == never) {
                while (i < count && place_[at(i)] == never) {
                    place_[at(i)] = next_ + static_cast<std::uint32_t>(i - first);
                    ++i;
                }
                live_ += i - first;
            } else {
                const std::uint64_t distance = live_ - upTo(from);
                while (i < count && place_[at(i)] == from + static_cast<std::uint32_t>(i - first)) {
                    place_[at(i)] = next_ + static_cast<std::uint32_t>(i - first);
                    ++i;
                }
                mark(from, i - first, false);
                onHits(distance, i - first);
            }
            mark(next_, i - first, true);
            next_ += static_cast<std::uint32_t>(i - first);
        }
    }

private:
    static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t wordBits = 64;

    /// Returns the number of places up to this one, itself included, that hold a block.
    [[nodiscard]] std::uint64_t upTo(std::uint32_t place) const;
    /// Places from `first` on hold a block from now on, or none.
    void mark(std::uint32_t first, std::size_t count, bool held);
    void compact();
    void addTo(std::size_t word, std::uint32_t change);

    std::vector<std::uint32_t> place_; ///< of each block's last touch
    std::vector<std::uint64_t> bits_;  ///< places that hold a block
    std::vector<std::uint32_t> sums_;  ///< Fenwick tree of the words' bits
    std::uint64_t live_ = 0;
    std::uint32_t next_ = 0;
};

} // namespace loadline
