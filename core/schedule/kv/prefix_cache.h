// Which full KV block holds which tokens after which prefix.
#pragma once

#include "core/base/hash128.h"
#include "core/base/tokens.h"
#include "core/schedule/kv/block_pool.h"
#include "core/schedule/kv/zeroed_array.h"
#include "core/schedule/scenario.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// Fingerprints of a request's full blocks, each chained to the one before: equal exactly when all tokens up
/// to the block's end are equal. Made as they are asked for.
class BlockKeys {
public:
    /// Prompt and all output tokens to come. Keeps its memory for the next request.
    void reset(const ScheduleRequest& request, Tokens blockSize);
    /// Key of the full block `index`. Precondition: the request's tokens, outputs included, fill it.
    const Hash128& key(std::size_t index);

private:
    void append(TokenRun run);

    std::vector<TokenRun> runs_; ///< maximal: none continues the one before, so equal tokens are equal runs
    std::vector<Hash128> keys_;
    std::size_t run_ = 0; ///< where the next key starts
    Tokens offset_ = 0;
    Tokens blockSize_ = 1;
};

/// Key -> blocks in the order of their registration. Open addressing, sized once for all blocks.
class PrefixCache {
public:
    /// `blocks` counts the null block.
    explicit PrefixCache(std::int64_t blocks);

    /// The block that was registered first of those that still live; the null block if there is none.
    /// `before`: the block found for the key before it in its chain, or the null block: what was registered
    /// behind that one is looked at first.
    [[nodiscard]] BlockId find(const Hash128& key, BlockId before) const;
    /// The same of `before`. Precondition: !contains(block).
    void insert(const Hash128& key, BlockId block, BlockId before);
    /// Forgets the block, if it is in.
    void erase(BlockId block);

    [[nodiscard]] bool contains(BlockId block) const { return twinBefore_[block] != none; }

private:
    static constexpr BlockId none = 0; ///< the null block, which holds nothing

    /// The key's lower half as far as it decides the place: most other keys are told apart without theirs.
    struct Entry {
        std::uint32_t low = 0;
        BlockId block = none; ///< the first of its key; none: empty
    };

    [[nodiscard]] std::size_t home(std::uint32_t low) const { return low & mask_; }

    static std::uint32_t lowOf(const Hash128& key) { return static_cast<std::uint32_t>(key.low); }

    [[nodiscard]] std::size_t placeOf(const Hash128& key) const;
    [[nodiscard]] std::size_t placeOfFirst(BlockId block) const;
    void closeGap(std::size_t place);

    std::size_t mask_ = 0;
    ZeroedArray<Entry> table_;
    ZeroedArray<Hash128> keys_;       ///< by block
    ZeroedArray<BlockId> twinBefore_; ///< none: not in; itself: the first of its key
    ZeroedArray<BlockId> twinAfter_;  ///< none: the last
    ZeroedArray<BlockId> lastTwin_;   ///< of the first
    ZeroedArray<BlockId> behind_;     ///< by block: registered last behind it in a chain; may be gone
};

} // namespace loadline
