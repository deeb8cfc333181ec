// Text that a provider did not read may have changed or not: both ends, and what proves one of them.
#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Usage wrote(Tokens write, Tokens read) {
    return {.cacheWrite = write, .cacheWrite5m = write, .cacheRead = read, .output = 10};
}

Usage automatic(Tokens input, Tokens read) {
    return {.input = input, .cacheRead = read, .output = 10};
}

CacheFigure figureOfAll(const std::vector<SessionBuilder>& sessions) {
    SessionFiles files;
    for (const SessionBuilder& one : sessions) {
        files.files.push_back(one.done());
    }
    const auto corpus = std::make_shared<const Corpus>(buildCorpus(std::move(files)));
    WorkProgress progress;
    return cacheFigureOf(cacheRequestsOf(corpus, everythingOf(*corpus), sessionBlockTokens, {}), 1, {},
                         progress);
}

CacheSettings roomForAll() {
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("large:100000:100");
    settings.tensorParallel = 8;
    return settings;
}

double lowOf(const CacheFigure& figure) {
    return figure.caches.unlimited.share(figure.caches.unlimited.prefix.blocks);
}

double highOf(const CacheFigure& figure) {
    const TraceFigures& most = *figure.caches.most;
    return most.unlimited.share(most.unlimited.prefix.blocks);
}

/// Prompts of 100, 110, .. 190 blocks that only grow, of an automatic cache: the sixth call reads nothing.
SessionBuilder withAMiss(const std::string& name) {
    SessionBuilder session(name + ".jsonl", name);
    session.prompt(0);
    for (int i = 0; i < 10; ++i) {
        const Tokens all = 64 * (100 + 10 * i);
        const Tokens read = i == 0 || i == 5 ? 0 : all - 640;
        session.call(name + std::to_string(i), 10 * i + 1, automatic(all - read, read), "glm");
    }
    return session;
}

/// Else the share that is done would shrink midway.
TEST(OpenEnds, BothEndsArePlannedAtOnce) {
    const auto corpus = std::make_shared<const Corpus>(corpusOf({withAMiss("s")}));
    const CacheRequests requests = cacheRequestsOf(corpus, everythingOf(*corpus), sessionBlockTokens, {});
    ASSERT_TRUE(requests.most);
    std::stop_source stopped;
    stopped.request_stop();
    WorkProgress progress;
    figuresOfRequests(requests, 1, stopped.get_token(), progress);
    EXPECT_EQ(progress.planned.load(), 2 * traceFiguresParts);
    WorkProgress all;
    figuresOfRequests(requests, 1, {}, all);
    EXPECT_EQ(all.planned.load(), 2 * traceFiguresParts);
    EXPECT_EQ(all.done.load(), all.planned.load());
}

TEST(OpenEnds, AReadOfNothingIsAChangeOrAMiss) {
    const CacheFigure figure = figureOfAll({withAMiss("s")});
    constexpr double all = 10 * 100 + 10 * 45;
    constexpr double grown = all - 100 - 9 * 10;
    EXPECT_TRUE(figure.caches.leastHits);
    ASSERT_NE(figure.caches.most, nullptr);
    EXPECT_DOUBLE_EQ(lowOf(figure), (grown - 140) / all);
    EXPECT_DOUBLE_EQ(highOf(figure), grown / all);
    const CacheSettings settings = roomForAll();
    EXPECT_THAT(cacheSentence(figure, settings), HasSubstr("hits 77.2\u201386.9 % of its blocks"));
    EXPECT_THAT(ttlSentence(figure, settings), HasSubstr("at least 77.2 %, perhaps 86.9 %"));
    EXPECT_THAT(
        splitSentence(figure, settings),
        AllOf(HasSubstr("A hit rate of at least 77.2 %, perhaps 86.9 % ("), HasSubstr("frees at least ")));
    EXPECT_TRUE(splitHitOf(figure, settings).least);
    CacheSettings withoutTiers = settings;
    withoutTiers.tiers.clear();
    EXPECT_FALSE(splitHitOf(figure, withoutTiers).least) << "the provider's own rate is recorded";
    const std::vector<PrefixBreak>& breaks = figure.requests.provider->breaks;
    ASSERT_EQ(breaks.size(), 1U);
    EXPECT_EQ(breaks[0].cause(), BreakCause::NothingRead);
    EXPECT_THAT(breaks[0].reasons[0].evidence, HasSubstr("or the provider missed it"));
    const std::vector<TierRow> least = tierRowsOf(figure, settings);
    const std::vector<TierRow> most = mostTierRowsOf(figure, settings);
    ASSERT_EQ(most.size(), least.size());
    EXPECT_LT(most[0].time.ttftS, least[0].time.ttftS);
    const Ends hits = endsOf(least, most, &TierHits::hitUpToHere, 0, true);
    EXPECT_EQ(cellOfEnds(hits), "77.2\u2013" + formatShare(*hits.high));
    EXPECT_EQ(cellOfAgain(hits), "13.1\u2013" + formatShare(1 - hits.low));
}

/// The fourth call reads exactly what the second had left, not what the third had: the server of the second
/// had kept it all the time.
TEST(OpenEnds, TheOldPrefixReadAgainProvesAMiss) {
    SessionBuilder session("s.jsonl", "s");
    session.prompt(0).call("m1", 1, wrote(40'000, 0)).call("m2", 10, wrote(2'000, 40'000));
    session.call("m3", 20, wrote(42'100, 0)).call("m4", 30, wrote(200, 42'000));
    const CacheFigure figure = figureOfAll({session});
    const std::vector<BlockRequest>& requests = figure.requests.trace.requests;
    EXPECT_EQ(requests[2].shared, 42'000U / 64);
    ASSERT_EQ(figure.requests.provider->breaks.size(), 1U);
    EXPECT_EQ(figure.requests.provider->breaks[0].cause(), BreakCause::ProviderMiss);
    EXPECT_FALSE(figure.caches.leastHits) << "it is known";
}

/// Read what the changed prompt had written: nothing proves that it was the old one.
TEST(OpenEnds, TheNewPrefixReadAgainProvesNothing) {
    SessionBuilder session("s.jsonl", "s");
    session.prompt(0).call("m1", 1, wrote(40'000, 0)).call("m2", 10, wrote(2'000, 40'000));
    session.call("m3", 20, wrote(43'000, 0)).call("m4", 30, wrote(1'000, 43'000));
    const CacheFigure figure = figureOfAll({session});
    EXPECT_EQ(figure.requests.trace.requests[2].shared, 0U);
    EXPECT_EQ(figure.requests.provider->breaks.at(0).cause(), BreakCause::NothingRead);
    EXPECT_TRUE(figure.caches.leastHits);
}

/// A gateway that has the system prompt cached alone.
TEST(OpenEnds, WhatIsNeverCachedMayBeTheSameAllTheSame) {
    SessionBuilder session("s.jsonl", "s");
    session.prompt(0).call("m0", 1, wrote(6'400, 0));
    for (int i = 1; i < 10; ++i) {
        session.call("m" + std::to_string(i), 10 * i + 1, automatic(6'400 * i, 6'400));
    }
    const CacheFigure figure = figureOfAll({session});
    EXPECT_DOUBLE_EQ(lowOf(figure), 900.0 / 5500);
    EXPECT_DOUBLE_EQ(highOf(figure), 4500.0 / 5500);
    EXPECT_TRUE(figure.requests.provider->breaks.empty());
}

/// The log says that the text changed: nothing is left open.
TEST(OpenEnds, ASummaryAShorterPromptAndAnotherVersionAreChanges) {
    const auto isOpen = [](SessionBuilder session) {
        return figureOfAll({session.call("m9", 20, wrote(42'000, 0))}).caches.most != nullptr;
    };
    SessionBuilder begun("s.jsonl", "s");
    begun.prompt(0).call("m1", 1, wrote(40'000, 0)).call("m2", 10, wrote(1'000, 40'000));
    EXPECT_TRUE(isOpen(begun));
    SessionBuilder summed = begun;
    EXPECT_FALSE(isOpen(summed.user(UserKind::CompactSummary, 15)));
    SessionBuilder longer = begun;
    EXPECT_FALSE(isOpen(longer.call("m3", 12, wrote(5'000, 41'000))));
    SessionBuilder updated = begun;
    updated.call("m9", 20, wrote(42'000, 0));
    for (const char* version : {"2.1.0", "2.1.1"}) {
        updated.file().names.emplace_back(version);
    }
    const auto last = static_cast<NameIndex>(updated.file().names.size() - 1);
    for (ApiCall& call : updated.file().calls) {
        call.version = last - 1;
    }
    EXPECT_NE(figureOfAll({updated}).caches.most, nullptr);
    updated.file().calls.back().version = last;
    EXPECT_EQ(figureOfAll({updated}).caches.most, nullptr);
}

/// Sessions of one program in one folder, `everyS` apart, that each keep 100 blocks warm for 5 min. `read`:
/// by the first call of each but the first.
std::vector<SessionBuilder> sessionsEvery(const std::vector<int>& startS, const std::vector<Tokens>& read) {
    std::vector<SessionBuilder> sessions;
    for (std::size_t i = 0; i < startS.size(); ++i) {
        const std::string name = std::to_string(i);
        SessionBuilder& one = sessions.emplace_back(name + ".jsonl", name);
        one.project("p", "/p").prompt(startS[i]);
        one.call("a" + name, startS[i] + 1, wrote(6'400 - read[i], read[i]));
        one.call("b" + name, startS[i] + 10, wrote(640, 6'400));
    }
    return sessions;
}

TEST(OpenEnds, FirstPromptsBeyondTheTimeToLiveMayBeAlike) {
    const CacheFigure figure = figureOfAll(sessionsEvery({0, 600, 1200}, {0, 0, 0}));
    EXPECT_DOUBLE_EQ(lowOf(figure), 300.0 / 630);
    ASSERT_NE(figure.caches.most, nullptr) << "none began in time to read of another";
    EXPECT_DOUBLE_EQ(highOf(figure), 500.0 / 630);
}

/// The second read 80 blocks of the first: the third began too late for it.
TEST(OpenEnds, FirstPromptsReadOfOthersAreTakenForLaterOnesToo) {
    const CacheFigure figure = figureOfAll(sessionsEvery({0, 60, 1200}, {0, 5'120, 0}));
    EXPECT_DOUBLE_EQ(lowOf(figure), (300.0 + 80 + 80) / 630);
    EXPECT_EQ(figure.caches.most, nullptr);
    const std::vector<OutsideBlocks>& outside = figure.requests.trace.outside;
    ASSERT_EQ(outside.size(), 2U);
    EXPECT_EQ(outside[1].count, 80U);
    EXPECT_EQ(outside[1].ageS, 1201 - 70);
}

/// One that could have read something and read nothing: its system prompt is another.
TEST(OpenEnds, FirstPromptsThatReadNothingInTimeAreNotAlike) {
    const CacheFigure figure = figureOfAll(sessionsEvery({0, 60, 120, 1200}, {0, 5'120, 0, 0}));
    EXPECT_DOUBLE_EQ(lowOf(figure), (400.0 + 80) / 840);
    EXPECT_DOUBLE_EQ(highOf(figure), (400.0 + 3 * 80) / 840);
}

} // namespace
} // namespace loadline
