// Which full KV block holds which tokens after which prefix.
#pragma once

#include "core/base/tokens.h"
#include "core/schedule/kv/block_pool.h"
#include "core/schedule/kv/zeroed_array.h"
#include "core/schedule/scenario.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// The tokens of a full block, without those before it: the first id where the ids are consecutive, else a
/// fingerprint (which agrees with another's at a probability of 2^-63).
using BlockContent = std::uint64_t;

/// The token ids of a request, cut into full blocks; made as they are asked for.
class BlockContents {
public:
    /// Prompt and all output tokens to come. Keeps its memory for the next request.
    void reset(const ScheduleRequest& request, Tokens blockSize);

    /// Tokens of the full block `index`. Precondition: the request's tokens, outputs included, fill it.
    BlockContent at(std::size_t index) {
        while (contents_.size() <= index) {
            appendContent();
        }
        return contents_[index];
    }

private:
    void append(TokenRun run);
    void appendContent();

    std::vector<TokenRun> runs_; ///< maximal: none continues the one before, so equal tokens are equal runs
    std::vector<BlockContent> contents_;
    std::size_t run_ = 0; ///< where the next content starts
    Tokens offset_ = 0;
    Tokens blockSize_ = 1;
};

/// A prefix of full blocks; 0: the empty one.
using PrefixId = std::int32_t;

/// A tree of prefixes, each with its blocks in the order of their registration. A prefix has one continuation
/// in most cases, which it knows itself; the others are in one table. Sized once for all blocks.
///
/// Precondition of every call: a prefix loses its last block after all its continuations have. A free queue
/// that takes back the last block of a sequence first keeps this.
class PrefixCache {
public:
    /// `blocks` counts the null block.
    explicit PrefixCache(std::int64_t blocks);

    /// `prefix` continued by a block of such tokens; 0 if no block holds that.
    [[nodiscard]] PrefixId find(PrefixId prefix, BlockContent content) const {
        const PrefixId likely = nodes_[prefix].next;
        if (likely != empty && nodes_[likely].content == content) {
            return likely;
        }
        return nodes_[prefix].others == 0 ? empty : table_[placeOf(prefix, content)];
    }

    /// The block that was registered first of those that still live. Precondition: prefix != 0.
    [[nodiscard]] BlockId firstOf(PrefixId prefix) const { return nodes_[prefix].first; }

    /// The prefix that ends with the block; 0 if it is not registered.
    [[nodiscard]] PrefixId endingWith(BlockId block) const { return members_[block].prefix; }

    [[nodiscard]] bool contains(BlockId block) const { return members_[block].prefix != empty; }

    /// `block` holds such tokens after `prefix`. Returns the prefix with it. Precondition: !contains(block).
    PrefixId insert(PrefixId prefix, BlockContent content, BlockId block) {
        const PrefixId found = find(prefix, content);
        if (found != empty) {
            addTwin(found, block);
            return found;
        }
        const PrefixId id = spareCount_ > 0 ? spare_[--spareCount_] : fresh_++;
        Node& node = nodes_[id];
        node.content = content;
        node.before = prefix;
        node.first = block;
        node.last = block;
        Member& member = members_[block];
        member.prefix = id;
        member.twinBefore = none;
        member.twinAfter = none;
        Node& before = nodes_[prefix];
        node.isInTable = before.next != empty;
        if (node.isInTable) {
            table_[placeOf(prefix, content)] = id;
            ++before.others;
        } else {
            before.next = id;
        }
        return id;
    }

    /// Forgets the block, if it is in.
    void erase(BlockId block) {
        const PrefixId prefix = members_[block].prefix;
        if (prefix == empty) {
            return;
        }
        const Node& node = nodes_[prefix];
        if (node.first != node.last) {
            eraseTwin(block);
            return;
        }
        members_[block].prefix = empty;
        Node& before = nodes_[node.before]; // nothing continues this one
        if (node.isInTable) {
            closeGap(placeOf(node.before, node.content));
            --before.others;
        } else {
            before.next = empty;
        }
        spare_[spareCount_++] = prefix;
    }

private:
    static constexpr PrefixId empty = 0;
    static constexpr BlockId none = 0; ///< the null block, which holds nothing

    struct Node {
        BlockContent content = 0;
        PrefixId before = empty;
        PrefixId next = empty; ///< one of its continuations
        BlockId first = none;
        BlockId last = none;
        std::int32_t others = 0; ///< continuations in the table
        bool isInTable = false;
    };

    struct Member {
        PrefixId prefix = empty;
        BlockId twinBefore = none;
        BlockId twinAfter = none;
    };

    [[nodiscard]] std::size_t homeOf(PrefixId prefix, BlockContent content) const;
    [[nodiscard]] std::size_t placeOf(PrefixId prefix, BlockContent content) const;
    void addTwin(PrefixId prefix, BlockId block);
    void eraseTwin(BlockId block);
    void closeGap(std::size_t place);

    ZeroedArray<Node> nodes_;
    ZeroedArray<Member> members_; ///< by block
    std::size_t mask_ = 0;
    ZeroedArray<PrefixId> table_; ///< open addressing; empty: free
    ZeroedArray<PrefixId> spare_; ///< used before
    std::size_t spareCount_ = 0;
    PrefixId fresh_ = 1; ///< the first that was never used
};

} // namespace loadline
