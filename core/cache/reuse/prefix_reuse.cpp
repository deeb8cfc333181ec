// Sums the walks over chains.
#include "core/cache/reuse/prefix_reuse.h"

#include "core/base/parallel_for.h"
#include "core/cache/reuse/chain_reuse.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace loadline {
namespace {

void addTo(PrefixReuse& sum, const PrefixReuse& one) {
    sum.requests += one.requests;
    sum.references += one.references;
    sum.uniqueBlocks += one.uniqueBlocks;
    sum.firstBlocks += one.firstBlocks;
    sum.inputTokens += one.inputTokens;
    sum.outputTokens += one.outputTokens;
    sum.inOutMeanOfRatios += one.inOutMeanOfRatios;
    sum.prefix.blocks += one.prefix.blocks;
    sum.prefix.tokens += one.prefix.tokens;
    sum.consecutive.blocks += one.consecutive.blocks;
    sum.consecutive.tokens += one.consecutive.tokens;
    sum.setHits += one.setHits;
    sum.fullReferences += one.fullReferences;
    sum.fullHits += one.fullHits;
    sum.requestsFullyCovered += one.requestsFullyCovered;
    sum.meanPrefixBlocks += one.meanPrefixBlocks;
    sum.meanPrefixTokens += one.meanPrefixTokens;
    sum.meanPerRequest.cached += one.meanPerRequest.cached;
    sum.meanPerRequest.newInput += one.meanPerRequest.newInput;
    sum.meanPerRequest.output += one.meanPerRequest.output;
    sum.blocksReused += one.blocksReused;
}

void addTo(ChainReuse& sum, const ChainReuse& one) {
    addTo(sum.counts, one.counts);
    sum.input.add(one.input);
    sum.output.add(one.output);
    sum.newInput.add(one.newInput);
    sum.prefixAges.add(one.prefixAges);
    sum.reuseTimes.add(one.reuseTimes);
    sum.firstReuses.add(one.firstReuses);
    sum.gaps.add(one.gaps);
    sum.idle.add(one.idle);
    sum.held.add(one.held);
    sum.reusesOfBlocks.insert(sum.reusesOfBlocks.end(), one.reusesOfBlocks.begin(), one.reusesOfBlocks.end());
}

/// Returns the share of all reuses that the most reused tenth of the blocks has.
double topTenthOf(std::vector<std::uint32_t> reuses) {
    const auto tenth = reuses.begin() + static_cast<std::ptrdiff_t>(reuses.size() / 10);
    std::ranges::nth_element(reuses, tenth, std::greater<>{});
    const auto top = std::accumulate(reuses.begin(), tenth, 0.0);
    const auto all = std::accumulate(tenth, reuses.end(), top);
    return all > 0 ? top / all : 0;
}

TokenShares sharesOf(const PrefixReuse& reuse) {
    const auto all = static_cast<double>(reuse.inputTokens + reuse.outputTokens);
    if (all == 0) {
        return {};
    }
    return {.cached = static_cast<double>(reuse.consecutive.tokens) / all,
            .newInput = static_cast<double>(reuse.inputTokens - reuse.consecutive.tokens) / all,
            .output = static_cast<double>(reuse.outputTokens) / all};
}

PrefixReuse finished(ChainReuse all) {
    PrefixReuse reuse = std::move(all.counts);
    const double n = static_cast<double>(std::max<std::uint64_t>(reuse.requests, 1));
    reuse.meanPrefixBlocks /= n;
    reuse.meanPrefixTokens /= n;
    reuse.inOutMeanOfRatios /= n;
    reuse.meanPerRequest.cached /= n;
    reuse.meanPerRequest.newInput /= n;
    reuse.meanPerRequest.output /= n;
    reuse.tokenWeighted = sharesOf(reuse);
    reuse.input = summaryOf(all.input.sorted());
    reuse.output = summaryOf(all.output.sorted());
    reuse.newInput = summaryOf(all.newInput.sorted());
    reuse.prefixAgesS = all.prefixAges.sorted();
    reuse.reuseTimeS = all.reuseTimes.sorted();
    reuse.reuseTime = summaryOf(reuse.reuseTimeS);
    reuse.firstReuse = summaryOf(all.firstReuses.sorted());
    reuse.gapsS = all.gaps.sorted();
    reuse.gapS = summaryOf(reuse.gapsS);
    reuse.idleS = summaryOf(all.idle.sorted());
    reuse.heldTokens = summaryOf(all.held.sorted());
    reuse.reusesInTopTenth = topTenthOf(std::move(all.reusesOfBlocks));
    return reuse;
}

} // namespace

double PrefixReuse::share(std::uint64_t hits) const {
    return references == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(references);
}

std::uint64_t hitsWithin(std::span<const WeightedSample::Part> ages, double seconds) {
    std::uint64_t hits = 0;
    for (const WeightedSample::Part& part : ages) {
        hits += part.value <= seconds ? part.count : 0;
    }
    return hits;
}

double PrefixReuse::ttlHit(double seconds) const {
    return share(hitsWithin(prefixAgesS, seconds));
}

double PrefixReuse::readWriteRatio() const {
    const std::uint64_t fresh = inputTokens - consecutive.tokens;
    if (fresh == 0) {
        return consecutive.tokens == 0 ? 0 : std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(consecutive.tokens) / static_cast<double>(fresh);
}

PrefixReuse prefixReuseOf(const BlockTrace& trace, std::span<const BlockChain> chains, unsigned threads,
                          const std::stop_token& stop) {
    std::vector<ChainReuse> ofChains(chains.size());
    std::vector<ChainScratch> ofWorkers(threads == 0 ? defaultThreads() : threads);
    parallelFor(chains.size(), threads, stop, [&](std::size_t i, unsigned worker) {
        ofChains[i] = ChainWalk(trace, chains[i], ofWorkers[worker]).run(stop);
    });
    if (stop.stop_requested()) {
        return {};
    }
    ChainReuse all;
    for (const ChainReuse& one : ofChains) {
        addTo(all, one);
    }
    return finished(std::move(all));
}

} // namespace loadline
