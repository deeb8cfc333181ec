// One pass over the LRU stack a way of counting.
#include "core/cache/reuse/capacity_curves.h"

#include "core/base/parallel_for.h"
#include "core/cache/reuse/lru_stack.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

/// How many by distance.
using Counts = std::vector<std::uint64_t>;

void addTo(Counts& counts, std::size_t at, std::uint64_t more) {
    if (at >= counts.size()) {
        counts.resize(std::max(at + 1, counts.size() + counts.size() / 2));
    }
    counts[at] += more;
}

void addTo(Counts& counts, const Counts& more) {
    counts.resize(std::max(counts.size(), more.size()));
    std::ranges::transform(more, counts, counts.begin(), std::plus<>{});
}

CapacityCurve curveOf(Counts byDistance, std::uint64_t references) {
    while (!byDistance.empty() && byDistance.back() == 0) {
        byDistance.pop_back();
    }
    std::partial_sum(byDistance.begin(), byDistance.end(), byDistance.begin());
    return {references, std::move(byDistance)};
}

std::size_t longestOf(std::span<const BlockRequest> requests) {
    std::size_t longest = 0;
    for (const BlockRequest& request : requests) {
        longest = std::max<std::size_t>(longest, request.blocks());
    }
    return longest;
}

/// What one chain counts.
struct ChainCounts {
    Counts fwd, rev;
    /// By the deepest block of the run up to there; as differences, so that a run is written by its ends.
    Counts contiguousBlocks, contiguousTokens;
    std::uint64_t references = 0;
    std::uint64_t tokens = 0;
};

/// The leading run of a request that is in caches by their capacity, looked up before it is touched.
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
            addTo(counts_.contiguousBlocks, from + count, ~std::uint64_t{0}); // less one: it wraps around
            counts_.contiguousBlocks[from] += 1;
            addTo(counts_.contiguousTokens, from + count, 0 - static_cast<std::uint64_t>(blockTokens_));
            counts_.contiguousTokens[from] += static_cast<std::uint64_t>(blockTokens_);
        }
    }

    /// What the prompt's end cuts off a block.
    void takeBack(std::uint64_t at, std::uint64_t tokens) {
        addTo(counts_.contiguousTokens, at + 1, tokens);
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
            [&](std::uint64_t distance, std::uint64_t hits) { addTo(counts.fwd, distance, hits); });
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
            [&](std::uint64_t distance, std::uint64_t hits) { addTo(counts.rev, distance, hits); });
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

/// A request of the merged order.
struct MergedRequest {
    double startS = 0;
    std::uint32_t chain = 0;
    std::uint32_t index = 0;
};

/// When chains begin: all at time 0, or as they were recorded.
enum class Begin : std::uint8_t { AtOnce, Recorded };

std::vector<MergedRequest> mergedOrder(const BlockTrace& trace, std::span<const BlockChain* const> chains,
                                       Begin begin) {
    std::vector<MergedRequest> order;
    for (std::uint32_t c = 0; c < chains.size(); ++c) {
        const auto requests = trace.requestsOf(*chains[c]);
        const double beginsS = begin == Begin::Recorded ? chains[c]->beginsS : 0;
        for (std::uint32_t i = 0; i < requests.size(); ++i) {
            order.push_back({beginsS + requests[i].startS, c, i});
        }
    }
    std::ranges::stable_sort(order, {}, &MergedRequest::startS);
    return order;
}

/// What chains that share a cache count, back to front.
struct SharedCounts {
    Counts hits;
    std::uint64_t references = 0;
};

SharedCounts sharedCountsOf(const BlockTrace& trace, std::span<const BlockChain* const> chains,
                            const std::stop_token& stop, Begin begin = Begin::AtOnce) {
    std::vector<std::uint32_t> base;
    std::vector<PromptBlocks> prompts(chains.size(), PromptBlocks(trace));
    std::uint32_t blocksOfAll = 0;
    std::size_t longest = 0;
    for (const BlockChain* chain : chains) {
        base.push_back(blocksOfAll);
        blocksOfAll += trace.blocksOfScope[chain->scope];
        longest = std::max(longest, longestOf(trace.requestsOf(*chain)));
    }
    LruStack stack(blocksOfAll, longest);
    SharedCounts counts{.hits = Counts(blocksOfAll)};
    for (const MergedRequest& next : mergedOrder(trace, chains, begin)) {
        if (stop.stop_requested()) {
            return {};
        }
        const auto blocks = prompts[next.chain].next(trace.requestsOf(*chains[next.chain])[next.index]);
        const std::uint32_t from = base[next.chain];
        stack.makeRoom(blocks.size());
        stack.touch(
            blocks.size(), [&](std::size_t i) { return from + blocks[blocks.size() - 1 - i]; },
            [&](std::uint64_t distance, std::uint64_t hits) { counts.hits[distance] += hits; });
        counts.references += blocks.size();
    }
    return counts;
}

/// Of the first one, of the first two ..: what each counts with a cache to itself, added up.
void addAlone(const BlockTrace& trace, std::span<const BlockChain* const> chains, unsigned threads,
              const std::stop_token& stop, std::vector<SharedCurve>& curves) {
    std::vector<SharedCounts> own(chains.size());
    parallelFor(chains.size(), threads, stop,
                [&](std::size_t i, unsigned) { own[i] = sharedCountsOf(trace, chains.subspan(i, 1), stop); });
    SharedCounts sum;
    std::size_t added = 0;
    for (SharedCurve& curve : curves) {
        for (; added < curve.sessions; ++added) {
            addTo(sum.hits, own[added].hits);
            sum.references += own[added].references;
        }
        curve.alone = curveOf(sum.hits, sum.references);
    }
}

/// The sessions that say something of a shared cache, in their order.
std::vector<const BlockChain*> sharersOf(const BlockTrace& trace) {
    std::vector<const BlockChain*> chains;
    for (const BlockChain& chain : trace.chains) {
        if (trace.conversations && trace.blockTokens > 0 && !chain.subAgent &&
            chain.count >= leastSharedRequests) {
            chains.push_back(&chain);
        }
    }
    return chains;
}

/// Of the first so many chains, for each count; ascending.
std::vector<SharedCurve> curvesOf(const BlockTrace& trace, std::span<const BlockChain* const> chains,
                                  std::span<const std::size_t> counts, unsigned threads,
                                  const std::stop_token& stop) {
    std::vector<SharedCurve> curves;
    for (const std::size_t n : counts) {
        curves.push_back({.sessions = n, .rev = {}, .alone = {}});
    }
    parallelFor(curves.size(), threads, stop, [&](std::size_t i, unsigned) {
        SharedCurve& curve = curves[curves.size() - 1 - i]; // the longest first
        SharedCounts shared = sharedCountsOf(trace, chains.first(curve.sessions), stop);
        curve.rev = curveOf(std::move(shared.hits), shared.references);
    });
    addAlone(trace, chains, threads, stop, curves);
    return stop.stop_requested() ? std::vector<SharedCurve>{} : curves;
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
        addTo(all.fwd, one.fwd);
        addTo(all.rev, one.rev);
        addTo(all.contiguousBlocks, one.contiguousBlocks);
        addTo(all.contiguousTokens, one.contiguousTokens);
        all.references += one.references;
        all.tokens += one.tokens;
    }
    for (Counts* differences : {&all.contiguousBlocks, &all.contiguousTokens}) {
        std::partial_sum(differences->begin(), differences->end(), differences->begin());
    }
    return {.fwd = curveOf(std::move(all.fwd), all.references),
            .rev = curveOf(std::move(all.rev), all.references),
            .contiguousBlocks = curveOf(std::move(all.contiguousBlocks), all.references),
            .contiguousTokens = curveOf(std::move(all.contiguousTokens), all.tokens)};
}

std::vector<SharedCurve> sharedCurvesOf(const BlockTrace& trace, unsigned threads,
                                        const std::stop_token& stop) {
    const std::vector<const BlockChain*> chains = sharersOf(trace);
    if (chains.empty()) {
        return {};
    }
    std::vector<std::size_t> counts;
    for (std::size_t n = 1; n < chains.size(); n *= 2) {
        counts.push_back(n);
    }
    counts.push_back(chains.size());
    return curvesOf(trace, chains, counts, threads, stop);
}

SharedCurve sharedCurveOf(const BlockTrace& trace, std::size_t sessions, unsigned threads,
                          const std::stop_token& stop) {
    const std::vector<const BlockChain*> chains = sharersOf(trace);
    if (chains.empty()) {
        return {};
    }
    const std::size_t count = std::clamp<std::size_t>(sessions, 1, chains.size());
    std::vector<SharedCurve> curves =
        curvesOf(trace, std::span(chains).first(count), std::vector{count}, threads, stop);
    return curves.empty() ? SharedCurve{} : std::move(curves.front());
}

CapacityCurve recordedCurveOf(const BlockTrace& trace, const std::stop_token& stop) {
    if (!trace.conversations || trace.blockTokens == 0) {
        return {};
    }
    std::vector<const BlockChain*> chains;
    for (const BlockChain& chain : trace.chains) {
        if (!chain.subAgent) {
            chains.push_back(&chain);
        }
    }
    SharedCounts counts = sharedCountsOf(trace, chains, stop, Begin::Recorded);
    return stop.stop_requested() ? CapacityCurve{} : curveOf(std::move(counts.hits), counts.references);
}

} // namespace loadline
