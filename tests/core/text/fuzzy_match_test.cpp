// fuzzyMatches: what is found, in which order, and where.
#include "core/text/fuzzy_match.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

std::vector<std::string> found(std::string_view query, const std::vector<std::string>& entries,
                               std::size_t limit = 100) {
    std::vector<std::string> texts;
    for (const FuzzyMatch& match : fuzzyMatches(query, entries, limit)) {
        texts.push_back(entries[match.entry]);
    }
    return texts;
}

using Texts = std::vector<std::string>;

TEST(FuzzyMatch, EmptyQueryKeepsTheOrder) {
    EXPECT_EQ(found("", {"b", "a"}), (Texts{"b", "a"}));
    EXPECT_EQ(found("  ", {"b", "a", "c"}, 2), (Texts{"b", "a"}));
    EXPECT_EQ(found("x", {}), Texts{});
    EXPECT_EQ(found("x", {""}), Texts{});
}

TEST(FuzzyMatch, BestFirst) {
    struct Example {
        std::string_view query;
        Texts entries;
        Texts expected;
    };

    const Example examples[] = {
        {"time",
         {"Sometimes", "Go to Timeline", "Timeline", "time"},
         {"time", "Timeline", "Go to Timeline", "Sometimes"}},
        {"ed", {"Export distributions", "Exported", "Edit"}, {"Edit", "Export distributions", "Exported"}},
        {"png",
         {"Copy as image", "Save PNG", "Paint nothing"},
         {"Save PNG"}}, // letters here and there mean nothing
        {"gtd", {"Go to Distributions", "Light old"}, {"Go to Distributions"}},
        {"dstr", {"Go to Distributions", "Did start"}, {"Go to Distributions"}},
        {"line", {"Later in one", "Timeline", "Line"}, {"Line", "Timeline"}},
        {"open fold", {"Folder: open", "Open folder", "Open file"}, {"Folder: open", "Open folder"}},
        {"timel",
         {"Time to live", "Go to Timeline", "Show the time of a long line", "time, then lines"},
         {"Go to Timeline", "Time to live", "time, then lines", "Show the time of a long line"}},
        {"TIME", {"timeline"}, {"timeline"}},
        {"aab", {"ab", "aab"}, {"aab"}},
    };
    for (const Example& e : examples) {
        EXPECT_EQ(found(e.query, e.entries), e.expected) << e.query;
    }
}

TEST(FuzzyMatch, SaysWhere) {
    const std::vector<std::string> entries{"Go to Timeline"};
    EXPECT_EQ(fuzzyMatches("time", entries, 1).at(0).positions, (std::vector<std::uint32_t>{6, 7, 8, 9}));
    EXPECT_EQ(fuzzyMatches("gt", entries, 1).at(0).positions, (std::vector<std::uint32_t>{0, 3}));
    EXPECT_EQ(fuzzyMatches("line go", entries, 1).at(0).positions,
              (std::vector<std::uint32_t>{0, 1, 10, 11, 12, 13}));
}

TEST(FuzzyMatch, PositionsSpellTheQuery) {
    const std::vector<std::string> entries{"abcabcabc", "a-b-c", "xxaxxbxxc", "ABC def", "cab abc"};
    for (const FuzzyMatch& match : fuzzyMatches("abc", entries, 10)) {
        std::string spelled;
        for (const std::uint32_t at : match.positions) {
            spelled += entries[match.entry][at];
        }
        EXPECT_TRUE(spelled == "abc" || spelled == "ABC") << entries[match.entry];
    }
}

TEST(FuzzyMatch, APastedPageIsComparedByItsBeginning) {
    const std::vector<std::string> entries = {std::string(30'000, '"')};
    EXPECT_EQ(fuzzyMatches(std::string(30'000, '"'), entries, 10).size(), 1U);
    EXPECT_EQ(fuzzyMatches(std::string(256, '"') + "a", entries, 10).size(), 1U);
}

TEST(FuzzyMatch, EqualScoresKeepTheOrder) {
    EXPECT_EQ(found("a", {"a2", "a1", "a3"}, 2), (Texts{"a2", "a1"}));
}

} // namespace
} // namespace loadline
