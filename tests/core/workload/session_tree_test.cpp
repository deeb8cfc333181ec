// The Sessions list as a value: rows, figures, filters and orders.
#include "core/workload/scope/session_tree.h"

#include "tests/made_up_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace loadline {
namespace {

std::vector<std::string> namesOf(const SessionTree& tree, const std::vector<std::uint32_t>& order) {
    std::vector<std::string> names;
    names.reserve(order.size());
    for (const std::uint32_t node : order) {
        names.push_back(tree.nodes[node].name);
    }
    return names;
}

std::vector<std::string> namesOf(const SessionTree& tree) {
    std::vector<std::uint32_t> order(tree.nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    return namesOf(tree, order);
}

using Names = std::vector<std::string>;

TEST(SessionTree, HasProjectsSessionsAndAgents) {
    const SessionTree tree = sessionTreeOf(test::smallCorpus(), {});
    EXPECT_EQ(namesOf(tree), (Names{"alpha", "beta_", "Fix the login", "Write the docs", "Measure everything",
                                    "main", "sub-agent"}));
    EXPECT_EQ(tree.projects, 2U);
    EXPECT_EQ(tree.sessions, 3U);
    EXPECT_EQ(tree.nodes[1].children, 2U);
    EXPECT_EQ(tree.nodes[2].children, 0U) << "one agent alone is the session itself";
    EXPECT_EQ(tree.nodes[6].parent, 4U);
    EXPECT_EQ(tree.nodes[2].diagnostics, 1U);
}

TEST(SessionTree, FiguresAddUp) {
    const SessionTree tree = sessionTreeOf(test::smallCorpus(), {});
    EXPECT_EQ(tree.nodes[0].tokens(), 4185);
    EXPECT_EQ(tree.nodes[4].tokens(), 70777 + 363);
    EXPECT_EQ(tree.nodes[1].totals.calls, 3U);
    EXPECT_EQ(tree.nodes[0].totals.outputQuality(), OutputQuality::Mixed);
    UsageTotals sum;
    for (std::uint32_t i = 0; i < tree.projects; ++i) {
        sum += tree.nodes[i].totals;
    }
    EXPECT_EQ(sum, tree.totals);
}

TEST(SessionTree, ScopeFiltersRowsAndFigures) {
    const auto corpus = test::smallCorpus();
    Scope haiku;
    haiku.models = {"claude-haiku-4-5-20251001"};
    EXPECT_EQ(namesOf(sessionTreeOf(corpus, haiku)),
              (Names{"alpha", "beta_", "Fix the login", "Measure everything"}));
    EXPECT_EQ(sessionTreeOf(corpus, haiku).nodes[0].totals.usage.cacheRead, 3000);
    Scope text;
    text.text = "DOCS";
    EXPECT_EQ(namesOf(sessionTreeOf(corpus, text)), (Names{"beta_", "Write the docs"}));
    Scope nothing;
    nothing.text = "no such thing";
    EXPECT_TRUE(sessionTreeOf(corpus, nothing).nodes.empty());
    Scope chosen; // the list is what one chooses from
    chosen.sessions = {"claude:alpha-1"};
    EXPECT_EQ(sessionTreeOf(corpus, chosen).sessions, 3U);
}

TEST(SessionTree, SpeaksOfTheCallsBehindTheBrush) {
    const auto corpus = test::smallCorpus();
    Scope brushed;
    brushed.turnOutput = TokenRange{500, 1000}; // one call of each session of beta_
    const SessionTree tree = sessionTreeOf(corpus, brushed);
    EXPECT_EQ(namesOf(tree), (Names{"beta_", "Write the docs", "Measure everything"}));
    const Selection selection = select(*corpus, brushed, TurnMethod::ApiCall);
    EXPECT_EQ(selection.sessions, 2U);
    EXPECT_EQ(tree.totals.calls, selection.callsHit);
    EXPECT_EQ(tree.totals.usage.output, 1200);
    EXPECT_EQ(tree.nodes[0].totals, tree.totals);
    brushed.turnOutput = TokenRange{1, 2};
    EXPECT_TRUE(sessionTreeOf(corpus, brushed).nodes.empty());
}

TEST(SessionTree, OrdersChildrenWithinTheirParents) {
    const SessionTree tree = sessionTreeOf(test::smallCorpus(), {});
    EXPECT_EQ(namesOf(tree, orderOf(tree, SessionColumn::AllTokens, true)),
              (Names{"beta_", "alpha", "Fix the login", "Measure everything", "Write the docs", "main",
                     "sub-agent"}));
    EXPECT_EQ(namesOf(tree, orderOf(tree, SessionColumn::AllTokens, false)),
              (Names{"alpha", "beta_", "Fix the login", "Write the docs", "Measure everything", "sub-agent",
                     "main"}));
    EXPECT_EQ(namesOf(tree, orderOf(tree, SessionColumn::Name, false)),
              (Names{"alpha", "beta_", "Fix the login", "Measure everything", "Write the docs", "main",
                     "sub-agent"}));
    EXPECT_EQ(namesOf(tree, orderOf(tree, SessionColumn::Output, true)).at(3), "Measure everything");
    EXPECT_EQ(namesOf(tree, orderOf(tree, SessionColumn::HitRate, true)).at(4), "Write the docs");
}

TEST(SessionTree, EveryOrderIsAPermutationThatKeepsFamiliesTogether) {
    const SessionTree tree = sessionTreeOf(test::smallCorpus(), {});
    for (std::size_t column = 0; column < sessionColumnCount; ++column) {
        for (const bool descending : {false, true}) {
            const auto order = orderOf(tree, static_cast<SessionColumn>(column), descending);
            for (const SessionNode& node : tree.nodes) {
                std::vector<std::uint32_t> family(order.begin() + node.firstChild,
                                                  order.begin() + node.firstChild + node.children);
                std::ranges::sort(family);
                for (std::uint32_t i = 0; i < node.children; ++i) {
                    EXPECT_EQ(family[i], node.firstChild + i);
                }
            }
        }
    }
}

TEST(SessionTree, UnknownValuesComeLastInBothDirections) {
    const auto corpus = test::corpusOfFiles(
        {{"/p/one.jsonl", test::call("x", "s-one", "2026-01-20T10:00:00.000Z", "m", 1, 1, 1, 1)},
         {"/p/two.jsonl", test::call("y", "s-two", "no time at all", "m", 1, 1, 1, 1)},
         {"/p/three.jsonl", test::call("z", "s-three", "2026-01-21T10:00:00.000Z", "m", 1, 1, 1, 1)}});
    const SessionTree tree = sessionTreeOf(corpus, {});
    for (const bool descending : {false, true}) {
        const auto order = orderOf(tree, SessionColumn::Start, descending);
        std::vector<std::string> ids;
        for (const std::uint32_t node : order) {
            if (tree.nodes[node].kind == SessionNodeKind::Project) {
                ids.push_back(tree.nodes[node].name);
            }
        }
        EXPECT_EQ(ids.back(), "s-two");
    }
}

TEST(SessionTree, InheritedCallsCountWhereTheyWereMade) {
    const std::string first = test::prompt("1", "origi", "2026-01-20T10:00:00.000Z", "Begin") +
                              test::call("1", "origi", "2026-01-20T10:00:01.000Z", "m", 1, 10, 0, 5) +
                              test::call("2", "origi", "2026-01-20T10:00:02.000Z", "m", 1, 10, 0, 5);
    const std::string second = first +
                               test::call("3", "other", "2026-01-20T11:00:00.000Z", "m", 1, 10, 0, 5) +
                               test::call("4", "other", "2026-01-20T11:01:00.000Z", "m", 1, 10, 0, 5) +
                               test::call("5", "other", "2026-01-20T11:02:00.000Z", "m", 1, 10, 0, 5);
    const SessionTree tree =
        sessionTreeOf(test::corpusOfFiles({{"/p/origi.jsonl", first}, {"/p/other.jsonl", second}}), {});
    EXPECT_EQ(tree.totals.calls, 5U);
    std::uint64_t calls = 0;
    std::uint64_t inherited = 0;
    for (const SessionNode& node : tree.nodes) {
        if (node.kind == SessionNodeKind::Session) {
            calls += node.totals.calls;
            inherited += node.inheritedCalls;
        }
    }
    EXPECT_EQ(calls, tree.totals.calls) << "rows sum to the list";
    EXPECT_EQ(inherited, 2U);
}

} // namespace
} // namespace loadline
