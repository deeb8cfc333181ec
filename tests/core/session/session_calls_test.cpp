// API calls of made-up sessions: merging of lines, content, quality, what is no call.
#include "core/session/files/read_sessions.h"
#include "tests/core/session/record_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(SessionCalls, LinesOfOneCallAreOneCall) {
    const SessionFile file = readSessionText(
        "x", callLine({.uuid = "a1", .output = 1, .content = "[{'type':'text','text':'abcd'}]"}) +
                 callLine({.uuid = "a2",
                           .output = 9,
                           .stop = "'end_turn'",
                           .content = "[{'type':'thinking','thinking':'ef'}]",
                           .time = "2026-01-01T00:00:12Z"}) +
                 callLine({.uuid = "a2", .output = 9, .content = "[{'type':'thinking','thinking':'ef'}]"}) +
                 callLine({.id = "m2", .uuid = "a3"}));
    ASSERT_EQ(file.calls.size(), 2U);
    const ApiCall& call = file.calls[0];
    EXPECT_EQ(call.usage, (Usage{.input = 3,
                                 .cacheWrite = 10,
                                 .cacheWrite5m = 4,
                                 .cacheWrite1h = 6,
                                 .cacheRead = 20,
                                 .output = 9}));
    EXPECT_EQ(call.contentCharacters, 6U);
    EXPECT_EQ(call.lines, 2U);
    EXPECT_EQ(call.quality, OutputQuality::Final);
    EXPECT_TRUE(call.outputGrew);
    EXPECT_EQ(formatIso8601(call.firstTime), "2026-01-01T00:00:10.000Z");
    EXPECT_EQ(formatIso8601(call.lastTime), "2026-01-01T00:00:12.000Z");
    EXPECT_EQ(file.name(call.model), "claude-x");
    EXPECT_EQ(file.duplicateUuids, 1U);
}

std::string lineWithUsage(const std::string& more) {
    std::string line = callLine({});
    line.insert(line.find("\"usage\":{") + 9, more);
    return line;
}

TEST(SessionCalls, WhatIsBilledBesideTokensIsRead) {
    const auto usageOf = [](const std::string& more) {
        const SessionFile file = readSessionText("x", lineWithUsage(more));
        return file.calls.size() == 1 ? file.calls[0].usage : Usage{};
    };
    const Usage usage =
        usageOf(R"("speed":"fast","server_tool_use":{"web_search_requests":3,"web_fetch_requests":7},)"
                R"("iterations":[{"input_tokens":2},{"input_tokens":3}],)");
    EXPECT_TRUE(usage.fast);
    EXPECT_EQ(usage.webSearches, 3U);
    EXPECT_EQ(usage.earlierTries, 1U);
    EXPECT_EQ(usage.input, 3);
    const Usage usual =
        usageOf(R"("speed":"standard","server_tool_use":null,"iterations":[{"input_tokens":3}],)");
    EXPECT_FALSE(usual.fast);
    EXPECT_EQ(usual.webSearches + usual.earlierTries, 0U);
    EXPECT_EQ(usual.input, 3);
    EXPECT_EQ(usageOf(R"("iterations":[],"speed":null,)").earlierTries, 0U);
}

TEST(SessionCalls, ACallIsOnALineEvenWhereItsUuidIsTaken) {
    const SessionFile file = readSessionText("x", callLine({}) + callLine({.id = "m2", .request = "r2"}));
    ASSERT_EQ(file.calls.size(), 2U);
    EXPECT_EQ(file.duplicateUuids, 1U);
    EXPECT_EQ(file.calls[1].lines, 1U);
}

TEST(SessionCalls, ToolInputCountsAsPythonDumpsIt) {
    const SessionFile file = readSessionText(
        "x",
        callLine({.content = "[{'type':'tool_use','id':'t','name':'Read','input':{'p':'é','n':[1,2]}}]"}));
    // "Read" and {"p": "é", "n": [1, 2]}
    EXPECT_EQ(file.calls.at(0).contentCharacters, 4U + 23U);
}

TEST(SessionCalls, WithoutMessageIdTheUuidIsTheKey) {
    const std::string line =
        record("{'type':'assistant','uuid':'a1','message':{'usage':{'output_tokens':5}}}");
    const std::string next =
        record("{'type':'assistant','uuid':'a2','message':{'usage':{'output_tokens':6}}}");
    const SessionFile file = readSessionText("x", line + next + line);
    ASSERT_EQ(file.calls.size(), 2U);
    EXPECT_EQ(file.calls[0].key, hashOf("a1"));
    EXPECT_EQ(readSessionText("x", callLine({})).calls.at(0).key, hashOf("m1", "r1"));
}

TEST(SessionCalls, SidechainReplayOfACallIsNotASecondCall) {
    const std::string replay = callLine({.request = "r2",
                                         .uuid = "a2",
                                         .extra = ",'isSidechain':true",
                                         .content = "[{'type':'tool_use','id':'t2','name':'B','input':{}}]"});
    const std::string original =
        callLine({.content = "[{'type':'tool_use','id':'t1','name':'A','input':{}}]"});
    const std::string third = callLine(
        {.id = "m3", .uuid = "a3", .content = "[{'type':'tool_use','id':'t3','name':'C','input':{}}]"});
    for (const auto& [first, second] : {std::pair(replay, original), std::pair(original, replay)}) {
        const std::string text = fmt::format("{}{}{}", first, second, third);
        const SessionFile file = readSessionText("x", text);
        ASSERT_EQ(file.calls.size(), 2U);
        EXPECT_EQ(file.calls[0].key, hashOf("m1", "r1"));
        EXPECT_EQ(file.calls[1].key, hashOf("m3", "r1"));
        ASSERT_EQ(file.tools.size(), 3U);
        for (const ToolUse& tool : file.tools) {
            EXPECT_EQ(tool.call, file.name(tool.name) == "C" ? 1U : 0U) << file.name(tool.name);
        }
    }
    // Two request ids without a sidechain are two calls.
    EXPECT_EQ(readSessionText("x", original + callLine({.request = "r2", .uuid = "a2"})).calls.size(), 2U);
}

struct QualityRow {
    int first, second;
    std::string stop;
    std::size_t characters;
    OutputQuality quality;
};

TEST(SessionCalls, OutputQuality) {
    for (const QualityRow& row : {QualityRow{1, 1, "'tool_use'", 900, OutputQuality::Final},
                                  QualityRow{1, 1, "null", 900, OutputQuality::StartOnly},
                                  QualityRow{26, 26, "null", 900, OutputQuality::StartOnly},
                                  QualityRow{33, 33, "null", 900, OutputQuality::LowerBound},
                                  QualityRow{1, 5, "null", 900, OutputQuality::LowerBound},
                                  QualityRow{10, 10, "null", 60, OutputQuality::LowerBound},
                                  QualityRow{10, 10, "null", 61, OutputQuality::StartOnly}}) {
        const SessionFile file = readSessionText(
            "x",
            callLine({.output = row.first,
                      .content = "[{'type':'text','text':'" + std::string(row.characters, 'x') + "'}]"}) +
                callLine({.uuid = "a2", .output = row.second, .stop = row.stop}));
        EXPECT_EQ(file.calls.at(0).quality, row.quality)
            << row.first << row.second << row.stop << row.characters;
    }
}

TEST(SessionCalls, SyntheticAndFailedAnswersAreEventsNotCalls) {
    const SessionFile file = readSessionText(
        "x", callLine({.model = "<synthetic>"}) +
                 callLine({.uuid = "a2",
                           .extra = ",'isApiErrorMessage':true,'error':'rate_limit'",
                           .model = "<synthetic>"}) +
                 record("{'type':'assistant','uuid':'a3','message':{'model':'m','content':[]}}") +
                 record("{'type':'assistant','uuid':'a4'}"));
    EXPECT_TRUE(file.calls.empty());
    ASSERT_EQ(file.events.size(), 2U);
    EXPECT_EQ(file.events[0].kind, EventKind::Synthetic);
    EXPECT_EQ(file.events[1].kind, EventKind::ApiError);
    EXPECT_EQ(file.name(file.events[1].detail), "rate_limit");
    ASSERT_EQ(file.diagnostics.size(), 2U);
    EXPECT_EQ(file.diagnostics[0], (Diagnostic{DiagnosticKind::MissingField, 3, 1, "usage"}));
    EXPECT_EQ(file.diagnostics[1], (Diagnostic{DiagnosticKind::MissingField, 4, 1, "message"}));
}

TEST(SessionCalls, UnusableCountsAreZeroAndSaid) {
    for (const char* count : {"-1", "1.5", "1e400", "'7'", "99999999999999999999", "true", "{}", "NaN"}) {
        const SessionFile file =
            readSessionText("x", record("{'type':'assistant','uuid':'a','message':{'id':'m','usage':{'input_"
                                        "tokens':2,'output_tokens':" +
                                        std::string(count) + "}}}"));
        ASSERT_EQ(file.calls.size(), 1U) << count;
        EXPECT_EQ(file.calls[0].usage, (Usage{.input = 2})) << count;
        ASSERT_EQ(file.diagnostics.size(), 1U) << count;
        EXPECT_EQ(file.diagnostics[0], (Diagnostic{DiagnosticKind::BadNumber, 1, 1, "output_tokens"}))
            << count;
    }
    const SessionFile file =
        readSessionText("x", record("{'type':'assistant','uuid':'a','message':{'id':'m','usage':{'input_"
                                    "tokens':null,'output_tokens':7.0}}}"));
    EXPECT_EQ(file.calls.at(0).usage, (Usage{.output = 7}));
    EXPECT_TRUE(file.diagnostics.empty());
}

} // namespace
} // namespace loadline
