// Taking and giving back blocks in vLLM's order.
#include "core/schedule/kv/kv_blocks.h"

#include <algorithm>

namespace loadline {

KvBlocks::KvBlocks(const VllmConfig& config)
    : blockSize_(config.blockSize),
      frontAndBack_(config.version == VllmVersion::Latest && !config.freedBlocksToBack),
      free_(config.numGpuBlocks - 1) {
    if (config.enablePrefixCaching) {
        pool_.emplace(config.numGpuBlocks);
        cache_.emplace(config.numGpuBlocks);
    }
}

void KvBlocks::open(std::size_t row, const ScheduleRequest& request) {
    if (!pool_) {
        held_.resize(std::max(held_.size(), row + 1));
        held_[row] = {};
        return;
    }
    ++changes_;
    rows_.resize(std::max(rows_.size(), row + 1));
    rows_[row].blocks.clear();
    setPublished(rows_[row], 0);
    rows_[row].keys.reset(request, blockSize_);
}

KvBlocks::Hit KvBlocks::find(std::size_t row, std::int64_t most) {
    Hit hit;
    if (!pool_) {
        return hit;
    }
    const Search search{row, most, changes_};
    if (search == search_) { // it waited, and nothing happened
        return hit_;
    }
    search_ = search;
    found_.clear();
    for (; hit.blocks < most; ++hit.blocks) {
        const BlockId before = found_.empty() ? BlockPool::head : found_.back();
        const BlockId block = cache_->find(rows_[row].keys.key(static_cast<std::size_t>(hit.blocks)), before);
        if (block == BlockPool::head) {
            break;
        }
        hit.idle += pool_->isIdle(block) ? 1 : 0;
        found_.push_back(block);
    }
    hit_ = hit;
    return hit;
}

void KvBlocks::takeHit(std::size_t row) {
    ++changes_;
    for (const BlockId block : found_) {
        pool_->hold(block);
        rows_[row].blocks.push_back(block);
    }
    if (pool_) {
        setPublished(rows_[row], found_.size());
    }
}

void KvBlocks::take(std::size_t row, std::int64_t count, std::int64_t beside) {
    beside_ += beside;
    if (!pool_) {
        free_ -= count + beside;
        held_[row].all += count + beside;
        held_[row].beside += beside;
        return;
    }
    ++changes_;
    const auto takeInto = [this](std::vector<BlockId>& blocks, std::int64_t left) {
        for (; left > 0; --left) {
            const BlockId block = pool_->take();
            forgot_ = forgot_ || cache_->contains(block);
            cache_->erase(block);
            blocks.push_back(block);
        }
    };
    takeInto(rows_[row].blocks, count);
    takeInto(rows_[row].beside, beside);
}

void KvBlocks::publishFull(std::size_t row, Tokens tokens) {
    ++changes_;
    Row& own = rows_[row];
    const auto full = static_cast<std::size_t>(tokens / blockSize_);
    for (std::size_t block = own.published; block < full; ++block) {
        cache_->insert(own.keys.key(block), own.blocks[block],
                       block == 0 ? BlockPool::head : own.blocks[block - 1]);
    }
    setPublished(own, full);
}

void KvBlocks::setPublished(Row& row, std::size_t blocks) const {
    row.published = blocks;
    row.nextFull = static_cast<Tokens>(blocks + 1) * blockSize_;
}

void KvBlocks::release(std::size_t row) {
    if (!pool_) {
        free_ += held_[row].all;
        beside_ -= held_[row].beside;
        held_[row] = {};
        return;
    }
    ++changes_;
    Row& own = rows_[row];
    beside_ -= static_cast<std::int64_t>(own.beside.size());
    BlockId position = BlockPool::head;
    for (std::vector<BlockId>* blocks : {&own.blocks, &own.beside}) {
        for (; !blocks->empty(); blocks->pop_back()) {
            const BlockId block = blocks->back();
            if (!pool_->release(block)) {
                continue;
            }
            if (frontAndBack_ && !cache_->contains(block)) {
                pool_->insertAfter(position, block);
                position = block;
            } else {
                pool_->pushBack(block);
            }
        }
    }
    setPublished(own, 0);
}

} // namespace loadline
