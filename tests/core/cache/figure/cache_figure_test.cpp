// The figures behind the charts of caches, by hand: points of curves, requests one by one, words.
#include "core/cache/figure/cache_words.h"
#include "core/cache/figure/requests_plot.h"
#include "core/text/number_format.h"
#include "tests/core/cache/growing_prompts.h"
#include "tests/core/everything_selected.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Two conversations of twelve requests, a minute apart: each asks for one block of 100 tokens more.
BlockTrace conversations() {
    BlockTraceBuilder builder(100, true);
    for (int chain = 0; chain < 2; ++chain) {
        builder.beginScope();
        builder.beginChain("chain_" + std::to_string(chain), false);
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 12; ++i) {
            ids.push_back(i);
            builder.add({.startS = 60.0 * i, .input = 100 * (i + 1) - 30, .output = 5 * (chain + 1)}, ids);
        }
    }
    return builder.finish();
}

CacheFigure figureOf(BlockTrace trace) {
    CacheRequests requests;
    requests.trace = std::move(trace);
    requests.files = BlockTraceFiles{};
    requests.files->formats = {"made-up trace"};
    WorkProgress progress;
    return cacheFigureOf(std::move(requests), 1, {}, progress);
}

CacheFigure figureOfSessions(std::initializer_list<SessionBuilder> sessions) {
    const auto corpus = std::make_shared<const Corpus>(corpusOf(sessions));
    WorkProgress progress;
    return cacheFigureOf(cacheRequestsOf(corpus, everythingOf(*corpus), sessionBlockTokens, {}), 1, {},
                         progress);
}

CacheSettings settingsOf(const char* tiers = "small:0.001:1000,large:10:100") {
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText(tiers);
    settings.tensorParallel = 8; // one replica
    return settings;
}

TEST(CacheFigure, AgesAreHitsByTimeToLive) {
    const CacheFigure figure = figureOf(conversations());
    for (const double ttl : {1.0, 59.0, 60.0, 300.0}) {
        EXPECT_DOUBLE_EQ(figure.ages.at(ttl), figure.caches.unlimited.ttlHit(ttl)) << ttl;
    }
    EXPECT_DOUBLE_EQ(figure.ages.at(59), 0);
    EXPECT_DOUBLE_EQ(figure.ages.most(), 2 * 66.0 / (2 * 78));
    EXPECT_DOUBLE_EQ(figure.gaps.at(59.9), 0);
    EXPECT_DOUBLE_EQ(figure.gaps.at(60), 1);
}

TEST(CacheFigure, CapacitiesReachFromOneBlockToWhereNothingMoreHits) {
    const CacheFigure figure = figureOf(conversations());
    const CapacityCurve& curve = figure.caches.engine.contiguousTokens;
    const auto capacities = capacitiesOf(curve, 50);
    EXPECT_EQ(capacities.front(), 1U);
    EXPECT_EQ(capacities.back(), curve.hits.size());
    EXPECT_TRUE(std::ranges::is_sorted(capacities, std::ranges::less_equal{}));
    const std::uint64_t enough = blocksForNearlyAll(curve);
    EXPECT_GE(curve.hit(enough), nearlyAll * curve.hit(curve.hits.size()));
    EXPECT_LT(curve.hit(enough - 1), nearlyAll * curve.hit(curve.hits.size()));
}

TEST(CacheFigure, SharersKeepWhatEachHitsAlone) {
    const CacheFigure figure = figureOf(conversations());
    const std::vector<SharedCurve>& shared = figure.caches.shared;
    ASSERT_EQ(shared.size(), 2U);
    EXPECT_EQ(shared.front().contiguous.hits, shared.front().contiguousAlone.hits);
    EXPECT_DOUBLE_EQ(shared.back().contiguousAlone.hit(12), 132.0 / 156);
    EXPECT_LT(shared.back().contiguous.hit(12), 132.0 / 156);
    EXPECT_EQ(shared.back().contiguous.hit(24), shared.back().contiguousAlone.hit(24));
    EXPECT_EQ(sessionsThatKeep(shared, 24), 2U);
    EXPECT_EQ(sessionsThatKeep(shared, 12), 1U);
}

TEST(CacheFigure, WhatSharersLoseIsSaidWithBothHitRates) {
    const CacheFigure figure = figureOf(conversations());
    const SharedCurve& both = figure.caches.shared.back();
    const CacheSettings three = settingsOf("tiny:0.01:1000,small:0.4:100,large:10:10");
    const std::string text = sharedSentence(figure, three);
    const std::uint64_t small = 12;
    ASSERT_EQ(static_cast<std::uint64_t>(tokensUpTo(three, 1) / 100), small);
    EXPECT_THAT(text,
                testing::StartsWith(fmt::format(
                    "2 sessions that share small hit {} of their blocks, each alone with it {}: {} "
                    "times the misses. To lose less than 1 % of hit rate: in small no two do; with "
                    "large all 2 do ({}).",
                    formatShare(both.contiguous.hit(small)), formatShare(both.contiguousAlone.hit(small)),
                    formatReal((1 - both.contiguous.hit(small)) / (1 - both.contiguousAlone.hit(small)), 2),
                    formatShare(both.contiguousAlone.hit(1000)))));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("tiny")), Not(HasSubstr("sub-agents"))));
    EXPECT_THAT(sharedSentence(figure, settingsOf("large:10:10")),
                AllOf(HasSubstr("each alone with it 84.6 %: all keep their hits."),
                      HasSubstr(" Sessions with 10 requests or more")));
    EXPECT_THAT(sharedSentence(figure, settingsOf("tiny:0.01:1000")), HasSubstr("No tier has room"));
}

TEST(CacheFigure, WhoSharesACacheIsSaid) {
    BlockTraceBuilder builder(100, true);
    for (const int requests : {12, 3, 10}) {
        builder.beginScope();
        builder.beginChain("of_" + std::to_string(requests), false);
        test::addGrowingPrompts(builder, requests, 60);
        builder.beginScope();
        builder.beginChain("agent_" + std::to_string(requests), true);
        builder.add({.startS = 1, .input = 100, .output = 5}, std::vector<std::int64_t>{0});
    }
    EXPECT_THAT(sharedSentence(figureOf(builder.finish()), settingsOf("large:10:10")),
                HasSubstr(" 2 of 3 sessions, those with 10 requests or more of the main agent, without "
                          "sub-agents."));
}

TEST(CacheFigure, RequestsOfAChainSumToTheirPrompts) {
    const BlockTrace trace = conversations();
    const auto requests = requestPartsOf(trace, 1);
    ASSERT_EQ(requests.size(), 12U);
    EXPECT_EQ(requests[0].cached, 0);
    EXPECT_EQ(requests[0].newInput, 70);
    EXPECT_EQ(requests[5].cached, 500);
    EXPECT_EQ(requests[5].newInput, 70);
    EXPECT_EQ(requests[5].output, 10);
    EXPECT_EQ(requests[5].startS, 300);
    EXPECT_EQ(chainShown(trace, "chain_1"), 1U);
    EXPECT_EQ(chainShown(trace, "none of them"), 0U);
    EXPECT_EQ(chainShown(BlockTrace{}, ""), std::nullopt);
}

TEST(CacheFigure, ChosenTurnsChooseSessionsThatStayWhole) {
    SessionBuilder one("one.jsonl", "one");
    SessionBuilder other("other.jsonl", "other");
    for (SessionBuilder* session : {&one, &other}) {
        const bool first = session == &one;
        session->prompt(0)
            .call(first ? "a1" : "b1", 1, {.input = 5, .cacheWrite = 40'000, .output = 10})
            .call(first ? "a2" : "b2", 9, {.input = 5, .cacheRead = 40'000, .output = first ? 77 : 10})
            .call(first ? "a3" : "b3", 20, {.input = 5, .cacheRead = 40'000, .output = 10});
    }
    const auto corpus = std::make_shared<const Corpus>(corpusOf({one, other}));
    Scope scope;
    scope.turnOutput = {77, 77};
    const Selection brushed = select(*corpus, scope, TurnMethod::ApiCall);
    ASSERT_EQ(brushed.callsHit, 1U);
    const CacheRequests requests = cacheRequestsOf(corpus, brushed, sessionBlockTokens, {});
    ASSERT_EQ(requests.lanes.size(), 1U);
    EXPECT_EQ(requests.lanes[0].calls.size(), 3U);
    EXPECT_EQ(requests.provider->gapS.n, 2U);
    EXPECT_DOUBLE_EQ(requests.provider->gapS.max, 11);
    WorkProgress progress;
    const CacheFigure figure = cacheFigureOf(requests, 1, {}, progress);
    EXPECT_THAT(cacheSentence(figure, settingsOf("HBM:100:1000")),
                testing::HasSubstr(" Whole sessions, whatever turns"));
    EXPECT_FALSE(cacheRequestsOf(corpus, everythingOf(*corpus), sessionBlockTokens, {}).brushLeftAside);
}

TEST(CacheFigure, RequestsOfASessionCarryTheirBreaks) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0)
        .call("m1", 1, {.input = 5, .cacheWrite = 40'000, .output = 10})
        .call("m2", 9, {.input = 5, .cacheWrite = 1'000, .cacheRead = 40'000, .output = 10})
        .call("m3", 20, {.input = 41'010, .cacheWrite = 0, .cacheRead = 0, .output = 10});
    const CacheFigure figure = figureOfSessions({main});
    ASSERT_TRUE(figure.ofSessions());
    const auto requests = requestPartsOf(figure, 0);
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[1].cached, 40'000);
    EXPECT_EQ(requests[1].newInput, 1'005);
    EXPECT_EQ(requests[1].lost, nullptr);
    ASSERT_NE(requests[2].lost, nullptr);
    EXPECT_EQ(requests[2].lost->paidAgain, 41'000);
    EXPECT_EQ(requests[2].startS, 19);
    EXPECT_THAT(requestsSentence(figure, "s", requests), HasSubstr("1 prefix break paid for 41 k tokens"));
    const std::string longest = requestsSentence(figure, std::string(80, 'n'), requests);
    EXPECT_LT(longest.find("tokens again"), 110U) << longest;
    EXPECT_THAT(longest, HasSubstr("tokens again: “" + std::string(32, 'n') + "…”."));
    ask::Report report;
    const NamedRequests named{{}, "s", requests};
    addRequestsPlot(report, figure, named);
    EXPECT_EQ(report.find("requests")->rows, 3U);
    EXPECT_EQ(report.find("request_breaks")->rows, 1U);
}

/// A session of sub-agents alone has more tokens, and no request of a main agent.
TEST(CacheFigure, SubAgentsAreAnnouncedAndNotChosen) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0).call("m1", 1, {.input = 5, .cacheWrite = 4'000, .output = 10});
    SessionBuilder agent("t/agent.jsonl", "t");
    agent.subAgent("a1")
        .call("x1", 3, {.input = 90'000, .output = 10})
        .call("x2", 9, {.input = 5, .output = 10});
    const CacheFigure figure = figureOfSessions({main, agent});
    EXPECT_EQ(figure.subAgentRequests(), 2U);
    ASSERT_TRUE(busiestMainSession(figure).has_value());
    EXPECT_EQ(requestPartsOf(figure, *busiestMainSession(figure)).size(), 1U);
    EXPECT_THAT(cacheSentence(figure, settingsOf("small:10:1000,large:100:100")),
                HasSubstr(" Not counted but for prefix breaks: 2 API calls of sub-agents."));
}

TEST(CacheFigure, SentencesNameTheCacheAndTheModel) {
    const CacheFigure trace = figureOf(conversations());
    const CacheSettings settings = settingsOf();
    EXPECT_THAT(capacitySentence(trace, settings), HasSubstr("of llama-3.3-70b"));
    EXPECT_THAT(capacitySentence(trace, settings), HasSubstr("engine's cache"));
    EXPECT_THAT(capacitySentence(trace, settings), Not(HasSubstr("estimate")));
    EXPECT_THAT(ttlSentence(trace, settings), HasSubstr("unlimited cache"));
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0)
        .call("m1", 1, {.input = 5, .cacheWrite = 4'000, .output = 10})
        .call("m2", 9, {.input = 5, .cacheWrite = 100, .cacheRead = 4'000, .output = 10});
    const CacheFigure sessions = figureOfSessions({main});
    for (const std::string& text : {capacitySentence(sessions, settings), ttlSentence(sessions, settings)}) {
        EXPECT_THAT(text, HasSubstr("estimate"));
    }
    EXPECT_THAT(splitSentence(sessions, settings), HasSubstr("the provider's cache"));
    EXPECT_THAT(cacheSentence(sessions, settings), HasSubstr("does not fit: needs"));
    EXPECT_EQ(cacheFactsOf(sessions, settings).size(), 6U);
    const CacheSettings roomy = settingsOf("small:10:1000,large:100:100");
    EXPECT_THAT(cacheSentence(sessions, roomy), HasSubstr("small has room for"));
    EXPECT_EQ(cacheFactsOf(sessions, roomy).size(), 7U);
    EXPECT_EQ(cacheFactsOf(trace, roomy).size(), 6U);
}

TEST(CacheFigure, TheSharedCacheIsTheHeadline) {
    const CacheFigure figure = figureOf(conversations());
    const SharedCurve& both = figure.caches.shared.back();
    EXPECT_THAT(cacheSentence(figure, settingsOf("small:0.8:1000,large:100:100")),
                testing::StartsWith(fmt::format(
                    "2 sessions that begin at once share small: {} of their blocks "
                    "(88.7 % of the tokens) hit, {} each alone. The trace does not record",
                    formatShare(both.contiguous.hit(24)), formatShare(both.contiguousAlone.hit(24)))));
    CacheSettings none = settingsOf("h100-node");
    none = withBytesPerWeight(withModel(withNode(none, cacheNodes().front()), "deepseek-v3"), 2);
    EXPECT_THAT(cacheSentence(figure, none),
                testing::StartsWith("deepseek-v3 does not fit: needs 1.34 TB of 576 GB. Of 8 x H100 SXM: "));
    EXPECT_THAT(sharedSentence(figure, none), testing::StartsWith("deepseek-v3 does not fit"));
    for (const CacheFact& fact : cacheFactsOf(figure, none)) {
        EXPECT_THAT(fact.label, Not(HasSubstr("room"))) << "nothing is promised";
        EXPECT_THAT(fact.label, Not(HasSubstr("miss")));
    }
    const Table tiers = tiersTable(figure, none);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(tiers.rows[3][5])) << "no hits";
}

TEST(CacheFigure, TheHeadlineStaysWithTheFirstTierHoweverSmall) {
    const CacheFigure figure = figureOf(conversations());
    const CacheSettings settings = settingsOf("small:0.07:1000,large:100:100");
    EXPECT_THAT(sharingHeadline(sharingOf(figure, settings), settings.tiers, layoutOf(settings),
                                figure.caches.blockTokens),
                testing::ContainsRegex("^2 sessions that begin at once share small: .* each alone. "
                                       "Down to large: .* of their blocks .*hit.$"));
}

TEST(CacheFigure, TheSplitFollowsTimeToLiveAndTiers) {
    const CacheFigure figure = figureOf(conversations());
    CacheSettings settings = settingsOf("large:100:100");
    constexpr double tokens = 2 * (7800.0 - 12 * 30); // the last block of a prompt is cut
    EXPECT_DOUBLE_EQ(splitHitOf(figure, settings).rate, 2 * 6600 / tokens);
    settings.ttlS = 59; // gaps are a minute
    EXPECT_DOUBLE_EQ(splitHitOf(figure, settings).rate, 0);
    settings.ttlS = 300;
    settings.tiers = *cacheTiersFromText("small:0.4:100"); // 12 blocks
    EXPECT_DOUBLE_EQ(splitHitOf(figure, settings).rate, 6600 / tokens);
    EXPECT_THAT(splitSentence(figure, settings), HasSubstr("in tiers down to small"));
    settings.fleet.hitRate = 0.9213;
    EXPECT_EQ(splitHitOf(figure, settings).of, "typed");
    const Table table = splitTable(figure, settings);
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[1][1]), 0.9213);
    EXPECT_NEAR(std::get<double>(table.rows[1][5]), 1.854, 5e-4); // spec/kv_cache.md, section 1
    settings.fleet = {.gpus = 8, .prefillShare = 1, .hitRate = 1};
    EXPECT_THAT(splitSentence(figure, settings), HasSubstr(" frees 8.0 of 8 GPUs: no work is left. "));
}

TEST(CacheFigure, TheTableOfTiersAgreesWithItsParts) {
    const CacheFigure figure = figureOf(conversations());
    const CacheSettings settings = settingsOf("small:0.8:1000,large:100:100");
    const std::vector<TierRow> rows = tierRowsOf(figure, settings);
    ASSERT_EQ(rows.size(), 2U);
    const SharedCurve& both = figure.caches.shared.back();
    EXPECT_DOUBLE_EQ(rows[0].hits.hit, both.contiguous.hit(24));
    EXPECT_EQ(rows[1].sessions, sessionsUpTo(settings.tiers, 1, layoutOf(settings), figure.heldTokens().p90,
                                             replicasOf(settings)));
    EXPECT_GT(*rows[1].cost.perMillionCached, *rows[0].cost.perMillionCached);
    EXPECT_FALSE(isListed(findCacheNode("h100-node")->tiers, 0)) << "SRAM";
    EXPECT_FALSE(isListed(findCacheNode("h100-node")->tiers, 2)) << "scale-up of nothing";
    EXPECT_TRUE(isListed(findCacheNode("h100-node")->tiers, 3));
}

/// With short prompts an on-chip cache would hold many blocks; the rows shown add up without it.
TEST(CacheFigure, TheRowsOfTiersAddUpToTheHeadline) {
    const CacheFigure figure = figureOf(conversations());
    for (const int gpus : {8, 4, 1}) {
        CacheSettings settings =
            withModel(withNode(settingsOf("h100-node"), cacheNodes().front()), "llama-3.1-8b");
        settings = withTensorParallel(settings, gpus);
        const std::vector<TierRow> rows = tierRowsOf(figure, settings);
        double shown = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            shown += isListed(settings.tiers, i) ? rows[i].hits.hit : 0;
        }
        EXPECT_DOUBLE_EQ(shown, rows.back().hits.hitUpToHere) << gpus;
        EXPECT_DOUBLE_EQ(rows[0].hits.hit, 0) << gpus;
        EXPECT_THAT(cacheSentence(figure, settings),
                    HasSubstr(formatShare(rows[1].hits.hit) + " of their blocks"));
    }
}

/// Hits of other numbers of replicas would be those of one cache: dealt curves are counted for these alone.
TEST(CacheFigure, EveryNodeFormsReplicasThatAreCounted) {
    for (const CacheNode& node : cacheNodes()) {
        for (int gpus = 1; gpus <= node.gpus; ++gpus) {
            const std::size_t replicas =
                replicaCountOf(withTensorParallel(withNode(settingsOf("h100-node"), node), gpus));
            EXPECT_THAT(usualReplicas,
                        testing::Conditional(replicas == 1, testing::_, testing::Contains(replicas)))
                << node.key;
        }
    }
}

/// A session of 12 blocks: half of a memory for 16 holds 8 of them.
TEST(CacheFigure, AReplicaHasItsShareOfTheTiersAlone) {
    const CacheFigure figure = figureOf(conversations());
    CacheSettings settings = settingsOf("small:0.54:1000"); // 16.5 blocks
    settings.tensorParallel = 4;
    EXPECT_EQ(static_cast<std::uint64_t>(tokensUpTo(settings, 0) / 100), 8U);
    const std::vector<TierRow> rows = tierRowsOf(figure, settings);
    EXPECT_DOUBLE_EQ(rows[0].hits.hit, figure.caches.engine.contiguousBlocks.hit(8))
        << "one session on each replica";
    EXPECT_EQ(rows[0].sessions, 0);
    EXPECT_LT(rows[0].hits.hit, figure.caches.engine.contiguousBlocks.hit(12));
    EXPECT_THAT(cacheSentence(figure, settings), AllOf(HasSubstr("share the small of 2 replicas: "),
                                                       HasSubstr(" Each session on one of 2 replicas.")));
    const Table table = tiersTable(figure, settings);
    EXPECT_EQ(std::get<std::string>(table.rows[0].back()), "each session on one of 2 replicas");
}

TEST(CacheFigure, LengthsAloneTellNothing) {
    const TraceRequest request{};
    const CacheFigure figure = figureOf(blockTraceOf(std::vector{request, request}, 0, "lengths"));
    EXPECT_FALSE(figure.tellsReuse());
    EXPECT_THAT(capacitySentence(figure, settingsOf()), HasSubstr("lengths alone"));
    EXPECT_THAT(splitSentence(figure, settingsOf()), HasSubstr("lengths alone"));
    EXPECT_TRUE(cacheFactsOf(figure, settingsOf()).empty());
}

TEST(CacheFigure, TheStudysThirtyTwoGpusAreTheLimit) {
    const CacheFigure figure = figureOf(conversations());
    const Table table = splitTable(figure, settingsOf());
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(std::get<std::string>(table.rows[3][0]), "limit");
    EXPECT_EQ(std::get<double>(table.rows[3][4]), 32);                                 // GPUs freed
    EXPECT_EQ(std::get<double>(table.rows[3][5]), 2);                                  // speed-up
    EXPECT_LT(std::get<double>(table.rows[2][5]), std::get<double>(table.rows[1][5])); // attention costs
    EXPECT_LT(std::get<double>(table.rows[1][5]), 2);
    CacheSettings all = settingsOf();
    all.fleet.prefillShare = 1;
    EXPECT_THAT(splitSentence(figure, all), testing::Not(HasSubstr("inf")));
}

TEST(CacheFigure, WhatATraceLeavesOutIsSaidOnce) {
    CacheRequests requests;
    EXPECT_EQ(leftOutSentence(requests), ""); // of sessions: the status line tells
    requests.files = BlockTraceFiles{};
    requests.files->repeats = 2;
    requests.files->diagnostics = {{"a", 0, "left out: it repeats the requests of c"},
                                   {"b", 0, "left out: it repeats the requests of c"}};
    EXPECT_EQ(leftOutSentence(requests), "2 files left out, as they repeat another's requests.");
    requests.files->diagnostics.push_back({"d", 7, "the archive ends in the middle"});
    EXPECT_THAT(leftOutSentence(requests),
                testing::EndsWith("requests. Odd in the data: the archive ends in the middle."));
    requests.files->diagnostics.push_back({"e", 9, "no time"});
    EXPECT_THAT(leftOutSentence(requests), HasSubstr("in the middle; and 1 more"));
}

TEST(CacheSettings, TiersAddUp) {
    const CacheSettings settings = settingsOf("a:1:1000,b:2:100,c:4:10");
    const double perToken = layoutOf(settings).bytesPerToken();
    EXPECT_DOUBLE_EQ(tokensUpTo(settings, 0), 1e9 / perToken);
    EXPECT_DOUBLE_EQ(tokensUpTo(settings, 2), 7e9 / perToken);
}

} // namespace
} // namespace loadline
