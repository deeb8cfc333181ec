// Figures of the provider's cache, and blocks rebuilt from usage.
#include "core/cache/provider/session_cache.h"
#include "core/cache/reuse/trace_figures.h"
#include "core/trace/write_trace.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using namespace test;

Usage usageOf5m(Tokens input, Tokens write, Tokens read) {
    return {.input = input, .cacheWrite = write, .cacheWrite5m = write, .cacheRead = read, .output = 10};
}

/// A call that fills the cache with 40 000 tokens, and what follows.
SessionBuilder begunAt40k() {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, usageOf5m(5, 40'000, 0));
    return main;
}

TEST(ProviderFigures, CountMainLanesAndKeepSubAgentsApart) {
    SessionBuilder agent("s/agent.jsonl", "s");
    agent.subAgent("a1").call("x1", 3, usageOf5m(100, 0, 300));
    const Corpus corpus = corpusOf({begunAt40k().call("m2", 21, usageOf5m(5, 1'000, 40'000)), agent});
    const Selection everything = everythingOf(corpus);
    const ProviderFigures figures = providerFiguresOf(corpus, everything, laneCallsOf(corpus, everything));
    EXPECT_EQ(figures.mainLanes, 1U);
    EXPECT_EQ(figures.subAgentLanes, 1U);
    EXPECT_DOUBLE_EQ(figures.subAgentHitRate, 0.75);
    EXPECT_EQ(figures.mainSessions, 1U);
    EXPECT_EQ(figures.subAgentCalls, 1U);
    EXPECT_EQ(figures.input.n, 2U);
    EXPECT_EQ(figures.input.max, 41'005);
    EXPECT_EQ(figures.gapS.sum, 20);
    EXPECT_EQ(figures.heldTokens.max, 41'000);
    EXPECT_EQ(figures.composition.totals.calls, 2U);
    EXPECT_DOUBLE_EQ(figures.readWriteRatio(), 40'000.0 / (40'005 + 1'005));
}

TEST(RebuiltTrace, SharesWhatWasReadAndWhatAPauseAloneLost) {
    const Corpus corpus = corpusOf({begunAt40k()
                                        .call("m2", 20, usageOf5m(5, 1'000, 40'000))
                                        .call("m3", 1'000, usageOf5m(5, 43'000, 0))
                                        .call("m4", 1'010, usageOf5m(5, 40'000, 6'400))});
    const auto lanes = laneCallsOf(corpus, everythingOf(corpus));
    const BlockTrace trace = rebuiltTraceOf(corpus, lanes, 64).trace;
    ASSERT_EQ(trace.requests.size(), 4U);
    EXPECT_EQ(trace.requests[0].shared, 0U);
    EXPECT_EQ(trace.requests[1].shared, 40'000U / 64);
    EXPECT_EQ(trace.requests[2].shared, 41'005U / 64); // expired, not changed
    EXPECT_EQ(trace.requests[3].shared, 100U);         // something changed: what was read
    EXPECT_EQ(trace.requests[3].startS, 1'009);
    EXPECT_EQ(trace.chains[0].id, "session_0001");
    EXPECT_TRUE(trace.conversations);
    for (const BlockRequest& request : trace.requests) {
        EXPECT_EQ(request.blocks(), (request.input + 63) / 64);
    }
}

TEST(RebuiltTrace, AnotherModelsCallInBetweenKeepsThePrefix) {
    const Corpus corpus = corpusOf({begunAt40k()
                                        .call("h1", 20, usageOf5m(500, 0, 0), "haiku")
                                        .call("m2", 30, usageOf5m(5, 1'000, 40'000))});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    ASSERT_EQ(trace.requests.size(), 3U);
    WorkProgress progress;
    const PrefixReuse reuse = traceFiguresOf(trace, 1, {}, progress).unlimited;
    EXPECT_EQ(reuse.prefix.blocks, 40'000U / 64); // no less than the provider's cache hit
}

/// All caches had expired when the second session began, so that it read nothing. The first, as it returns,
/// reads what the second wrote: both begin with the same 18 000 tokens, which were there twice.
TEST(RebuiltTrace, WhatAReturningSessionReadsTheOneBeforeItHadWrittenAgain) {
    SessionBuilder first("a.jsonl", "a");
    first.prompt(0).call("a1", 1, usageOf5m(0, 20'000, 0)).call("a2", 100, usageOf5m(0, 400, 20'000));
    first.call("a3", 1'100, usageOf5m(0, 3'000, 18'000));
    SessionBuilder second("b.jsonl", "b");
    second.prompt(999)
        .call("b1", 1'000, usageOf5m(0, 20'000, 0))
        .call("b2", 1'050, usageOf5m(0, 400, 20'000));
    const Corpus corpus = corpusOf({first, second});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    constexpr std::uint32_t common = 18'000 / 64;
    ASSERT_EQ(trace.outside.size(), 1U);
    EXPECT_EQ(
        trace.outside[0],
        (OutsideBlocks{
            .request = 3, .scope = 1, .first = 0, .count = common, .ofScope = 0, .ofFirst = 0, .ageS = 900}));
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    // The five prompts find what each shares with the one before it, and the second session's opening.
    const std::uint64_t found = 20'000 / 64 + 20'400 / 64 + common + 20'000 / 64;
    EXPECT_EQ(figures.unlimited.prefix.blocks, found);
    EXPECT_EQ(figures.unlimited.uniqueBlocks, figures.unlimited.references - found) << "shared ones once";
    EXPECT_EQ(figures.unlimited.firstBlocks, 1U);
    EXPECT_EQ(figures.dealtTo(1).hits.back(), found);
    const auto within = [&](double seconds) {
        return std::llround(figures.ttlHit(seconds) * static_cast<double>(figures.unlimited.references));
    };
    EXPECT_EQ(within(60), 20'000 / 64 + common); // the second's own, and what it kept for the first
    EXPECT_EQ(within(300), 2 * (20'000 / 64) + common);
    EXPECT_EQ(within(900), 2 * (20'000 / 64) + 2 * common);
}

/// Sessions of 20 000 tokens and four calls each, a minute and a half apart. All but the first read 18 000
/// tokens at their first call, as system prompts are.
TEST(RebuiltTrace, WhatSessionsReadAtOnceTheyShare) {
    std::vector<SessionBuilder> sessions;
    for (int s = 0; s < 3; ++s) {
        const std::string name = std::to_string(s);
        const Tokens read = s == 0 ? 0 : 18'000;
        SessionBuilder& one = sessions.emplace_back(name + ".jsonl", name);
        one.prompt(90 * s).call("m" + name, 90 * s + 1, usageOf5m(0, 20'000 - read, read));
        for (int i = 1; i < 4; ++i) {
            one.call("m" + name + std::to_string(i), 90 * s + 10 * i, usageOf5m(0, 400, 19'600 + 400 * i));
        }
    }
    const Corpus corpus = corpusOf({sessions[0], sessions[1], sessions[2]});
    const Selection everything = everythingOf(corpus);
    const auto lanes = laneCallsOf(corpus, everything);
    const BlockTrace trace = rebuiltTraceOf(corpus, lanes, 64).trace;
    constexpr std::uint32_t common = 18'000 / 64;
    ASSERT_EQ(trace.outside.size(), 2U);
    EXPECT_EQ(
        trace.outside[1],
        (OutsideBlocks{
            .request = 8, .scope = 2, .first = 0, .count = common, .ofScope = 1, .ofFirst = 0, .ageS = 61}));
    const std::vector<std::uint32_t> numbers = numbersOverScopes(trace);
    const std::uint32_t second = trace.blocksOfScope[0];
    EXPECT_EQ(numbers[second], 0U);
    EXPECT_EQ(numbers[second + common], second + common) << "its own";
    EXPECT_EQ(numbers[second + trace.blocksOfScope[1] + common - 1], common - 1) << "the first's";
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    const PrefixReuse& unlimited = figures.unlimited;
    const std::uint64_t alone = unlimited.prefix.blocks - 2 * common;
    EXPECT_EQ(figures.engine.rev.hits.back(), alone) << "a session with a cache to itself finds less";
    EXPECT_EQ(figures.dealtTo(1).hits.back(), unlimited.prefix.blocks);
    EXPECT_EQ(unlimited.setHits, unlimited.prefix.blocks);
    EXPECT_DOUBLE_EQ(unlimited.ttlHit(300), unlimited.share(unlimited.prefix.blocks));
    EXPECT_EQ(std::llround(unlimited.ttlHit(60) * static_cast<double>(unlimited.references)),
              static_cast<std::int64_t>(alone))
        << "61 s after the session before";
    const ProviderFigures provider = providerFiguresOf(corpus, everything, lanes);
    EXPECT_NEAR(unlimited.share(unlimited.prefix.blocks), provider.composition.hitRate, 0.005);
    const std::string lines = mooncakeLines(trace);
    EXPECT_EQ(std::ranges::count(lines, '\n'), 12);
    EXPECT_EQ(lines.rfind("\"hash_ids\": [0, 1, "), lines.rfind("\"hash_ids\": [")) << "the last prompt too";
}

/// Read before any call in scope: an unlimited cache has it, for as long at most as the provider's keeps it.
TEST(RebuiltTrace, WhatNoSessionHereHeldIsOfTheProvidersCache) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, usageOf5m(0, 10'000, 6'400));
    const Corpus corpus = corpusOf({main});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    ASSERT_EQ(trace.outside.size(), 1U);
    EXPECT_EQ(trace.outside[0].count, 100U);
    EXPECT_EQ(trace.outside[0].ofFirst, trace.outside[0].first);
    EXPECT_EQ(trace.outside[0].ageS, 300);
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    EXPECT_EQ(figures.unlimited.prefix.blocks, 100U);
    EXPECT_EQ(figures.unlimited.uniqueBlocks, figures.unlimited.references) << "held by nobody else here";
    EXPECT_DOUBLE_EQ(figures.unlimited.ttlHit(60), 0);
}

/// A fork goes on from the path of the call that it copied.
TEST(RebuiltTrace, AForkHoldsTheBlocksOfItsOrigin) {
    SessionBuilder copy("t.jsonl", "t");
    copy.prompt(0).call("m1", 1, usageOf5m(5, 40'000, 0)).call("m2", 30, usageOf5m(5, 1'000, 40'000));
    const Corpus corpus = corpusOf({begunAt40k().call("m1b", 5, usageOf5m(5, 10, 40'000)), copy});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    ASSERT_EQ(trace.requests.size(), 3U);
    ASSERT_EQ(trace.outside.size(), 1U);
    EXPECT_EQ(trace.outside[0], (OutsideBlocks{.request = 2,
                                               .scope = 1,
                                               .first = 0,
                                               .count = 40'000 / 64,
                                               .ofScope = 0,
                                               .ofFirst = 0,
                                               .ageS = 29}));
}

/// Sub-agents begin alike: what one reads at first another had held, not the main lane that asked just
/// before.
TEST(RebuiltTrace, ASubAgentReadsWhatSubAgentsHeld) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, usageOf5m(5, 40'000, 0)).call("m2", 85, usageOf5m(5, 1'000, 40'000));
    SessionBuilder one("s/one.jsonl", "s");
    one.subAgent("a1").call("x1", 10, usageOf5m(0, 12'000, 0));
    SessionBuilder other("s/other.jsonl", "s");
    other.subAgent("a2").call("y1", 90, usageOf5m(0, 1'000, 11'000));
    const Corpus corpus = corpusOf({main, one, other});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    ASSERT_EQ(trace.outside.size(), 1U);
    EXPECT_EQ(trace.outside[0].count, 11'000U / 64);
    EXPECT_EQ(trace.outside[0].ageS, 80) << "since the first sub-agent's call";
}

/// The second session of a project reads more than the tools that another project's session shares with it.
TEST(RebuiltTrace, ASessionReadsWhatItsProjectHeldWhileThatLives) {
    SessionBuilder first("a.jsonl", "a");
    first.project("p", "/p").prompt(0).call("a1", 1, usageOf5m(0, 40'000, 0));
    SessionBuilder other("b.jsonl", "b");
    other.project("q", "/q")
        .prompt(60)
        .call("b1", 61, usageOf5m(0, 31'000, 9'000))
        .call("b2", 600, usageOf5m(0, 40'000, 0));
    SessionBuilder second("c.jsonl", "c");
    second.project("p", "/p").prompt(90).call("c1", 91, usageOf5m(0, 10'000, 30'000));
    SessionBuilder late("d.jsonl", "d");
    late.project("p", "/p").prompt(610).call("d1", 611, usageOf5m(0, 10'000, 30'000));
    const Corpus corpus = corpusOf({first, other, second, late});
    ASSERT_EQ(corpus.sessions[3].project, "/q") << "sessions by project";
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    std::map<std::uint32_t, std::pair<std::uint32_t, double>> holders;
    for (const OutsideBlocks& one : trace.outside) {
        holders[one.scope] = {one.ofScope, one.ageS};
    }
    EXPECT_THAT(holders, testing::ElementsAre(testing::Pair(1U, testing::Pair(0U, 90)),
                                              testing::Pair(2U, testing::Pair(3U, 11)),
                                              testing::Pair(3U, testing::Pair(0U, 60))));
}

/// A copy that is dated before its original: the first prompt of each reads what the other held, and a third
/// session reads the same.
TEST(RebuiltTrace, AForkThatIsDatedBeforeItsOriginHoldsTheSameBlocks) {
    SessionBuilder third("a.jsonl", "a");
    third.prompt(0).call("x1", 200, usageOf5m(5, 10, 40'000));
    SessionBuilder origin("s.jsonl", "s");
    origin.prompt(0).call("m1", 100, usageOf5m(5, 10, 40'000));
    SessionBuilder copy("t.jsonl", "t");
    copy.prompt(0).call("m1", 1, usageOf5m(5, 10, 40'000)).call("m2", 30, usageOf5m(5, 1'000, 40'000));
    const Corpus corpus = corpusOf({third, origin, copy});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    ASSERT_EQ(trace.outside.size(), 3U);
    EXPECT_EQ(trace.outside[0].ofScope, 1U);
    EXPECT_EQ(trace.outside[1].ofScope, 2U);
    EXPECT_EQ(trace.outside[2].ofScope, 1U);
    const std::vector<std::uint32_t> numbers = numbersOverScopes(trace);
    const std::uint32_t ofOrigin = trace.blocksOfScope[0];
    const std::uint32_t ofCopy = ofOrigin + trace.blocksOfScope[1];
    EXPECT_EQ(numbers[0], numbers[ofOrigin]);
    EXPECT_EQ(numbers[ofCopy], numbers[ofOrigin]);
    EXPECT_NE(numbers[1], numbers[0]);
}

TEST(RebuiltTrace, PromptsOfAbsurdLengthAreLeftOutAndCounted) {
    const Corpus corpus = corpusOf({begunAt40k().call("m2", 20, usageOf5m(1'000'000'000, 0, 0))});
    const RebuiltTrace rebuilt = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64);
    EXPECT_EQ(rebuilt.trace.requests.size(), 1U);
    EXPECT_EQ(rebuilt.callsLeftOut, 1U);
}

TEST(RebuiltTrace, MemoryFollowsTheCallsAndNotTheTokensTheyState) {
    const auto rebuiltOf = [](int calls, Tokens input, Tokens blockTokens) {
        SessionBuilder builder = begunAt40k();
        for (int i = 1; i <= calls; ++i) {
            builder.call("n" + std::to_string(i), 20 * i, usageOf5m(input, 0, 0));
        }
        const Corpus corpus = corpusOf({builder});
        return rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), blockTokens);
    };
    const RebuiltTrace absurd = rebuiltOf(60, 60'000'000, 64); // 56 million blocks
    EXPECT_LE(absurd.trace.blocks.size(), (1U << 20U) + 61 * 1024);
    EXPECT_EQ(absurd.callsLeftOut + absurd.trace.requests.size(), 61U);
    EXPECT_GE(absurd.trace.requests.size(), 2U);           // one of them, and the first, are believed
    EXPECT_EQ(rebuiltOf(60, 65'000, 64).callsLeftOut, 0U); // nothing is ever read
    EXPECT_EQ(rebuiltOf(60, 65'000, 1).callsLeftOut, 0U);
}

/// Lost to a pause: what both prompts can have in common is asked for again.
TEST(RebuiltTrace, AForkAfterAPauseHoldsTheBlocksOfItsOriginToo) {
    SessionBuilder copy("t.jsonl", "t");
    copy.prompt(0).call("m1", 1, usageOf5m(5, 40'000, 0)).call("m2", 2'400, usageOf5m(5, 42'000, 0));
    const Corpus corpus = corpusOf({begunAt40k().call("m1b", 5, usageOf5m(5, 10, 40'000)), copy});
    const BlockTrace trace = rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), 64).trace;
    ASSERT_EQ(trace.outside.size(), 1U);
    EXPECT_EQ(trace.outside[0].count, 40'005U / 64);
    EXPECT_EQ(trace.outside[0].ageS, 2'399);
}

} // namespace
} // namespace loadline
