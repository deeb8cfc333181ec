// Requests with the blocks of their prompts: the input of a KV cache's figures.
#pragma once

#include "core/trace/request.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace loadline {

inline constexpr const char* moreBlocksThanFit = "hash_ids names more blocks than its input can hold";

/// True if a prompt cannot have so many blocks: up to four times what it fills are believed, and 64 for
/// traces that count otherwise.
inline bool claimsTooMany(std::size_t blocks, Tokens input, Tokens blockTokens) {
    return static_cast<double>(blocks) >
           4 * static_cast<double>(input) / static_cast<double>(blockTokens) + 64;
}

/// One request. Its blocks are the `shared` first ones of the request before it in its chain, and then
/// `added` more: prompts repeat so much that whole lists would take thirty times the room.
struct BlockRequest {
    double startS = 0;   ///< in the time of its chain, never before the request before it
    double answerS = -1; ///< how long the answer took; < 0: not known
    Tokens input = 0;    ///< the whole prompt
    Tokens output = 0;
    std::uint32_t shared = 0;
    std::uint32_t added = 0;
    std::uint64_t firstAdded = 0; ///< where its added ones stand in BlockTrace::blocks

    [[nodiscard]] std::uint32_t blocks() const { return shared + added; }

    bool operator==(const BlockRequest&) const = default;
};

/// Requests that follow each other.
struct BlockChain {
    std::string id;
    bool subAgent = false;
    std::uint32_t scope = 0; ///< blocks are the same within a scope only (a file)
    std::size_t first = 0;   ///< in BlockTrace::requests
    std::size_t count = 0;   ///< never 0
    double beginsS = 0; ///< when its time 0 was, after that of the earliest chain; 0 where it is not known
    bool operator==(const BlockChain&) const = default;
};

/// Leading blocks of a prompt that another chain had held before, as what a cache read of them proves.
struct OutsideBlocks {
    std::size_t request = 0;            ///< whose prompt, in BlockTrace::requests; it shares none itself
    std::uint32_t scope = 0, first = 0; ///< numbers of the blocks in its scope: `count` from `first` on
    std::uint32_t count = 0;
    std::uint32_t ofScope = 0,
                  ofFirst = 0; ///< the same blocks in another scope; scope and first: in none here
    double ageS = 0;           ///< since another chain held them last; at most so long where in none
    bool operator==(const OutsideBlocks&) const = default;
};

struct BlockTrace {
    Tokens blockTokens =
        0; ///< of a block, of which the last of a prompt may be cut; 0: lengths alone are known
    /// Each chain is a conversation, with a time of its own. Otherwise there is one, which holds what
    /// everybody asked, in order of arrival.
    bool conversations = false;
    std::vector<BlockChain> chains; ///< those of a scope stand together, the main one first
    std::vector<BlockRequest> requests;
    std::vector<std::uint32_t> blocks; ///< numbered from 0 within each scope, in the order they first appear
    std::vector<std::uint32_t> blocksOfScope; ///< how many different ones
    std::vector<OutsideBlocks> outside;       ///< by request; of files those with ids of global scope
    bool operator==(const BlockTrace&) const = default;

    [[nodiscard]] std::span<const BlockRequest> requestsOf(const BlockChain& chain) const {
        return std::span(requests).subspan(chain.first, chain.count);
    }

    [[nodiscard]] std::span<const std::uint32_t> addedBy(const BlockRequest& request) const {
        return std::span(blocks).subspan(request.firstAdded, request.added);
    }
};

/// Puts a trace together, request by request.
class BlockTraceBuilder {
public:
    BlockTraceBuilder(Tokens blockTokens, bool conversations);

    void beginScope();
    /// Begins a chain of the scope begun last; a chain without requests leaves nothing.
    void beginChain(std::string id, bool subAgent, double beginsS = 0);
    /// Adds a request to the chain. `ids`: of the prompt's blocks, any numbers. Shared blocks are found.
    void add(BlockRequest request, std::span<const std::int64_t> ids);

    /// Returns the trace, with its chains sorted by time if they were not (requests at the same time keep
    /// their order).
    BlockTrace finish();

private:
    std::uint32_t numberOf(std::int64_t id);
    void endChain();

    BlockTrace trace_;
    std::vector<std::int64_t> before_; ///< ids of the request before
    /// Numbers of ids below its size, plus 1; 0: no number here, but perhaps in others_.
    std::vector<std::uint32_t> small_;
    std::unordered_map<std::int64_t, std::uint32_t> others_;
    std::uint32_t numbers_ = 0;
    bool sorted_ = true; ///< the chain so far
};

/// The blocks of one chain's prompts, whole, one prompt after the other.
class PromptBlocks {
public:
    explicit PromptBlocks(const BlockTrace& trace) : trace_(&trace) {}

    /// The next request of the chain, or the first of another (which shares none).
    std::span<const std::uint32_t> next(const BlockRequest& request) {
        path_.resize(request.shared);
        const auto added = trace_->addedBy(request);
        path_.insert(path_.end(), added.begin(), added.end());
        return path_;
    }

private:
    const BlockTrace* trace_;
    std::vector<std::uint32_t> path_;
};

/// Numbers over all scopes, one scope's blocks after the other's: blocks that chains of several scopes held
/// (BlockTrace::outside) have one number.
std::vector<std::uint32_t> numbersOverScopes(const BlockTrace& trace);

/// Appends `other`: its scopes stay apart from those that are there. Precondition: the same size of blocks.
void append(BlockTrace& trace, BlockTrace&& other);

/// Returns the requests of a trace that has no conversations as one chain.
BlockTrace blockTraceOf(std::span<const TraceRequest> requests, Tokens blockTokens, std::string id);

} // namespace loadline
