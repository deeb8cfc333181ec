// Stack distances against a plain LRU cache, and the figures of small traces by hand.
#include "core/cache/reuse/lru_stack.h"
#include "core/cache/reuse/trace_figures.h"
#include "core/cache/split/prefill_decode_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>
#include <numeric>
#include <random>
#include <span>

namespace loadline {
namespace {

using Prompts = std::vector<std::vector<std::int64_t>>;

/// Its end cuts the last block; where there is little in it, the one before too.
Tokens inputOf(const std::vector<std::int64_t>& prompt) {
    return std::max<Tokens>(0, static_cast<Tokens>(10 * prompt.size()) - (prompt.size() % 3 == 0 ? 14 : 0));
}

/// One prompt a second, each block of 10 tokens.
BlockTrace traceOf(const Prompts& prompts, bool conversation = false, bool cut = false) {
    BlockTraceBuilder builder(10, conversation);
    builder.beginScope();
    builder.beginChain("made", false);
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        builder.add({.startS = static_cast<double>(i),
                     .input = cut ? inputOf(prompts[i]) : static_cast<Tokens>(10 * prompts[i].size()),
                     .output = 1},
                    prompts[i]);
    }
    return builder.finish();
}

/// A cache as one would write it: most recent first.
class PlainLru {
public:
    explicit PlainLru(std::size_t capacity) : capacity_(capacity) {}

    [[nodiscard]] bool holds(std::int64_t block) const {
        return std::ranges::find(blocks_, block) != blocks_.end();
    }

    bool touch(std::int64_t block) {
        const bool hit = holds(block);
        blocks_.remove(block);
        blocks_.push_front(block);
        if (blocks_.size() > capacity_) {
            blocks_.pop_back();
        }
        return hit;
    }

private:
    std::size_t capacity_;
    std::list<std::int64_t> blocks_;
};

struct PlainHits {
    std::uint64_t fwd = 0, rev = 0, contiguous = 0, tokens = 0;
};

PlainHits plainHits(const Prompts& prompts, std::size_t capacity) {
    PlainHits hits;
    PlainLru fwd(capacity);
    PlainLru rev(capacity);
    for (const auto& prompt : prompts) {
        for (const std::int64_t block : prompt) {
            hits.fwd += fwd.touch(block);
        }
        const auto miss = std::ranges::find_if(prompt, [&](std::int64_t block) { return !rev.holds(block); });
        hits.contiguous += static_cast<std::uint64_t>(miss - prompt.begin());
        hits.tokens +=
            static_cast<std::uint64_t>(std::min<Tokens>(10 * (miss - prompt.begin()), inputOf(prompt)));
        for (auto block = prompt.rbegin(); block != prompt.rend(); ++block) {
            hits.rev += rev.touch(*block);
        }
    }
    return hits;
}

/// Prompts of every shape: grown, cut, branched, blocks out of any order, the same block twice.
Prompts madeUpPrompts(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::size_t>(random() % n); };
    Prompts prompts;
    for (int i = 0; i < 120; ++i) {
        std::vector<std::int64_t> prompt;
        if (!prompts.empty() && below(5) > 0) {
            prompt = prompts[prompts.size() - 1 -
                             below(static_cast<std::uint32_t>(std::min<std::size_t>(prompts.size(), 6)))];
            prompt.resize(prompt.size() - below(static_cast<std::uint32_t>(prompt.size()) + 1) / 2);
        }
        for (std::size_t more = below(9); more > 0; --more) {
            prompt.push_back(static_cast<std::int64_t>(below(200)));
        }
        prompts.push_back(prompt);
    }
    return prompts;
}

TEST(CapacityCurvesTest, EqualAPlainCacheAtEveryCapacity) {
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const Prompts prompts = madeUpPrompts(seed);
        const BlockTrace trace = traceOf(prompts, false, true);
        const CapacityCurves curves = capacityCurvesOf(trace, trace.chains, 1, {});
        for (const std::size_t capacity : {1U, 2U, 3U, 7U, 20U, 50U, 100U, 199U, 300U}) {
            const PlainHits plain = plainHits(prompts, capacity);
            const auto all = static_cast<double>(curves.fwd.references);
            EXPECT_EQ(std::llround(curves.fwd.hit(capacity) * all), plain.fwd) << seed << " at " << capacity;
            EXPECT_EQ(std::llround(curves.rev.hit(capacity) * all), plain.rev) << seed << " at " << capacity;
            EXPECT_EQ(std::llround(curves.contiguousBlocks.hit(capacity) * all), plain.contiguous)
                << seed << " at " << capacity;
            const auto tokens = static_cast<double>(curves.contiguousTokens.references);
            EXPECT_EQ(std::llround(curves.contiguousTokens.hit(capacity) * tokens), plain.tokens)
                << seed << " at " << capacity;
        }
        EXPECT_EQ(curves.fwd.hit(0), 0);
    }
}

TEST(LruStackTest, StaysExactWhenItsPlacesAreUsedUp) {
    LruStack stack(3, 2);
    for (int i = 0; i < 1000; ++i) { // far more touches than places
        stack.makeRoom(2);
        std::vector<std::uint64_t> distances;
        stack.touch(
            2,
            [&](std::size_t at) {
                return static_cast<std::uint32_t>((static_cast<std::size_t>(i) + at) % 3);
            },
            [&](std::uint64_t distance, std::uint64_t count) {
                distances.insert(distances.end(), count, distance);
            });
        if (i > 2) { // b c, c a, a b: what was touched last, then what two others came after
            EXPECT_THAT(distances, testing::ElementsAre(0U, 2U));
        }
    }
}

TEST(PrefixReuseTest, CountsASmallConversationByHand) {
    // The second goes back to the beginning, the third takes up what the first had.
    const BlockTrace trace = traceOf({{1, 2, 3}, {1, 4}, {1, 2, 3, 5}, {1, 2, 3, 5}}, true);
    const PrefixReuse reuse = prefixReuseOf(trace, trace.chains, 1, {});
    EXPECT_EQ(reuse.requests, 4U);
    EXPECT_EQ(reuse.references, 13U);
    EXPECT_EQ(reuse.uniqueBlocks, 5U);
    EXPECT_EQ(reuse.firstBlocks, 1U);
    EXPECT_EQ(reuse.consecutive.blocks, 1U + 1U + 4U);
    EXPECT_EQ(reuse.prefix.blocks, 1U + 3U + 4U);
    EXPECT_EQ(reuse.setHits, 8U);
    EXPECT_EQ(reuse.requestsFullyCovered, 1U);
    EXPECT_EQ(reuse.blocksReused, 4U);
    EXPECT_EQ(reuse.reuseTime.n, 8U);
    EXPECT_EQ(reuse.reuseTime.max, 2); // 2 and 3, from the first to the third
    EXPECT_DOUBLE_EQ(reuse.reuseTime.mean, (1 + 1 + 2 + 2 + 1 + 1 + 1 + 1) / 8.0);
    EXPECT_EQ(reuse.firstReuse.n, 4U);
    EXPECT_DOUBLE_EQ(reuse.firstReuse.sum, 1 + 2 + 2 + 1);
    EXPECT_DOUBLE_EQ(reuse.ttlHit(0.5), 0);
    EXPECT_DOUBLE_EQ(reuse.ttlHit(1), 6.0 / 13);
    EXPECT_DOUBLE_EQ(reuse.ttlHit(2), 8.0 / 13);
    EXPECT_DOUBLE_EQ(reuse.tokenWeighted.cached, 60.0 / 134);
    EXPECT_DOUBLE_EQ(reuse.readWriteRatio(), 60.0 / 70);
    EXPECT_EQ(reuse.gapS.n, 3U);
    EXPECT_EQ(reuse.heldTokens.max, 41);
    EXPECT_EQ(reuse.newInput.max, 30);
}

/// Hashes of content alone: a block may follow different ones, and stand in a prompt twice.
TEST(PrefixReuseTest, CountsBlocksThatAreNoPrefixChain) {
    const BlockTrace trace = traceOf({{1, 2}, {3, 2, 2}, {3, 1, 4, 1}});
    const PrefixReuse reuse = prefixReuseOf(trace, trace.chains, 1, {});
    EXPECT_EQ(reuse.prefix.blocks, 2U); // of the third alone
    EXPECT_EQ(reuse.setHits, 2U + 3U);
    EXPECT_EQ(reuse.consecutive.blocks, reuse.prefix.blocks); // no conversation
}

TEST(PrefixReuseTest, ABlockIsForgottenWithWhatStandsBeforeIt) {
    // 9 is held again and again, 1 only at first: behind a forgotten block nothing hits.
    const BlockTrace trace = traceOf({{1, 9}, {9}, {9}, {9}, {1, 9}}, true);
    const PrefixReuse reuse = prefixReuseOf(trace, trace.chains, 1, {});
    EXPECT_DOUBLE_EQ(reuse.ttlHit(1), 3.0 / 7);
    EXPECT_DOUBLE_EQ(reuse.ttlHit(4), 5.0 / 7);
}

TEST(PrefixReuseTest, ManySubAgentsOfALargeSessionTakeNoTime) {
    constexpr std::int64_t large = 200'000;
    constexpr std::int64_t agents = 20'000;
    BlockTraceBuilder builder(10, true);
    builder.beginScope();
    builder.beginChain("main", false);
    std::vector<std::int64_t> ids(large);
    std::iota(ids.begin(), ids.end(), 0);
    builder.add({.input = 10 * large, .output = 1}, ids);
    for (std::int64_t i = 0; i < agents; ++i) {
        builder.beginChain("agent", true);
        const std::vector<std::int64_t> two = {i, i + 1};
        builder.add({.startS = 0, .input = 20, .output = 1}, two);
        builder.add({.startS = 1, .input = 20, .output = 1}, two);
    }
    const BlockTrace trace = builder.finish();
    const auto begin = std::chrono::steady_clock::now();
    const PrefixReuse reuse = prefixReuseOf(trace, std::span(trace.chains).subspan(1), 1, {});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)); // 88 GB to be cleared
    EXPECT_EQ(reuse.requests, 2U * agents);
    EXPECT_EQ(reuse.uniqueBlocks, 2U * agents) << "what another agent held is not known to this one";
    EXPECT_EQ(reuse.firstBlocks, 1U * agents);
    EXPECT_EQ(reuse.blocksReused, 2U * agents);
    EXPECT_EQ(reuse.prefix.blocks, 2U * agents);
}

TEST(TraceFiguresTest, KeepsSubAgentsApartAndDoesNotDependOnThreads) {
    BlockTraceBuilder builder(10, true);
    for (int session = 0; session < 3; ++session) {
        builder.beginScope();
        for (const bool agent : {false, true}) {
            builder.beginChain("made", agent);
            std::vector<std::int64_t> ids;
            for (int i = 0; i < 12; ++i) {
                ids.push_back(i);
                builder.add({.startS = i * 10.0 + session, .answerS = 2, .input = 10 * (i + 1), .output = 1},
                            ids);
            }
        }
    }
    const BlockTrace trace = builder.finish();
    WorkProgress progress;
    const TraceFigures one = traceFiguresOf(trace, 1, {}, progress);
    const TraceFigures four = traceFiguresOf(trace, 4, {}, progress);
    EXPECT_EQ(progress.done.load(), progress.planned.load());
    EXPECT_EQ(one.mainChains, 3U);
    EXPECT_EQ(one.subAgents, 3U);
    EXPECT_EQ(one.unlimited.requests, 36U);
    EXPECT_EQ(one.unlimitedOfSubAgents.requests, 36U);
    EXPECT_EQ(one.engine, four.engine);
    EXPECT_EQ(one.shared, four.shared);
    EXPECT_EQ(one.workingSet, four.workingSet);
    EXPECT_EQ(one.unlimited.idleS.p50, 8);
    EXPECT_EQ(one.durationS, 110);
    EXPECT_EQ(one.workingSet.seen.back(), 36U);
    // A cache for 12 blocks serves one session, not three that take turns.
    ASSERT_EQ(one.shared.size(), 3U);
    EXPECT_DOUBLE_EQ(one.shared[0].rev.hit(12), 66.0 / 78);
    EXPECT_LT(one.shared[2].rev.hit(12), 0.2);
    EXPECT_DOUBLE_EQ(one.shared[2].rev.hit(36), 66.0 / 78);
}

TEST(PrefillDecodeSplitTest, ReproducesTheStudyAndItsLimit) {
    const SplitFleet fleet{.gpus = 64, .prefillShare = 0.5};
    const PrefillDecodeSplit limit = splitWith(fleet, 0);
    EXPECT_DOUBLE_EQ(limit.gpusFreed, 32);
    EXPECT_DOUBLE_EQ(limit.speedUp, 2);
    EXPECT_DOUBLE_EQ(limit.bound, 2);
    const PrefillDecodeSplit real = splitWith(fleet, 1 - 0.94);
    EXPECT_NEAR(real.gpusFreed, 30.08, 1e-9);
    EXPECT_NEAR(real.speedUp, 1.887, 5e-4);
    EXPECT_NEAR(real.prefillGpus, 3.62, 5e-3);
    EXPECT_NEAR(real.decodeGpus, 60.38, 5e-3);
    EXPECT_NEAR(splitWith(fleet, 1 - 0.9213).speedUp, 1.854, 5e-4);
    EXPECT_TRUE(std::isinf(splitWith({.gpus = 8, .prefillShare = 1}, 0).speedUp));
}

const CacheModel& modelOf(std::string_view key) {
    return *std::ranges::find(cacheModels(), key, &CacheModel::key);
}

TEST(PrefillDecodeSplitTest, NewTokensStillAttendToCachedOnes) {
    const double n = 119'380;
    const double c = 114'874;
    EXPECT_NEAR(prefillWorkLeft(modelOf("llama-3.3-70b"), n, c), 0.057, 5e-4);
    EXPECT_NEAR(prefillWorkLeft(modelOf("qwen3-coder-480b-a35b"), n, c), 0.064, 5e-4);
    EXPECT_NEAR(prefillWorkLeft(modelOf("deepseek-v3"), n, c), 0.067, 5e-4);
    EXPECT_NEAR(prefillWorkLeft(modelOf("minimax-m2"), n, c), 0.067, 6e-4);
    EXPECT_NEAR(prefillWorkLeft(modelOf("qwen3-next-80b-a3b"), n, c), 0.062, 5e-4);
    EXPECT_NEAR(prefillFlops(1e9, {}, 100, 25), 2e9 * 75, 1);
    // Three of four layers see 10 tokens: pairs by hand.
    const AttentionFacts windowed{.layers = 4, .fullLayers = 1, .window = 10, .qHeads = 2, .headDim = 8};
    double pairs = 0;
    for (int i = 26; i <= 100; ++i) {
        pairs += i + 3 * std::min(i, 10);
    }
    EXPECT_NEAR(prefillFlops(0, windowed, 100, 25), 4 * 2 * 8 * pairs, 1e-6);
}

TEST(CacheModelTest, EachGpuKeepsAHeadAtLeast) {
    const CacheModel& qwen = modelOf("qwen3-235b-a22b"); // 4 KV heads
    EXPECT_EQ(kvBytesPerToken(qwen), 192'512);
    EXPECT_EQ(kvBytesPerToken(qwen, 4), 192'512);
    EXPECT_EQ(kvBytesPerToken(qwen, 8), 2 * 192'512); // Mooncake moves 12.62 GB for 32,768 tokens
    EXPECT_EQ(kvBytesPerToken(modelOf("deepseek-v3")), 70'272);
    EXPECT_EQ(kvBytesPerToken(modelOf("deepseek-v3"), 8), 8 * 70'272);
}

/// 60 s that floating point makes longer are within 60 s.
TEST(PrefixReuse, TimesToLiveCountWholeMilliseconds) {
    BlockTraceBuilder builder(100, true);
    builder.beginScope();
    builder.beginChain("a", false);
    const double firstS = 1'234.567;
    ASSERT_GT((firstS + 60.7) - firstS, 60.7); // in doubles
    builder.add({.startS = firstS, .input = 100, .output = 5}, std::vector<std::int64_t>{1});
    builder.add({.startS = firstS + 60.7, .input = 100, .output = 5}, std::vector<std::int64_t>{1});
    const BlockTrace trace = builder.finish();
    EXPECT_DOUBLE_EQ(prefixReuseOf(trace, trace.chains, 1, {}).ttlHit(60.7), 0.5);
    EXPECT_DOUBLE_EQ(prefixReuseOf(trace, trace.chains, 1, {}).ttlHit(60.699), 0);
}

} // namespace
} // namespace loadline
