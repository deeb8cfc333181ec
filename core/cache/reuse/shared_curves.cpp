// Hit rates of caches that several chains share: all of one cache, or dealt to replicas.
#include "core/base/parallel_for.h"
#include "core/cache/reuse/aged_lookup.h"
#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/reuse/distance_counts.h"
#include "core/cache/reuse/lru_stack.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

/// A request of the merged order.
struct MergedRequest {
    double startS = 0;
    std::uint32_t chain = 0;
    std::uint32_t index = 0;
};

/// Start of chains: all at time 0, or at their recorded times.
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

/// Hits of chains that share a cache, each prompt looked up first, and then its last block touched first.
struct SharedCounts {
    DistanceCounts hits; ///< as blocks are touched
    FoundCounts found;   ///< as they are looked up
    std::uint64_t references = 0;

    void add(const SharedCounts& more) {
        addCounts(hits, more.hits);
        found.add(more.found);
        references += more.references;
    }
};

SharedCounts sharedCountsOf(const BlockTrace& trace, std::span<const BlockChain* const> chains,
                            const std::stop_token& stop, Begin begin = Begin::AtOnce) {
    std::vector<std::uint32_t> base;
    std::vector<PromptBlocks> prompts(chains.size(), PromptBlocks(trace));
    std::uint32_t blocksOfAll = 0;
    std::size_t longest = 0;
    std::map<std::uint32_t, std::uint32_t> baseOfScope; // chains of one scope share their blocks
    for (const BlockChain* chain : chains) {
        const auto [place, isNew] = baseOfScope.try_emplace(chain->scope, blocksOfAll);
        base.push_back(place->second);
        blocksOfAll += isNew ? trace.blocksOfScope[chain->scope] : 0;
        longest = std::max(longest, longestOf(trace.requestsOf(*chain)));
    }
    // Blocks that chains of several scopes held are one block here.
    const std::vector<std::uint32_t> numbers =
        chains.size() > 1 && !trace.outside.empty() ? numbersOverScopes(trace) : std::vector<std::uint32_t>();
    if (!numbers.empty()) {
        blocksOfAll = static_cast<std::uint32_t>(numbers.size());
        for (std::size_t i = 0; i < chains.size(); ++i) {
            const auto before = trace.blocksOfScope.begin() + chains[i]->scope;
            base[i] = std::accumulate(trace.blocksOfScope.begin(), before, 0U);
        }
    }
    LruStack stack(blocksOfAll, longest);
    AgedLookup lookup(stack, blocksOfAll, trace.blockTokens);
    SharedCounts counts{.hits = DistanceCounts(blocksOfAll), .found = {}};
    for (const MergedRequest& next : mergedOrder(trace, chains, begin)) {
        if (stop.stop_requested()) {
            return {};
        }
        const BlockRequest& request = trace.requestsOf(*chains[next.chain])[next.index];
        const auto blocks = prompts[next.chain].next(request);
        const std::uint32_t from = base[next.chain];
        const auto at = [&](std::size_t i) {
            const std::uint32_t block = from + blocks[i];
            return numbers.empty() ? block : numbers[block];
        };
        lookup.find(blocks.size(), at, request.input, next.startS, leadingOutside(trace, request),
                    counts.found);
        stack.makeRoom(blocks.size());
        stack.touch(
            blocks.size(), [&](std::size_t i) { return at(blocks.size() - 1 - i); },
            [&](std::uint64_t distance, std::uint64_t hits) { counts.hits[distance] += hits; });
        lookup.hold(blocks.size(), at, next.startS);
        counts.references += blocks.size();
    }
    return counts;
}

/// The chains dealt to replicas in turn, in the order in which they begin, each replica with its own cache.
SharedCounts dealtCountsOf(const BlockTrace& trace, std::span<const BlockChain* const> chains,
                           std::size_t replicas, const std::stop_token& stop, Begin begin) {
    std::vector<const BlockChain*> order(chains.begin(), chains.end());
    if (begin == Begin::Recorded && replicas > 1) {
        std::ranges::stable_sort(order, {}, [](const BlockChain* chain) { return chain->beginsS; });
    }
    SharedCounts sum;
    for (std::size_t replica = 0; replica < std::min(replicas, order.size()); ++replica) {
        std::vector<const BlockChain*> own;
        for (std::size_t i = replica; i < order.size(); i += replicas) {
            own.push_back(order[i]);
        }
        sum.add(sharedCountsOf(trace, own, stop, begin));
    }
    return sum;
}

/// Fills SharedCurve::alone and contiguousAlone: the sum of what the curve's chains hit, each with a cache to
/// itself.
void addAlone(const BlockTrace& trace, std::span<const BlockChain* const> chains, unsigned threads,
              const std::stop_token& stop, std::vector<SharedCurve>& curves) {
    std::vector<SharedCounts> own(chains.size());
    parallelFor(chains.size(), threads, stop, [&](std::size_t i, unsigned) {
        own[i] = sharedCountsOf(trace, chains.subspan(i, 1), stop);
        own[i].found.aged = own[i].found.cutAged = {};
    });
    SharedCounts sum;
    std::size_t added = 0;
    for (SharedCurve& curve : curves) {
        for (; added < curve.sessions; ++added) {
            sum.add(own[added]);
        }
        curve.alone = curveOfCounts(sum.hits, sum.references);
        curve.contiguousAlone = curveOfFound(sum.found, sum.references, trace.blockTokens);
    }
}

/// Main chains of at least so many requests, in their order; none where the trace tells no conversations.
std::vector<const BlockChain*> sharersOf(const BlockTrace& trace, std::size_t leastRequests) {
    std::vector<const BlockChain*> chains;
    for (const BlockChain& chain : trace.chains) {
        if (trace.conversations && trace.blockTokens > 0 && !chain.subAgent && chain.count >= leastRequests) {
            chains.push_back(&chain);
        }
    }
    return chains;
}

/// Returns a curve for the first n chains, for each n of `counts`, which ascend.
std::vector<SharedCurve> curvesOf(const BlockTrace& trace, std::span<const BlockChain* const> chains,
                                  std::span<const std::size_t> counts, unsigned threads,
                                  const std::stop_token& stop, std::size_t replicas = 1) {
    std::vector<SharedCurve> curves;
    for (const std::size_t n : counts) {
        curves.push_back({.sessions = n, .rev = {}, .alone = {}, .contiguous = {}, .contiguousAlone = {}});
    }
    parallelFor(curves.size(), threads, stop, [&](std::size_t i, unsigned) {
        SharedCurve& curve = curves[curves.size() - 1 - i]; // the longest first
        SharedCounts shared =
            dealtCountsOf(trace, chains.first(curve.sessions), replicas, stop, Begin::AtOnce);
        curve.rev = curveOfCounts(std::move(shared.hits), shared.references);
        curve.contiguous = curveOfFound(std::move(shared.found), shared.references, trace.blockTokens);
    });
    addAlone(trace, chains, threads, stop, curves);
    return stop.stop_requested() ? std::vector<SharedCurve>{} : curves;
}

/// All main chains, dealt to replicas.
CapacityCurve curveOfMain(const BlockTrace& trace, std::size_t replicas, const std::stop_token& stop,
                          Begin begin) {
    SharedCounts counts = dealtCountsOf(trace, sharersOf(trace, 1), replicas, stop, begin);
    return stop.stop_requested()
               ? CapacityCurve{}
               : curveOfFound(std::move(counts.found), counts.references, trace.blockTokens);
}

} // namespace

std::vector<SharedCurve> sharedCurvesOf(const BlockTrace& trace, unsigned threads,
                                        const std::stop_token& stop) {
    const std::vector<const BlockChain*> chains = sharersOf(trace, leastSharedRequests);
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
                          const std::stop_token& stop, std::size_t replicas) {
    const std::vector<const BlockChain*> chains = sharersOf(trace, leastSharedRequests);
    if (chains.empty()) {
        return {};
    }
    const std::size_t count = std::clamp<std::size_t>(sessions, 1, chains.size());
    std::vector<SharedCurve> curves =
        curvesOf(trace, std::span(chains).first(count), std::vector{count}, threads, stop, replicas);
    return curves.empty() ? SharedCurve{} : std::move(curves.front());
}

CapacityCurve recordedCurveOf(const BlockTrace& trace, const std::stop_token& stop, std::size_t replicas) {
    return curveOfMain(trace, replicas, stop, Begin::Recorded);
}

CapacityCurve atOnceCurveOf(const BlockTrace& trace, const std::stop_token& stop, std::size_t replicas) {
    return curveOfMain(trace, replicas, stop, Begin::AtOnce);
}

} // namespace loadline
