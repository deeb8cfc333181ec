// Sessions whose usage records leave caches or outputs open: what is rebuilt, and what is said of it.
#include "core/cache/figure/cache_words.h"
#include "core/cache/figure/capacity_plot.h"
#include "core/cache/figure/shared_plot.h"
#include "core/cache/figure/ttl_plot.h"
#include "core/text/number_format.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace loadline {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Usage uncached(Tokens input, Tokens output = 10) {
    return {.input = input, .output = output};
}

/// Prompts in blocks of 64: 100, 150, 150 and, after the conversation was summed up, 50 and 80.
SessionBuilder growing(const std::string& name, std::int64_t from) {
    SessionBuilder session(name + ".jsonl", name);
    session.prompt(from);
    int i = 0;
    for (const Tokens blocks : {100, 150, 150, 50, 80}) {
        session.call(name + std::to_string(i), from + 10 * i + 1, uncached(64 * blocks));
        ++i;
    }
    return session;
}

CacheFigure figureOfUnrecorded(const std::vector<SessionBuilder>& sessions,
                               SubAgents agents = SubAgents::Apart) {
    SessionFiles files;
    for (const SessionBuilder& one : sessions) {
        files.files.push_back(one.done());
    }
    const auto corpus = std::make_shared<const Corpus>(buildCorpus(std::move(files)));
    WorkProgress progress;
    return cacheFigureOf(cacheRequestsOf(corpus, everythingOf(*corpus), sessionBlockTokens, {}, agents), 1,
                         {}, progress);
}

CacheSettings oneLargeTier() {
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("large:100000:100");
    settings.tensorParallel = 8;
    return settings;
}

TEST(Unrecorded, PromptsThatGrowGoOnFromTheOneBefore) {
    const CacheFigure figure = figureOfUnrecorded({growing("a", 0), growing("b", 1000)});
    const std::vector<BlockRequest>& requests = figure.requests.trace.requests;
    ASSERT_EQ(requests.size(), 10U);
    const std::uint32_t shared[] = {0, 100, 150, 0, 50};
    for (std::size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(requests[i].shared, shared[i % 5]) << i;
    }
    const double hit = 300.0 / 530;
    EXPECT_DOUBLE_EQ(figure.hitRate(), hit);
    const CacheSettings settings = oneLargeTier();
    EXPECT_DOUBLE_EQ(splitHitOf(figure, settings).rate, hit);
    EXPECT_DOUBLE_EQ(tierRowsOf(figure, settings).back().hits.hitUpToHere, hit);
    EXPECT_EQ(figure.heldTokens().max, 64 * 150);
    const auto parts = requestPartsOf(figure, 0);
    ASSERT_EQ(parts.size(), 5U);
    EXPECT_EQ(parts[1].cached, 6400);
    EXPECT_EQ(parts[1].newInput, 3200);
    EXPECT_EQ(parts[3].cached, 0);
}

TEST(Unrecorded, WhatTheProviderDidIsNotRecorded) {
    const CacheFigure figure = figureOfUnrecorded({growing("a", 0), growing("b", 1000)});
    const CacheSettings settings = oneLargeTier();
    EXPECT_FALSE(figure.requests.provider->recordsCache());
    EXPECT_FALSE(figure.ofProvider());
    EXPECT_THAT(cacheSentence(figure, settings),
                AllOf(HasSubstr("at least 56.6 % of their blocks hit"), Not(HasSubstr(" 0 %"))));
    EXPECT_THAT(splitSentence(figure, settings), AllOf(HasSubstr("A hit rate of at least 56.6 % ("),
                                                       HasSubstr("frees at least 18.1 of 64 GPUs"),
                                                       HasSubstr("or serves at least 1.395 times as much")));
    EXPECT_THAT(requestsSentence(figure, "a", requestPartsOf(figure, 0)),
                testing::StartsWith("at least 56.6 %"));
    CacheSettings typed = settings;
    typed.fleet.hitRate = 0.5;
    EXPECT_THAT(splitSentence(figure, typed),
                HasSubstr("A hit rate of 50.0 % (typed) frees 16.0 of 64 GPUs"));
    for (const Table& table : {splitTable(figure, settings), tiersTable(figure, settings)}) {
        EXPECT_EQ(table.columns.back(), "hits_at_least");
    }
    ask::Report report;
    addTtlPlot(report, figure, settings);
    addCapacityPlot(report, figure, settings);
    addSharedPlot(report, figure, settings);
    for (const char* table : {"ttl", "capacity", "users"}) {
        const ask::Column& last = report.find(table)->columns.back();
        EXPECT_EQ(last.key, "hits_at_least");
        EXPECT_EQ(last.at(0), ask::Cell(true));
    }
    EXPECT_EQ(report.find("ttl")->columns[1].at(0).basis, ask::Basis::AtLeast);
    EXPECT_EQ(splitTable(figure, typed).columns.back(), "decode_gpus");
    EXPECT_THAT(leftOutSentence(figure.requests),
                HasSubstr("These logs record no cache: a prompt that grows counts as going on from the one "
                          "before"));
    const std::vector<CacheFact> facts = cacheFactsOf(figure, settings);
    EXPECT_EQ(facts.front().value, "\u2265 56.6 %");
    EXPECT_EQ(facts.back().value, "not recorded");
}

/// A session of the same prompts beside them whose provider cached: nothing of it changes.
TEST(Unrecorded, SessionsThatRecordACacheStayAsTheyAre) {
    SessionBuilder recorded("r.jsonl", "r");
    recorded.prompt(5000)
        .call("r0", 5001, {.cacheWrite = 6400, .cacheWrite5m = 6400, .output = 10})
        .call("r1", 5011, {.input = 9600, .output = 10}); // grows, and the provider read nothing of it
    const CacheFigure alone = figureOfUnrecorded({recorded});
    EXPECT_EQ(alone.requests.trace.requests[1].shared, 0U);
    EXPECT_TRUE(alone.ofProvider());
    EXPECT_TRUE(alone.caches.leastHits) << "it may have missed what it was given";
    ASSERT_NE(alone.caches.most, nullptr);
    EXPECT_DOUBLE_EQ(alone.caches.most->unlimited.share(alone.caches.most->unlimited.prefix.blocks),
                     100.0 / 250);
    EXPECT_TRUE(notRecordedNotes(*alone.requests.provider).empty());
    const CacheFigure both = figureOfUnrecorded({recorded, growing("a", 0)});
    EXPECT_TRUE(both.ofProvider());
    EXPECT_TRUE(both.caches.leastHits);
    EXPECT_EQ(both.caches.most, nullptr) << "not known of the session without a cache";
    EXPECT_EQ(both.requests.provider->sessionsWithoutCache, 1U);
    EXPECT_EQ(both.requests.provider->mainSessions, 2U);
    EXPECT_THAT(cacheFactsOf(both, oneLargeTier()).front().meaning,
                HasSubstr("Not in it: 1 of 2 sessions whose logs record no cache"));
    EXPECT_THAT(splitSentence(both, oneLargeTier()), // recorded, so no bound
                HasSubstr("in the provider's cache hit " + formatShare(both.hitRate())));
    EXPECT_THAT(leftOutSentence(both.requests), HasSubstr("The logs of 1 of 2 sessions record no cache"));
}

/// The provider's figures are of the sessions that record a cache; all others are.
TEST(Unrecorded, TheProvidersHitRateLeavesOutSessionsWithoutACache) {
    SessionBuilder recorded("r.jsonl", "r");
    recorded.prompt(5000)
        .call("r0", 5001, {.cacheWrite = 6400, .cacheWrite5m = 6400, .output = 10})
        .call("r1", 5011, {.input = 3200, .cacheRead = 6400, .output = 10});
    SessionFiles files;
    files.files = {recorded.done(), growing("a", 0).done()};
    const auto corpus = std::make_shared<const Corpus>(buildCorpus(std::move(files)));
    constexpr double hit = 6400.0 / 16'000;
    const CacheFigure both = figureOfUnrecorded({recorded, growing("a", 0)});
    const ProviderFigures& provider = *both.requests.provider;
    EXPECT_DOUBLE_EQ(both.hitRate(), hit);
    EXPECT_DOUBLE_EQ(provider.composition.tokenWeighted.cached, 6400.0 / 16'020);
    EXPECT_DOUBLE_EQ(provider.readWriteRatio(), 6400.0 / 9600);
    EXPECT_EQ(provider.newInput.n, 2U);
    EXPECT_EQ(provider.input.n, 7U);
    EXPECT_EQ(provider.totals.calls, 7U);
    // The same on every page that shows a hit rate.
    const UsageTotals all = totalsOf(corpus->calls);
    EXPECT_DOUBLE_EQ(all.hitRate(), hit);
    EXPECT_EQ(all.untoldContext, 64 * 530);
    const Composition composition = compositionOf(*corpus, everythingOf(*corpus), CompositionGroup::Session);
    EXPECT_DOUBLE_EQ(composition.all.hitRate, hit);
    EXPECT_DOUBLE_EQ(composition.all.hitRatePerRequest, (0 + 2.0 / 3) / 2);
    EXPECT_THAT(
        composition.sentence,
        AllOf(HasSubstr("40.0 % of 16 k prompt tokens were read from cache"),
              HasSubstr("Hit rates leave out 33.9 k prompt tokens of 1 of 2 sessions whose logs record "
                        "no cache.")));
    for (const CompositionRow& row : composition.rows) {
        EXPECT_EQ(row.totals.recordsCache(), row.label == "r") << row.label;
    }
}

/// Sub-agents with prompts too short for a cache, beside a main lane whose calls record one.
TEST(Unrecorded, ShortPromptsOfSubAgentsLeaveReuseOpenIfTheyCount) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, {.cacheWrite = 6400, .cacheWrite5m = 6400, .output = 10});
    SessionBuilder agent("s/agent.jsonl", "s");
    agent.subAgent("a1").call("x1", 2, uncached(1600)).call("x2", 3, uncached(1600));
    EXPECT_FALSE(figureOfUnrecorded({main, agent}).caches.leastHits);
    const CacheFigure counted = figureOfUnrecorded({main, agent}, SubAgents::Count);
    EXPECT_DOUBLE_EQ(counted.requests.provider->untoldTokens, 3200.0 / 9600);
    EXPECT_TRUE(counted.caches.leastHits);
    EXPECT_EQ(counted.caches.agentsCounted, 1U);
    // A session of nothing but sub-agents, without any cache.
    SessionBuilder alone("t/agent.jsonl", "t");
    alone.subAgent("a2").call("y1", 2, uncached(9600)).call("y2", 3, uncached(9600));
    const CacheFigure agents = figureOfUnrecorded({alone}, SubAgents::Count);
    EXPECT_FALSE(agents.ofProvider());
    EXPECT_TRUE(agents.caches.leastHits);
    EXPECT_THAT(cacheSentence(agents, oneLargeTier()), HasSubstr("hits at least 50.0 % of its blocks"));
}

/// Outputs of 2 tokens, as clients write them whose record is the stream's first message.
TEST(Unrecorded, CostsCountWhatIsVisibleOfPlaceholders) {
    SessionBuilder session("p.jsonl", "p");
    session.prompt(0);
    for (int i = 0; i < 4; ++i) {
        session.call("p" + std::to_string(i), 10 * i + 1,
                     {.cacheWrite = 20'000, .cacheWrite5m = 20'000, .output = 2}, "opus",
                     OutputQuality::StartOnly);
        session.file().calls.back().contentCharacters = 400;
    }
    const CacheFigure figure = figureOfUnrecorded({session});
    EXPECT_EQ(figure.requests.provider->outputBounds(), 4U);
    EXPECT_DOUBLE_EQ(figure.output().mean, 2);
    EXPECT_DOUBLE_EQ(figure.servedOutput(), 100);
    EXPECT_THAT(
        leftOutSentence(figure.requests),
        HasSubstr("100 % of the outputs are lower bounds: costs count what is visible, mean 100 tokens, "
                  "not 2"));
}

} // namespace
} // namespace loadline
