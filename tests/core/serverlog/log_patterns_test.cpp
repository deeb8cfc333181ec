// The matchers against the regular expressions of the published patterns, on every excerpt and on lines that
// are damaged.
#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/read/line_taker.h"
#include "tests/core/serverlog/known_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <string>
#include <vector>

namespace loadline {
namespace {

using namespace test;

struct Published {
    std::string id;
    std::regex regex;
};

std::vector<Published> publishedPatterns() {
    std::vector<Published> all;
    const auto document = nlohmann::json::parse(std::ifstream(sharedLogs() / "patterns.json"));
    for (const auto& pattern : document["patterns"]) {
        all.push_back({pattern["id"], std::regex(pattern["re"].get<std::string>())});
    }
    return all;
}

/// The places and groups of one pattern's matches.
std::string ours(std::string_view line, const std::string& id) {
    std::vector<AnchorHit> hits;
    std::vector<PatternMatch> matches;
    patternTable().scan.find(line, 64, hits);
    matchLine(patternTable(), line, hits, matches);
    std::string text;
    for (const PatternMatch& found : matches) {
        if (patternTable().patterns[found.pattern]->id == id) {
            text += fmt::format("{}-{}", found.match.begin, found.match.end);
            for (const std::string_view group : found.match.groups) {
                text += fmt::format("|{}", group);
            }
            text += '\n';
        }
    }
    return text;
}

std::string theirs(const std::string& line, const Published& pattern) {
    std::string text;
    for (std::sregex_iterator found(line.begin(), line.end(), pattern.regex), end; found != end; ++found) {
        text += fmt::format("{}-{}", found->position(0), found->position(0) + found->length(0));
        for (std::size_t group = 1; group <= LogMatch().groups.size(); ++group) {
            text += fmt::format("|{}", group < found->size() ? (*found)[group].str() : "");
        }
        text += '\n';
    }
    return text;
}

TEST(LogPatterns, MatchAsThePublishedExpressionsDo) {
    if (!std::filesystem::exists(sharedLogs() / "patterns.json")) {
        GTEST_SKIP() << "the published patterns are not at " << sharedLogs();
    }
    const std::vector<Published> patterns = publishedPatterns();
    const std::vector<std::string> lines = knownLines();
    ASSERT_GT(patterns.size(), 25U);
    std::mt19937 random(15);
    std::size_t matched = 0;
    for (int round = 0; round < 6; ++round) {
        for (const std::string& whole : lines) {
            const std::string line = round == 0 ? whole : damaged(whole, lines, random);
            for (const Published& pattern : patterns) {
                const std::string expected = theirs(line, pattern);
                matched += expected.empty() ? 0 : 1;
                ASSERT_EQ(ours(line, pattern.id), expected) << pattern.id << "\n" << line;
            }
        }
    }
    EXPECT_GT(matched, 500U);
}

TEST(LogPatterns, EachPublishedOneIsThere) {
    if (!std::filesystem::exists(sharedLogs() / "patterns.json")) {
        GTEST_SKIP() << "the published patterns are not at " << sharedLogs();
    }
    for (const Published& pattern : publishedPatterns()) {
        const auto& all = patternTable().patterns;
        EXPECT_EQ(std::ranges::count(all, pattern.id, &LogPattern::id), 1) << pattern.id;
    }
}

TEST(LogPatterns, AnchorsAreLongEnoughForTheScan) {
    for (const std::string_view anchor : patternTable().anchors) {
        EXPECT_GE(anchor.size(), AnchorScan::leastBytes) << anchor;
    }
}

TEST(AnchorScan, FindsWhatAPlainSearchFinds) {
    const std::vector<std::string_view> anchors = {"aaaaaaa", "abcabca0", "0.00.000", "bcabcab", "ca 0000"};
    const AnchorScan scan(anchors);
    std::mt19937 random(3);
    std::vector<AnchorHit> hits;
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        while (text.size() < random() % 90) {
            text += random() % 3 == 0 ? std::string(anchors[random() % anchors.size()])
                                      : std::string(1, "abc 0579."[random() % 9]);
        }
        scan.find(text, 1000, hits);
        std::size_t expected = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
            for (const std::string_view anchor : anchors) {
                const std::string part = text.substr(at, anchor.size());
                expected += part.size() == anchor.size() &&
                                    std::equal(part.begin(), part.end(), anchor.begin(),
                                               [](char c, char a) {
                                                   return c == a || (a == '0' && c >= '0' && c <= '9');
                                               })
                                ? 1
                                : 0;
            }
        }
        ASSERT_EQ(hits.size(), expected) << text;
    }
}

} // namespace
} // namespace loadline
