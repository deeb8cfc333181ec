// The free queue as a linked list through columns.
#include "core/schedule/kv/block_pool.h"

namespace loadline {

BlockPool::BlockPool(std::int64_t blocks)
    : next_(static_cast<std::size_t>(blocks)), previous_(next_.size()), holders_(next_.size()) {
    for (BlockId block = 1; block < blocks; ++block) {
        pushBack(block);
    }
}

void BlockPool::insertAfter(BlockId position, BlockId block) {
    const BlockId after = next_[position];
    next_[position] = block;
    previous_[block] = position;
    next_[block] = after;
    previous_[after] = block;
    ++freeCount_;
}

void BlockPool::unlink(BlockId block) {
    next_[previous_[block]] = next_[block];
    previous_[next_[block]] = previous_[block];
    --freeCount_;
}

BlockId BlockPool::take() {
    const BlockId block = next_[head];
    unlink(block);
    holders_[block] = 1;
    return block;
}

void BlockPool::hold(BlockId block) {
    if (holders_[block]++ == 0) {
        unlink(block);
    }
}

} // namespace loadline
