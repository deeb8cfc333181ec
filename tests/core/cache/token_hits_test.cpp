// Shares of tokens beside shares of blocks: long blocks that prompts' ends cut.
#include "core/cache/figure/cache_words.h"
#include "core/cache/reuse/trace_figures.h"
#include "core/trace/block_trace.h"
#include "tests/core/cache/growing_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace loadline {
namespace {

constexpr Tokens longBlock = 512;

struct MadeRequest {
    double startS = 0;
    Tokens input = 0;
    std::vector<std::int64_t> ids;
};

/// One of six first blocks, then a block of one's own that the prompt cuts; every tenth prompt comes twice.
std::vector<MadeRequest> cutPrompts() {
    std::mt19937_64 random(4);
    std::vector<MadeRequest> requests;
    for (int i = 0; i < 400; ++i) {
        const auto first = static_cast<std::int64_t>(random() % 6);
        const auto input = static_cast<Tokens>(560 + random() % 341);
        const MadeRequest one{1.0 * i, input, {first, 100 + i}};
        requests.push_back(one);
        if (i % 10 == 0) {
            requests.push_back({i + 0.5, input, one.ids});
        }
    }
    return requests;
}

BlockTrace cutTraceOf(const std::vector<MadeRequest>& requests) {
    BlockTraceBuilder builder(longBlock, false);
    builder.beginScope();
    builder.beginChain("trace", false);
    for (const MadeRequest& one : requests) {
        builder.add({.startS = one.startS, .input = one.input, .output = 60}, one.ids);
    }
    return builder.finish();
}

struct CountedShares {
    double blocks = 0, tokens = 0;
};

/// Requests go to replicas in turn; each replica keeps `capacity` blocks, least recently used, for `ttlS`.
CountedShares countOneByOne(const std::vector<MadeRequest>& requests, std::size_t replicas,
                            std::size_t capacity, double ttlS) {
    std::vector<std::vector<std::pair<std::int64_t, double>>> caches(replicas); // most recent last
    double hitBlocks = 0;
    double hitTokens = 0;
    double blocks = 0;
    double tokens = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const MadeRequest& one = requests[i];
        auto& cache = caches[i % replicas];
        const auto find = [&](std::int64_t id) {
            return std::ranges::find(cache, id, &std::pair<std::int64_t, double>::first);
        };
        Tokens run = 0;
        for (const std::int64_t id : one.ids) {
            const auto found = find(id);
            if (found == cache.end() || one.startS - found->second > ttlS) {
                break;
            }
            ++run;
        }
        for (std::size_t j = one.ids.size(); j-- > 0;) {
            if (const auto found = find(one.ids[j]); found != cache.end()) {
                cache.erase(found);
            }
            cache.emplace_back(one.ids[j], one.startS);
        }
        if (cache.size() > capacity) {
            cache.erase(cache.begin(), cache.end() - static_cast<std::ptrdiff_t>(capacity));
        }
        hitBlocks += static_cast<double>(run);
        hitTokens += static_cast<double>(std::min(run * longBlock, one.input));
        blocks += static_cast<double>(one.ids.size());
        tokens += static_cast<double>(one.input);
    }
    return {hitBlocks / blocks, hitTokens / tokens};
}

TEST(TokenHits, AreThoseOfALoopForEveryCapacityAndAge) {
    const std::vector<MadeRequest> requests = cutPrompts();
    const BlockTrace trace = cutTraceOf(requests);
    for (const std::size_t replicas : {1U, 2U}) {
        const CapacityCurve curve = roundRobinCurveOf(trace, replicas, {});
        for (const std::size_t capacity : {2U, 5U, 8U, 40U, 5000U}) {
            for (const double ttlS : {0.4, 3.0, 1e9}) {
                const CountedShares counted = countOneByOne(requests, replicas, capacity, ttlS);
                EXPECT_NEAR(curve.hitWithin(capacity, ttlS), counted.blocks, 1e-12) << capacity;
                EXPECT_NEAR(curve.hitOfTokensWithin(capacity, ttlS), counted.tokens, 1e-12)
                    << replicas << " " << capacity << " " << ttlS;
            }
            EXPECT_NEAR(curve.hitOfTokens(capacity), countOneByOne(requests, replicas, capacity, 1e9).tokens,
                        1e-12);
        }
        EXPECT_GT(curve.hitOfTokens(5000), curve.hit(5000) + 0.1) << "the trace shows the difference";
    }
}

TEST(TokenHits, PriceComputing) {
    const std::vector<MadeRequest> requests = cutPrompts();
    const CacheFigure figure = test::figureOfTrace(cutTraceOf(requests));
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("large:100000:100");
    settings.tensorParallel = 8;
    settings.ttlS = 1e6;
    const CountedShares all = countOneByOne(requests, 1, 5000, 1e9);
    EXPECT_NEAR(splitHitOf(figure, settings).rate, all.tokens, 1e-12);
    EXPECT_NEAR(splitHitOf(figure, settings).rate, figure.hitRate(), 1e-12) << "nothing is displaced";
    const TierRow row = tierRowsOf(figure, settings).back();
    EXPECT_NEAR(row.hits.hitTokensUpToHere, all.tokens, 1e-12);
    EXPECT_NEAR(row.hits.hitUpToHere, all.blocks, 1e-12);
    EXPECT_THAT(cacheSentence(figure, settings), testing::HasSubstr(" of their blocks ("));
}

} // namespace
} // namespace loadline
