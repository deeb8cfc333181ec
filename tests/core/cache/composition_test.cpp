// Composition: groups partition the calls, shares by two measures, words for what is missing.
#include "core/cache/composition/composition_order.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr CompositionGroup groups[] = {CompositionGroup::Session, CompositionGroup::Day,
                                       CompositionGroup::Model, CompositionGroup::Project,
                                       CompositionGroup::Agent};

Composition composed(const Corpus& corpus, CompositionGroup group) {
    return compositionOf(corpus, everythingOf(corpus), group);
}

std::vector<std::string> labelsOf(const Composition& composition) {
    std::vector<std::string> labels;
    for (const CompositionRow& row : composition.rows) {
        labels.push_back(row.label);
    }
    return labels;
}

TEST(CompositionGroup, KeysReadBack) {
    for (const CompositionGroup group : groups) {
        EXPECT_EQ(compositionGroupFromKey(keyOf(group)), group);
    }
    EXPECT_EQ(compositionGroupFromKey("week"), std::nullopt);
}

TEST(CompositionOf, PerTokenAndPerRequestDiffer) {
    SessionBuilder main("s.jsonl", "s");
    main.call("m1", 0, used(0, 0, 90, 10)).call("m2", 1, used(100, 800, 0, 100));
    const CompositionRow all = composed(corpusOf({main}), CompositionGroup::Session).all;
    EXPECT_DOUBLE_EQ(all.tokenWeighted.cached, 90.0 / 1100);
    EXPECT_DOUBLE_EQ(all.tokenWeighted.newInput, 900.0 / 1100);
    EXPECT_DOUBLE_EQ(all.tokenWeighted.output, 110.0 / 1100);
    EXPECT_DOUBLE_EQ(all.meanPerRequest.cached, 0.45);
    EXPECT_DOUBLE_EQ(all.meanPerRequest.newInput, 0.45);
    EXPECT_DOUBLE_EQ(all.meanPerRequest.output, 0.1);
    EXPECT_DOUBLE_EQ(all.hitRate, 90.0 / 990);
    EXPECT_DOUBLE_EQ(all.hitRatePerRequest, 0.5);
    EXPECT_DOUBLE_EQ(all.readWriteRatio, 90.0 / 800);
}

TEST(CompositionOf, AgentsArePrograms) {
    SessionBuilder claude("c.jsonl", "c");
    claude.call("m1", 0, used(0, 0, 90, 10));
    SessionBuilder codex("x.jsonl", "x");
    codex.call("m2", 0, used(10, 0, 0, 10));
    codex.file().agent = "codex";
    const Composition composition = composed(corpusOf({claude, codex}), CompositionGroup::Agent);
    ASSERT_EQ(composition.rows.size(), 2U);
    EXPECT_EQ(composition.rows[0].key, "claude");
    EXPECT_DOUBLE_EQ(composition.rows[0].hitRate, 1);
    EXPECT_EQ(composition.rows[1].label, "codex");
}

TEST(CompositionOf, ReadsWithoutWritesAndNeither) {
    SessionBuilder reads("r.jsonl", "r");
    reads.call("m1", 0, used(0, 0, 90, 10));
    EXPECT_TRUE(std::isinf(composed(corpusOf({reads}), CompositionGroup::Model).all.readWriteRatio));
    SessionBuilder empty("e.jsonl", "e");
    empty.call("m1", 0, used(0, 0, 0, 0));
    const CompositionRow all = composed(corpusOf({empty}), CompositionGroup::Model).all;
    EXPECT_EQ(all.readWriteRatio, 0);
    EXPECT_EQ(all.tokenWeighted, TokenShares{});
    EXPECT_EQ(all.meanPerRequest, TokenShares{});
}

TEST(CompositionOf, OrderOfRows) {
    SessionBuilder small("p/a.jsonl", "a");
    small.project("p", "/home/p").title("small").call("m1", 0, used(10, 0, 0, 1), "opus");
    small.call("m2", 90'000, used(10, 0, 0, 1), "opus");
    SessionBuilder large("q/b.jsonl", "b");
    large.project("q", "/home/q").call("m3", 200'000, used(1000, 0, 0, 1), "haiku");
    large.call("m4", 0, used(5, 0, 0, 1), "");
    ApiCall& last = large.file().calls.back();
    last.requestTime = last.firstTime = last.lastTime = unknownTime;
    const Corpus corpus = corpusOf({small, large});
    using testing::ElementsAre;
    EXPECT_THAT(labelsOf(composed(corpus, CompositionGroup::Session)), ElementsAre("b", "small"));
    EXPECT_THAT(labelsOf(composed(corpus, CompositionGroup::Project)), ElementsAre("/home/q", "/home/p"));
    EXPECT_THAT(labelsOf(composed(corpus, CompositionGroup::Model)),
                ElementsAre("haiku", "opus", "(no model)"));
    EXPECT_THAT(labelsOf(composed(corpus, CompositionGroup::Day)),
                ElementsAre("2026-01-01", "2026-01-02", "2026-01-03", "(no time)"));
}

TEST(CompositionOf, OnlyCallsBehindTheBrush) {
    SessionBuilder main("s.jsonl", "s");
    main.call("m1", 0, used(10, 0, 0, 1)).call("m2", 1, used(20, 0, 0, 1));
    const Corpus corpus = corpusOf({main});
    Selection selection = everythingOf(corpus);
    selection.callHit = {0, 1};
    const Composition composition = compositionOf(corpus, selection, CompositionGroup::Session);
    EXPECT_EQ(composition.all.totals.usage.input, 20);
    ASSERT_EQ(composition.rows.size(), 1U);
    selection.callHit = {0, 0};
    EXPECT_EQ(compositionOf(corpus, selection, CompositionGroup::Session).sentence,
              "No API calls are in scope.");
}

TEST(CompositionOf, InheritedCallsBelongToTheirOrigin) {
    SessionBuilder original("p/a.jsonl", "a");
    original.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m2", 2, used(1, 2, 3, 4));
    SessionBuilder fork("p/b.jsonl", "b");
    fork.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m3", 9, used(1, 2, 3, 4));
    const Corpus corpus = corpusOf({original, fork});
    const Composition composition = composed(corpus, CompositionGroup::Session);
    EXPECT_EQ(composition.all.totals.calls, 3U);
    for (const CompositionRow& row : composition.rows) {
        const auto session = std::ranges::find(corpus.sessions, row.key, &Session::key);
        ASSERT_NE(session, corpus.sessions.end());
        EXPECT_EQ(row.totals, session->ownTotals);
    }
}

TEST(CompositionOf, SentenceSaysWhatOutputIsWorth) {
    SessionBuilder main("s.jsonl", "s");
    main.call("m1", 0, used(0, 100, 0, 10))
        .call("m2", 1, used(0, 0, 300, 10), "opus", OutputQuality::LowerBound);
    const std::string sentence = composed(corpusOf({main}), CompositionGroup::Model).sentence;
    EXPECT_THAT(sentence, HasSubstr("75.0 % of 400 prompt tokens were read from cache"));
    EXPECT_THAT(sentence, HasSubstr("(average request: 50.0 %)"));
    EXPECT_THAT(sentence, HasSubstr("was read 3.0 times on average"));
    EXPECT_THAT(sentence, HasSubstr("Output is at least 4.8 % of all tokens (50.0 % of the calls"));
}

TEST(CompositionOf, HardlyAnyOutputIsNoBound) {
    SessionBuilder main("s.jsonl", "s");
    main.call("m1", 0, used(0, 100'000, 0, 1), "opus", OutputQuality::LowerBound);
    EXPECT_THAT(
        composed(corpusOf({main}), CompositionGroup::Model).sentence,
        HasSubstr("Output is recorded as < 0.1 % of all tokens, and may be more (100 % of the calls"));
}

TEST(CompositionOf, TheSentenceQuotesATitleAfterItsFigures) {
    SessionBuilder large("p/a.jsonl", "a");
    large.prompt(0).call("m1", 1, used(0, 100, 300, 4));
    large.file().title = std::string(200, 't');
    SessionBuilder small("p/b.jsonl", "b");
    small.prompt(0).call("m2", 2, used(0, 100, 0, 4));
    const std::string sentence = composed(corpusOf({large, small}), CompositionGroup::Session).sentence;
    EXPECT_THAT(sentence, HasSubstr(" Most prompt tokens of 2 sessions: 80.0 % of all, hit rate 75.0 %, “" +
                                    std::string(32, 't') + "…”."));
    EXPECT_LT(sentence.find("(average request: "), 110U);
}

TEST(CompositionOf, GroupsPartitionTheCalls) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Corpus corpus = randomSession(seed, 200);
        for (const CompositionGroup group : groups) {
            const Composition composition = composed(corpus, group);
            UsageTotals sum;
            for (const CompositionRow& row : composition.rows) {
                sum += row.totals;
                for (const TokenShares& shares : {row.tokenWeighted, row.meanPerRequest}) {
                    EXPECT_NEAR(shares.cached + shares.newInput + shares.output, 1, 1e-12);
                }
                EXPECT_GE(row.hitRate, 0);
                EXPECT_LE(row.hitRate, 1);
            }
            EXPECT_EQ(sum, composition.all.totals);
            EXPECT_EQ(sum, totalsOf(corpus.calls));
            const Table table = tableOf(composition);
            EXPECT_EQ(table.rows.size(), composition.rows.size() + 1);
            for (const std::vector<Cell>& row : table.rows) {
                EXPECT_EQ(row.size(), table.columns.size());
                EXPECT_EQ(std::get<std::string>(row.back()), &row == &table.rows.back() ? "sum" : "part");
            }
        }
    }
}

TEST(CompositionOrder, SortsByOneColumnFromEitherEnd) {
    Composition composition;
    composition.group = CompositionGroup::Model;
    const auto add = [&](const char* name, Tokens read, Tokens write, double perRequest) {
        CompositionRow row;
        row.key = row.label = name;
        row.totals.usage.cacheRead = read;
        row.totals.usage.cacheWrite = write;
        row.hitRate = row.totals.hitRate();
        row.hitRatePerRequest = perRequest;
        row.readWriteRatio = static_cast<double>(read) / static_cast<double>(write);
        composition.rows.push_back(row);
    };
    add("b", 10, 10, 0.1);
    add("c", 300, 100, 0.3);
    add("a", 60, 2, 0.2);
    add("d", 10, 10, 0.1);
    const auto sorted = [&](CompositionOrder order, bool reversed = false) {
        Composition copy = composition;
        sortRows(copy, order, reversed);
        std::string names;
        for (const CompositionRow& row : copy.rows) {
            names += row.label;
        }
        return names;
    };
    EXPECT_EQ(sorted(CompositionOrder::Usual), "bcad");
    EXPECT_EQ(sorted(CompositionOrder::Usual, true), "bcad");
    EXPECT_EQ(sorted(CompositionOrder::Name), "abcd");
    EXPECT_EQ(sorted(CompositionOrder::Name, true), "dcba");
    EXPECT_EQ(sorted(CompositionOrder::AllTokens), "cabd");
    EXPECT_EQ(sorted(CompositionOrder::AllTokens, true), "bdac"); // equal ones keep their order
    EXPECT_EQ(sorted(CompositionOrder::HitRate), "acbd");
    EXPECT_EQ(sorted(CompositionOrder::HitRatePerRequest), "cabd");
    EXPECT_EQ(sorted(CompositionOrder::ReadWrite), "acbd");
    composition.group = CompositionGroup::Day;
    EXPECT_EQ(sorted(CompositionOrder::AllTokens), "bcad"); // days follow the calendar
}

} // namespace
} // namespace loadline
