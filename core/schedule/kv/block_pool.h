// KV blocks: who is free, in which order they are used again, how many requests hold each.
#pragma once

#include "core/schedule/kv/zeroed_array.h"

#include <cstdint>

namespace loadline {

using BlockId = std::int32_t;

/// vLLM's free queue with reference counts (spec: block 0 is the null block; free ones start as 1, 2, 3,
/// ...). A doubly linked list threaded through their places: every operation is O(1). Those that were never
/// used are not linked: one node stands for all of them, so that a pool costs what is used of it.
class BlockPool {
public:
    /// `blocks` counts the null block; at least 1.
    explicit BlockPool(std::int64_t blocks)
        : fresh_(static_cast<BlockId>(blocks)), places_(static_cast<std::size_t>(blocks) + 1),
          freeCount_(blocks - 1) {
        link(head, fresh_);
    }

    [[nodiscard]] std::int64_t freeCount() const { return freeCount_; }

    [[nodiscard]] bool isIdle(BlockId block) const { return places_[block].holders == 0; }

    /// The front of the free queue, held once. Precondition: freeCount() > 0.
    BlockId take() {
        --freeCount_;
        BlockId block = places_[head].next;
        if (block == fresh_ && nextFresh_ < fresh_) {
            block = nextFresh_++;
        } else {
            if (block == fresh_) {
                unlink(fresh_);
                block = places_[head].next;
            }
            unlink(block);
        }
        places_[block].holders = 1;
        return block;
    }

    /// One more holder; an idle block leaves the free queue. Precondition: it was taken once.
    void hold(BlockId block) {
        if (places_[block].holders++ == 0) {
            unlink(block);
            --freeCount_;
        }
    }

    /// One holder fewer; true when that was the last: the block must then go to the front or the back.
    bool release(BlockId block) { return --places_[block].holders == 0; }

    void pushBack(BlockId block) { insertAfter(places_[head].previous, block); }

    /// Puts `block` behind `position`; `head` as position is the front of the queue.
    void insertAfter(BlockId position, BlockId block) {
        link(position, block);
        ++freeCount_;
    }

    static constexpr BlockId head = 0;

private:
    struct Place {
        BlockId next = head; ///< in the free queue
        BlockId previous = head;
        std::int32_t holders = 0;
    };

    void link(BlockId position, BlockId block) {
        const BlockId after = places_[position].next;
        places_[position].next = block;
        places_[block].previous = position;
        places_[block].next = after;
        places_[after].previous = block;
    }

    void unlink(BlockId block) {
        const Place& place = places_[block];
        places_[place.previous].next = place.next;
        places_[place.next].previous = place.previous;
    }

    BlockId fresh_; ///< the node of those never used: one more than the last block
    ZeroedArray<Place> places_;
    BlockId nextFresh_ = 1;
    std::int64_t freeCount_ = 0;
};

} // namespace loadline
