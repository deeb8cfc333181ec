// The KV blocks that requests hold: counted alone, or with identity for the prefix cache.
#pragma once

#include "core/schedule/kv/block_pool.h"
#include "core/schedule/kv/prefix_cache.h"
#include "core/schedule/scenario.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace loadline {

/// Rows are small numbers that the scheduler gives to its requests and uses again.
class KvBlocks {
public:
    explicit KvBlocks(const VllmConfig& config);

    /// A row starts empty with the tokens of `request`.
    void open(std::size_t row, const ScheduleRequest& request);

    [[nodiscard]] std::int64_t free() const { return pool_ ? pool_->freeCount() : free_; }

    [[nodiscard]] bool caching() const { return pool_.has_value(); }

    /// True if a block that could be found was used again.
    [[nodiscard]] bool forgot() const { return forgot_; }

    /// Finds the longest cached prefix of at most `most` blocks; valid until the next call that changes
    /// blocks.
    struct Hit {
        std::int64_t blocks = 0;
        std::int64_t idle = 0; ///< of them held by nobody, so counted as free
    };

    Hit find(std::size_t row, std::int64_t most);
    /// The row holds the blocks that find() found last.
    void takeHit(std::size_t row);
    /// The row takes `count` blocks for tokens to come, and `beside` more, which no prefix finds.
    /// Precondition: count + beside <= free().
    void take(std::size_t row, std::int64_t count, std::int64_t beside = 0);

    /// Returns the number of held blocks that hold no tokens: BlocksBeside.
    [[nodiscard]] std::int64_t beside() const { return beside_; }

    /// Full blocks of the row's first `tokens` tokens can be found from now on.
    void publish(std::size_t row, Tokens tokens) {
        if (pool_ && tokens >= rows_[row].nextFull) {
            publishFull(row, tokens);
        }
    }
    /// Gives all blocks of the row back, the last first.
    void release(std::size_t row);

private:
    /// The blocks found last, which follow the changes since: one who waits asks again every step.
    struct Search {
        std::size_t row = 0;
        std::int64_t most = -1;
        std::uint32_t number = 0;   ///< 1 of the first, counted up with each from the beginning
        std::vector<BlockId> found; ///< of the row's prefix
        std::int64_t idle = 0;      ///< of them
        bool isValid = false;       ///< all of `found` are what would be found now
    };

    struct Row {
        std::vector<BlockId> blocks;
        std::size_t published = 0;
        Tokens nextFull = 0; ///< tokens at which one more block is full
        BlockContents contents;
        std::vector<BlockId> beside;
    };

    struct Held {
        std::int64_t all = 0;
        std::int64_t beside = 0;
    };

    BlockId takeBlock();
    void noteForgotten(BlockId block);
    void publishFull(std::size_t row, Tokens tokens);
    void setPublished(Row& row, std::size_t blocks) const;

    Tokens blockSize_;
    bool frontAndBack_; ///< blocks without tokens to find go to the front of the free queue
    std::int64_t free_ = 0;
    std::int64_t beside_ = 0;
    std::vector<Held> held_; ///< counted alone
    std::optional<BlockPool> pool_;
    std::optional<PrefixCache> cache_;
    std::vector<Row> rows_;
    Search search_;
    ZeroedArray<std::uint32_t> foundBy_; ///< by block: the number of the search that found it last
    bool forgot_ = false;
};

} // namespace loadline
