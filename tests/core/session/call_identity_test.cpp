// API calls of logs whose ids are missing, or the same for all calls.
#include "core/session/files/read_sessions.h"
#include "tests/core/session/record_text.h"
#include "tests/core/session_builder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace loadline {
namespace {

using testing::ElementsAre;

/// A line of an assistant message: `ids` is "'id':'x'," or "".
std::string assistantLine(const std::string& uuid, const std::string& parent, const std::string& ids,
                          Tokens input, Tokens output, const std::string& extra = {}) {
    return record(fmt::format("{{'type':'assistant','uuid':'{}','parentUuid':'{}'{},'sessionId':'s',"
                              "'timestamp':'2026-01-01T00:00:10Z','message':{{{}'model':'glm','content':[],"
                              "'usage':{{'input_tokens':{},'cache_read_input_tokens':500,"
                              "'output_tokens':{}}}}}}}",
                              uuid, parent, extra, ids, input, output));
}

std::string resultLine(const std::string& uuid, const std::string& parent) {
    return userLine(uuid, "[{'type':'tool_result','tool_use_id':'t','content':'done'}]",
                    ",'sessionId':'s','parentUuid':'" + parent + "'");
}

/// Two messages of two lines each, the second one after a tool result; then one with the second one's prompt.
std::string twoMessages(const std::string& ids) {
    return userLine("u1", "'go'", ",'sessionId':'s'") + assistantLine("a1", "u1", ids, 100, 1) +
           assistantLine("a2", "a1", ids, 100, 30) + resultLine("u2", "a2") +
           assistantLine("b1", "u2", ids, 200, 2) + assistantLine("b2", "b1", ids, 200, 40) +
           resultLine("u3", "b2") + assistantLine("c1", "u3", ids, 200, 7);
}

std::vector<std::pair<Tokens, Tokens>> promptsOf(const SessionFile& file) {
    std::vector<std::pair<Tokens, Tokens>> all;
    for (const ApiCall& call : file.calls) {
        all.emplace_back(call.usage.context(), call.usage.output);
    }
    return all;
}

std::uint64_t countOfKind(const SessionFile& file, DiagnosticKind kind) {
    std::uint64_t count = 0;
    for (const Diagnostic& one : file.diagnostics) {
        count += one.kind == kind ? one.count : 0;
    }
    return count;
}

const auto threeCalls = ElementsAre(testing::Pair(600, 30), testing::Pair(700, 40), testing::Pair(700, 7));

TEST(CallIdentity, LinesWithoutIdThatFollowEachOtherAreOneCall) {
    for (const std::string ids : {"", "'id':'',", "'id':null,"}) {
        const SessionFile file = readSessionText("s.jsonl", twoMessages(ids));
        EXPECT_THAT(promptsOf(file), threeCalls) << ids;
        EXPECT_EQ(countOfKind(file, DiagnosticKind::NoCallId), 5U);
        EXPECT_EQ(file.calls[0].lines, 2U);
    }
}

TEST(CallIdentity, WithoutParentsAUserRecordEndsAMessage) {
    std::string text = twoMessages("");
    for (std::size_t at = text.find("parentUuid"); at != std::string::npos; at = text.find("parentUuid")) {
        text.replace(at, 10, "nobodyUuid");
    }
    EXPECT_THAT(promptsOf(readSessionText("s.jsonl", text)), threeCalls);
}

TEST(CallIdentity, LinesOfBranchesThatAlternateAreTheirOwnCalls) {
    const std::string text = userLine("u1", "'go'") + assistantLine("a1", "u1", "", 100, 1) +
                             assistantLine("b1", "u1", "", 900, 1) + assistantLine("a2", "a1", "", 100, 30) +
                             assistantLine("b2", "b1", "", 900, 40);
    EXPECT_THAT(promptsOf(readSessionText("s.jsonl", text)),
                ElementsAre(testing::Pair(600, 30), testing::Pair(1400, 40)));
}

TEST(CallIdentity, ARequestIdAloneTellsCalls) {
    const std::string text = assistantLine("a1", "u1", "", 100, 1, ",'requestId':'r1'") +
                             resultLine("u2", "a1") +
                             assistantLine("a2", "u2", "", 100, 30, ",'requestId':'r1'") +
                             assistantLine("b1", "a2", "", 100, 5, ",'requestId':'r2'");
    const SessionFile file = readSessionText("s.jsonl", text);
    EXPECT_THAT(promptsOf(file), ElementsAre(testing::Pair(600, 30), testing::Pair(600, 5)));
    EXPECT_EQ(countOfKind(file, DiagnosticKind::NoCallId), 0U);
}

TEST(CallIdentity, OneIdForCallsWithOtherPromptsIsToldApart) {
    const SessionFile file = readSessionText("s.jsonl", twoMessages("'id':'chatcmpl-0',"));
    EXPECT_THAT(promptsOf(file), threeCalls);
    EXPECT_EQ(countOfKind(file, DiagnosticKind::RepeatedCallId), 2U);
    EXPECT_NE(file.calls[0].key, file.calls[1].key);
    EXPECT_EQ(file.calls[0].messageId, 0U);
}

TEST(CallIdentity, CountsThatGrowWithinAMessageAreOneCall) {
    const std::string ids = "'id':'m',";
    const std::string text = userLine("u1", "'go'") + assistantLine("a1", "u1", ids, 90, 1) +
                             assistantLine("a2", "a1", ids, 100, 30) + resultLine("u2", "a2") +
                             assistantLine("a3", "u2", ids, 100, 40);
    const SessionFile file = readSessionText("s.jsonl", text);
    EXPECT_THAT(promptsOf(file), ElementsAre(testing::Pair(600, 40)));
    EXPECT_EQ(countOfKind(file, DiagnosticKind::RepeatedCallId), 0U);
}

TEST(CallIdentity, OneIdInSeveralFilesIsToldApart) {
    const auto single = [](const std::string& name, Tokens input) {
        test::SessionBuilder session(name + ".jsonl", name);
        session.prompt(0).call("chatcmpl-0", 1, test::used(input, 0, 0, 5));
        return session;
    };
    const Corpus corpus = test::corpusOf({single("a", 20'000), single("b", 30'000), single("c", 30'000)});
    EXPECT_EQ(corpus.calls.size(), 2U); // the same call twice cannot be told from a copy
    SessionFiles many;
    for (int i = 0; i < 600; ++i) { // 200 prompts, three copies of each
        many.files.push_back(single(std::to_string(1000 + i), 20'000 + i % 200).done());
    }
    const Corpus merged = buildCorpus(std::move(many));
    ASSERT_EQ(merged.calls.size(), 200U);
    for (const CorpusCall& call : merged.calls) {
        EXPECT_EQ(call.copies, 3U);
    }
}

TEST(FileDoubts, SessionsJoinedIntoOneFileAreNoted) {
    const auto session = [](const std::string& name, const std::string& parent = "null") {
        return userLine("u" + name, "'go'", ",'sessionId':'" + name + "','parentUuid':" + parent) +
               record("{'type':'assistant','uuid':'a" + name + "','parentUuid':'u" + name +
                      "','sessionId':'" + name + "','message':{'id':'m" + name +
                      "','content':[],'usage':{'input_tokens':9}}}");
    };
    const SessionFile joined = readSessionText("cat.jsonl", session("1") + session("2"));
    ASSERT_EQ(countOfKind(joined, DiagnosticKind::SeveralSessions), 1U);
    EXPECT_EQ(joined.diagnostics[0].line, 3U);
    const auto isNoted = [](const std::string& path, const std::string& text) {
        return countOfKind(readSessionText(path, text), DiagnosticKind::SeveralSessions) > 0;
    };
    EXPECT_FALSE(isNoted("cat.jsonl", session("1")));
    EXPECT_FALSE(isNoted("p/1.jsonl", session("1") + session("2"))) << "a program names its files so";
    EXPECT_FALSE(isNoted("cat.jsonl", session("1") + session("2", "'a1'"))) << "one goes on from the other";
}

/// Calls of the counts of input and cache read.
SessionFile sessionReading(const std::vector<std::pair<Tokens, Tokens>>& calls) {
    std::string text;
    std::size_t i = 0;
    for (const auto& [input, read] : calls) {
        text +=
            record(fmt::format("{{'type':'assistant','uuid':'a{}','message':{{'id':'m{}','model':'glm',"
                               "'content':[],'usage':{{'input_tokens':{},'cache_read_input_tokens':{}}}}}}}",
                               i, i, input, read));
        ++i;
    }
    return readSessionText("s.jsonl", text);
}

TEST(FileDoubts, InputThatHoldsTheReadsIsNoted) {
    const auto isNoted = [](const SessionFile& file) {
        return countOfKind(file, DiagnosticKind::CachedInInput) > 0;
    };
    EXPECT_TRUE(
        isNoted(sessionReading({{17'120, 17'000}, {26'270, 17'120}, {29'420, 26'240}, {30'370, 29'420}})));
    EXPECT_FALSE(isNoted(sessionReading({{120, 17'000}, {9'150, 17'120}, {3'150, 26'270}, {950, 29'420}})));
    EXPECT_FALSE(
        isNoted(sessionReading({{17'120, 17'000}, {26'270, 17'000}, {29'420, 17'000}}))) // a system prompt
        << "what is read is not what the call before sent";
    EXPECT_FALSE(isNoted(sessionReading({{17'120, 0}, {26'270, 0}})));
}

} // namespace
} // namespace loadline
