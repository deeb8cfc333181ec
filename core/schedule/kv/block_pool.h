// KV blocks: who is free, in which order they are used again, how many requests hold each.
#pragma once

#include "core/schedule/kv/zeroed_array.h"

#include <cstdint>

namespace loadline {

using BlockId = std::int32_t;

/// vLLM's free queue with reference counts (spec: block 0 is the null block; free ones start as 1, 2, 3,
/// ...). A doubly linked list threaded through two columns: every operation is O(1). Those that were never
/// used are not linked: one node stands for all of them, so that a pool costs what is used of it.
class BlockPool {
public:
    /// `blocks` counts the null block; at least 1.
    explicit BlockPool(std::int64_t blocks);

    [[nodiscard]] std::int64_t freeCount() const { return freeCount_; }

    [[nodiscard]] bool isIdle(BlockId block) const { return holders_[block] == 0; }

    /// The front of the free queue, held once. Precondition: freeCount() > 0.
    BlockId take();
    /// One more holder; an idle block leaves the free queue. Precondition: it was taken once.
    void hold(BlockId block);

    /// One holder fewer; true when that was the last: the block must then go to the front or the back.
    bool release(BlockId block) { return --holders_[block] == 0; }

    void pushBack(BlockId block) { insertAfter(previous_[head], block); }

    /// Puts `block` behind `position`; `head` as position is the front of the queue.
    void insertAfter(BlockId position, BlockId block);

    static constexpr BlockId head = 0;

private:
    void link(BlockId position, BlockId block);
    void unlink(BlockId block);

    BlockId fresh_; ///< the node of those never used: one more than the last block
    ZeroedArray<BlockId> next_;
    ZeroedArray<BlockId> previous_;
    ZeroedArray<std::int32_t> holders_;
    BlockId nextFresh_ = 1;
    std::int64_t freeCount_ = 0;
};

} // namespace loadline
