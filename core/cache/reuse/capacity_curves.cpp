// One pass over the LRU stack a way of counting.
#include "core/cache/reuse/capacity_curves.h"

#include "core/base/parallel_for.h"
#include "core/cache/reuse/distance_counts.h"
#include "core/cache/reuse/lru_stack.h"

#include <algorithm>
#include <numeric>

namespace loadline {
namespace {

/// The counts of one chain.
struct ChainCounts {
    DistanceCounts fwd, rev;
    /// Counts by the deepest block of the run up to there; as differences, so that a run is written by its
    /// ends.
    DistanceCounts contiguousBlocks, contiguousTokens;
    std::uint64_t references = 0;
    std::uint64_t tokens = 0;
};

/// Counts the leading run of a request that caches hold, by their capacity, before the request is touched.
class Lookup {
public:
    Lookup(const LruStack& stack, Tokens blockTokens, ChainCounts& counts)
        : stack_(stack), blockTokens_(blockTokens), counts_(counts) {}

    void operator()(std::span<const std::uint32_t> blocks, Tokens input) {
        std::uint64_t deepest = 0;
        std::uint64_t distance = 0;
        std::uint64_t run = 0; // blocks whose depths follow each other, up to `deepest`
        for (std::size_t i = 0; i < blocks.size() && stack_.seen(blocks[i]); ++i) {
            // Touched back to front, a block lies right below the one after it.
            distance =
                i > 0 && stack_.follows(blocks[i], blocks[i - 1]) ? distance + 1 : stack_.distance(blocks[i]);
            if (i > 0 && distance != deepest + 1) {
                addRun(deepest + 1 - run, run);
                run = 0;
            }
            if (i > 0 && distance <= deepest) {
                addRun(deepest, 1);
            } else {
                deepest = distance;
                ++run;
            }
            if (const Tokens beyond = static_cast<Tokens>(i + 1) * blockTokens_ - input; beyond > 0) {
                takeBack(deepest, static_cast<std::uint64_t>(std::min(beyond, blockTokens_)));
            }
        }
        addRun(deepest + 1 - run, run);
    }

private:
    void addRun(std::uint64_t from, std::uint64_t count) {
        if (count > 0) {
            addCounts(counts_.contiguousBlocks, from + count, ~std::uint64_t{0}); // less one: it wraps around
            counts_.contiguousBlocks[from] += 1;
            addCounts(counts_.contiguousTokens, from + count, 0 - static_cast<std::uint64_t>(blockTokens_));
            counts_.contiguousTokens[from] += static_cast<std::uint64_t>(blockTokens_);
        }
    }

    /// Subtracts the tokens that the prompt's end cuts off a block.
    void takeBack(std::uint64_t at, std::uint64_t tokens) {
        addCounts(counts_.contiguousTokens, at + 1, tokens);
        counts_.contiguousTokens[at] -= tokens;
    }

    const LruStack& stack_;
    Tokens blockTokens_;
    ChainCounts& counts_;
};

void countFwd(const BlockTrace& trace, const BlockChain& chain, std::size_t longest,
              const std::stop_token& stop, ChainCounts& counts) {
    LruStack stack(trace.blocksOfScope[chain.scope], longest);
    PromptBlocks prompts(trace);
    for (const BlockRequest& request : trace.requestsOf(chain)) {
        if (stop.stop_requested()) {
            return;
        }
        const auto blocks = prompts.next(request);
        stack.makeRoom(blocks.size());
        stack.touch(
            blocks.size(), [&](std::size_t i) { return blocks[i]; },
            [&](std::uint64_t distance, std::uint64_t hits) { addCounts(counts.fwd, distance, hits); });
    }
}

void countRev(const BlockTrace& trace, const BlockChain& chain, std::size_t longest,
              const std::stop_token& stop, ChainCounts& counts) {
    LruStack stack(trace.blocksOfScope[chain.scope], longest);
    PromptBlocks prompts(trace);
    Lookup lookup(stack, trace.blockTokens, counts);
    for (const BlockRequest& request : trace.requestsOf(chain)) {
        if (stop.stop_requested()) {
            return;
        }
        const auto blocks = prompts.next(request);
        lookup(blocks, request.input);
        stack.makeRoom(blocks.size());
        stack.touch(
            blocks.size(), [&](std::size_t i) { return blocks[blocks.size() - 1 - i]; },
            [&](std::uint64_t distance, std::uint64_t hits) { addCounts(counts.rev, distance, hits); });
        counts.references += blocks.size();
        counts.tokens += static_cast<std::uint64_t>(request.input);
    }
}

ChainCounts countsOf(const BlockTrace& trace, const BlockChain& chain, const std::stop_token& stop) {
    ChainCounts counts;
    const std::size_t longest = longestOf(trace.requestsOf(chain));
    countFwd(trace, chain, longest, stop, counts);
    countRev(trace, chain, longest, stop, counts);
    return counts;
}

} // namespace

double CapacityCurve::hit(std::uint64_t capacityBlocks) const {
    if (references == 0 || hits.empty() || capacityBlocks == 0) {
        return 0;
    }
    const std::size_t at = std::min<std::uint64_t>(capacityBlocks, hits.size()) - 1;
    return static_cast<double>(hits[at]) / static_cast<double>(references);
}

CapacityCurves capacityCurvesOf(const BlockTrace& trace, std::span<const BlockChain> chains, unsigned threads,
                                const std::stop_token& stop) {
    if (trace.blockTokens == 0) {
        return {};
    }
    std::vector<ChainCounts> counts(chains.size());
    parallelFor(chains.size(), threads, stop,
                [&](std::size_t i, unsigned) { counts[i] = countsOf(trace, chains[i], stop); });
    if (stop.stop_requested()) {
        return {};
    }
    ChainCounts all;
    for (const ChainCounts& one : counts) {
        addCounts(all.fwd, one.fwd);
        addCounts(all.rev, one.rev);
        addCounts(all.contiguousBlocks, one.contiguousBlocks);
        addCounts(all.contiguousTokens, one.contiguousTokens);
        all.references += one.references;
        all.tokens += one.tokens;
    }
    for (DistanceCounts* differences : {&all.contiguousBlocks, &all.contiguousTokens}) {
        std::partial_sum(differences->begin(), differences->end(), differences->begin());
    }
    return {.fwd = curveOfCounts(std::move(all.fwd), all.references),
            .rev = curveOfCounts(std::move(all.rev), all.references),
            .contiguousBlocks = curveOfCounts(std::move(all.contiguousBlocks), all.references),
            .contiguousTokens = curveOfCounts(std::move(all.contiguousTokens), all.tokens)};
}

} // namespace loadline
