// The free queue as a linked list through columns.
#include "core/schedule/kv/block_pool.h"

namespace loadline {

BlockPool::BlockPool(std::int64_t blocks)
    : fresh_(static_cast<BlockId>(blocks)), next_(static_cast<std::size_t>(blocks) + 1),
      previous_(static_cast<std::size_t>(blocks) + 1), holders_(static_cast<std::size_t>(blocks) + 1),
      freeCount_(blocks - 1) {
    link(head, fresh_);
}

void BlockPool::link(BlockId position, BlockId block) {
    const BlockId after = next_[position];
    next_[position] = block;
    previous_[block] = position;
    next_[block] = after;
    previous_[after] = block;
}

void BlockPool::insertAfter(BlockId position, BlockId block) {
    link(position, block);
    ++freeCount_;
}

void BlockPool::unlink(BlockId block) {
    next_[previous_[block]] = next_[block];
    previous_[next_[block]] = previous_[block];
}

BlockId BlockPool::take() {
    --freeCount_;
    BlockId block = next_[head];
    if (block == fresh_ && nextFresh_ < fresh_) {
        block = nextFresh_++;
    } else {
        if (block == fresh_) {
            unlink(fresh_);
            block = next_[head];
        }
        unlink(block);
    }
    holders_[block] = 1;
    return block;
}

void BlockPool::hold(BlockId block) {
    if (holders_[block]++ == 0) {
        unlink(block);
        --freeCount_;
    }
}

} // namespace loadline
