// Puts block traces together: numbers of blocks, what neighbours share, the order of time.
#include "core/trace/block_trace.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

// The table of small ids grows with the number of different ids, not with the largest of them.
constexpr std::size_t leastSmallIds = 4096;
constexpr std::size_t smallIdsForEach = 16;

/// Sorts the requests of one chain by time; finds again which blocks each shares.
void sortByTime(BlockTrace& trace, const BlockChain& chain) {
    struct Whole {
        BlockRequest request;
        std::vector<std::uint32_t> blocks;
    };

    std::vector<Whole> all;
    PromptBlocks prompts(trace);
    for (const BlockRequest& request : trace.requestsOf(chain)) {
        const auto blocks = prompts.next(request);
        all.push_back({request, {blocks.begin(), blocks.end()}});
    }
    std::ranges::stable_sort(all, {}, [](const Whole& one) { return one.request.startS; });
    std::vector<std::uint32_t> before;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Whole& one = all[i];
        const auto differs = std::ranges::mismatch(before, one.blocks).in2;
        one.request.shared = static_cast<std::uint32_t>(differs - one.blocks.begin());
        one.request.added = static_cast<std::uint32_t>(one.blocks.end() - differs);
        one.request.firstAdded = trace.blocks.size();
        trace.blocks.insert(trace.blocks.end(), differs, one.blocks.end());
        trace.requests[chain.first + i] = one.request;
        before = std::move(one.blocks);
    }
}

} // namespace

BlockTraceBuilder::BlockTraceBuilder(Tokens blockTokens, bool conversations) {
    trace_.blockTokens = blockTokens;
    trace_.conversations = conversations;
}

void BlockTraceBuilder::beginScope() {
    endChain();
    trace_.blocksOfScope.push_back(0);
    small_.clear();
    others_.clear();
    numbers_ = 0;
}

void BlockTraceBuilder::beginChain(std::string id, bool subAgent, double beginsS) {
    endChain();
    before_.clear();
    sorted_ = true;
    trace_.chains.push_back({.id = std::move(id),
                             .subAgent = subAgent,
                             .scope = static_cast<std::uint32_t>(trace_.blocksOfScope.size() - 1),
                             .first = trace_.requests.size(),
                             .count = 0,
                             .beginsS = beginsS});
}

std::uint32_t BlockTraceBuilder::numberOf(std::int64_t id) {
    const auto at = static_cast<std::size_t>(id); // of a negative id beyond every table
    if (at < small_.size() && small_[at] != 0) {
        return small_[at] - 1;
    }
    if (!others_.empty()) {
        if (const auto known = others_.find(id); known != others_.end()) {
            return known->second;
        }
    }
    const std::uint32_t number = numbers_++;
    const std::size_t most = leastSmallIds + smallIdsForEach * numbers_;
    if (at >= small_.size() && at < most) {
        small_.resize(std::min(most, std::max(at + 1, 2 * small_.size())), 0);
    }
    if (at < small_.size()) {
        small_[at] = number + 1;
    } else {
        others_.emplace(id, number);
    }
    return number;
}

void BlockTraceBuilder::add(BlockRequest request, std::span<const std::int64_t> ids) {
    BlockChain& chain = trace_.chains.back();
    sorted_ = sorted_ && (chain.count == 0 || request.startS >= trace_.requests.back().startS);
    const auto differs = std::ranges::mismatch(before_, ids).in2;
    request.shared = static_cast<std::uint32_t>(differs - ids.begin());
    request.added = static_cast<std::uint32_t>(ids.end() - differs);
    request.firstAdded = trace_.blocks.size();
    for (auto id = differs; id != ids.end(); ++id) {
        trace_.blocks.push_back(numberOf(*id));
    }
    before_.resize(request.shared);
    before_.insert(before_.end(), differs, ids.end());
    trace_.requests.push_back(request);
    ++chain.count;
}

void BlockTraceBuilder::endChain() {
    if (!trace_.chains.empty()) {
        if (trace_.chains.back().count == 0) {
            trace_.chains.pop_back();
        } else if (!std::exchange(sorted_, true)) {
            sortByTime(trace_, trace_.chains.back());
        }
    }
    if (!trace_.blocksOfScope.empty()) {
        trace_.blocksOfScope.back() = numbers_;
    }
}

BlockTrace BlockTraceBuilder::finish() {
    endChain();
    return std::move(trace_);
}

std::vector<std::uint32_t> numbersOverScopes(const BlockTrace& trace) {
    std::vector<std::size_t> base;
    std::size_t all = 0;
    for (const std::uint32_t blocks : trace.blocksOfScope) {
        base.push_back(all);
        all += blocks;
    }
    std::vector<std::uint32_t> numbers(all);
    std::iota(numbers.begin(), numbers.end(), 0U);
    const auto first = [&](std::uint32_t number) { // of the blocks that are the same one
        while (numbers[number] != number) {
            numbers[number] = numbers[numbers[number]];
            number = numbers[number];
        }
        return number;
    };
    // Whole classes are joined: where times are wrong two scopes may each hold what the other held before.
    for (const OutsideBlocks& one : trace.outside) {
        for (std::uint32_t i = 0; i < one.count; ++i) {
            const auto here = static_cast<std::uint32_t>(base[one.scope] + one.first + i);
            const auto there = static_cast<std::uint32_t>(base[one.ofScope] + one.ofFirst + i);
            numbers[first(here)] = first(there);
        }
    }
    for (std::uint32_t& number : numbers) {
        number = first(number);
    }
    return numbers;
}

void append(BlockTrace& trace, BlockTrace&& other) {
    if (trace.chains.empty()) {
        trace = std::move(other);
        return;
    }
    const auto scopes = static_cast<std::uint32_t>(trace.blocksOfScope.size());
    const std::size_t requests = trace.requests.size();
    const std::uint64_t blocks = trace.blocks.size();
    for (BlockChain& chain : other.chains) {
        chain.scope += scopes;
        chain.first += requests;
    }
    for (BlockRequest& request : other.requests) {
        request.firstAdded += blocks;
    }
    for (OutsideBlocks& one : other.outside) {
        one.request += requests;
        one.scope += scopes;
        one.ofScope += scopes;
    }
    trace.outside.insert(trace.outside.end(), other.outside.begin(), other.outside.end());
    std::ranges::move(other.chains, std::back_inserter(trace.chains));
    trace.requests.insert(trace.requests.end(), other.requests.begin(), other.requests.end());
    trace.blocks.insert(trace.blocks.end(), other.blocks.begin(), other.blocks.end());
    trace.blocksOfScope.insert(trace.blocksOfScope.end(), other.blocksOfScope.begin(),
                               other.blocksOfScope.end());
}

BlockTrace blockTraceOf(std::span<const TraceRequest> requests, Tokens blockTokens, std::string id) {
    const bool hasBlocks =
        std::ranges::any_of(requests, [](const TraceRequest& r) { return !r.blocks.empty(); });
    BlockTraceBuilder builder(hasBlocks ? blockTokens : 0, false);
    builder.beginScope();
    builder.beginChain(std::move(id), false);
    std::vector<std::int64_t> ids;
    for (const TraceRequest& request : requests) {
        ids.assign(request.blocks.begin(), request.blocks.end());
        builder.add({.startS = request.arrivalS, .input = request.input, .output = request.output}, ids);
    }
    return builder.finish();
}

} // namespace loadline
