// Taking and giving back blocks in vLLM's order.
#include "core/schedule/kv/kv_blocks.h"

#include <algorithm>

namespace loadline {

KvBlocks::KvBlocks(const VllmConfig& config)
    : blockSize_(config.blockSize),
      frontAndBack_(config.version == VllmVersion::Latest && !config.freedBlocksToBack),
      free_(config.numGpuBlocks - 1),
      foundBy_(config.enablePrefixCaching ? static_cast<std::size_t>(config.numGpuBlocks) : 0) {
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
    search_.isValid = search_.isValid && search_.row != row;
    rows_.resize(std::max(rows_.size(), row + 1));
    rows_[row].blocks.clear();
    setPublished(rows_[row], 0);
    rows_[row].contents.reset(request, blockSize_);
}

KvBlocks::Hit KvBlocks::find(std::size_t row, std::int64_t most) {
    if (!pool_) {
        return {};
    }
    std::vector<BlockId>& found = search_.found;
    if (!search_.isValid || search_.row != row || search_.most != most) {
        search_.row = row;
        search_.most = most;
        ++search_.number;
        found.clear();
        search_.idle = 0;
        search_.isValid = true;
    }
    PrefixId prefix = found.empty() ? 0 : cache_->endingWith(found.back());
    while (std::ssize(found) < most) {
        prefix = cache_->find(prefix, rows_[row].contents.at(found.size()));
        if (prefix == 0) {
            break;
        }
        const BlockId block = cache_->firstOf(prefix);
        search_.idle += pool_->isIdle(block) ? 1 : 0;
        foundBy_[block] = search_.number;
        found.push_back(block);
    }
    return {.blocks = std::ssize(found), .idle = search_.idle};
}

void KvBlocks::takeHit(std::size_t row) {
    if (!pool_) {
        return;
    }
    for (const BlockId block : search_.found) {
        pool_->hold(block);
    }
    rows_[row].blocks.insert(rows_[row].blocks.end(), search_.found.begin(), search_.found.end());
    setPublished(rows_[row], search_.found.size());
    search_.isValid = false;
}

/// An idle block loses its tokens to others.
void KvBlocks::noteForgotten(BlockId block) {
    forgot_ = true;
    if (!search_.isValid || foundBy_[block] != search_.number) {
        return;
    }
    search_.isValid = search_.found.back() == block; // the last goes first, but for twins
    search_.found.pop_back();
    --search_.idle;
    foundBy_[block] = 0;
}

BlockId KvBlocks::takeBlock() {
    const BlockId block = pool_->take();
    if (cache_->contains(block)) {
        noteForgotten(block);
        cache_->erase(block);
    }
    return block;
}

void KvBlocks::take(std::size_t row, std::int64_t count, std::int64_t beside) {
    beside_ += beside;
    if (!pool_) {
        free_ -= count + beside;
        held_[row].all += count + beside;
        held_[row].beside += beside;
        return;
    }
    for (; count > 0; --count) {
        rows_[row].blocks.push_back(takeBlock());
    }
    for (; beside > 0; --beside) {
        rows_[row].beside.push_back(takeBlock());
    }
}

void KvBlocks::publishFull(std::size_t row, Tokens tokens) {
    Row& own = rows_[row];
    const auto full = static_cast<std::size_t>(tokens / blockSize_);
    PrefixId prefix = own.published == 0 ? 0 : cache_->endingWith(own.blocks[own.published - 1]);
    for (std::size_t block = own.published; block < full; ++block) {
        prefix = cache_->insert(prefix, own.contents.at(block), own.blocks[block]);
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
    search_.isValid = false;
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
