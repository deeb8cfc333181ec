// Trace readers on made-up files: every format, and what is odd in them.
#include "core/trace/trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace loadline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Trace traceOf(std::string_view text) {
    Result<Trace> trace = readTrace(text, "some.trace");
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().sentence());
    return trace ? std::move(trace.value()) : Trace{};
}

std::vector<std::string> sentencesOf(const Trace& trace) {
    std::vector<std::string> all;
    for (const Diagnostic& diagnostic : trace.diagnostics) {
        all.push_back(sentenceOfLine(diagnostic));
    }
    return all;
}

TEST(TraceReader, ReadsAPlainTable) {
    const Trace trace = traceOf("arrival_s,input_tokens,output_tokens\n10.5,7,3\n10,100,0\n12,1e3,4.0\n");
    EXPECT_EQ(trace.format->key, "plain-csv");
    EXPECT_THAT(trace.requests,
                ElementsAre(TraceRequest{0, 100, 0}, TraceRequest{0.5, 7, 3}, TraceRequest{2, 1000, 4}));
    EXPECT_THAT(trace.diagnostics, IsEmpty());
}

TEST(TraceReader, FindsColumnsByNameWhateverElseThereIs) {
    const Trace trace = traceOf("\xef\xbb\xbf"
                                "Model, Output_Tokens ,\"arrival_s\",INPUT_TOKENS,note\r\n"
                                "m,3,0,7,\"a, \"\"b\"\"\"\r\n"
                                "\r\n"
                                "\"m,n\",\"4\",\"1\",8\r\n");
    EXPECT_THAT(trace.requests, ElementsAre(TraceRequest{0, 7, 3}, TraceRequest{1, 8, 4}));
    ASSERT_EQ(trace.diagnostics.size(), 1U);
    EXPECT_EQ(trace.diagnostics[0].kind, DiagnosticKind::ByteOrderMark);
}

std::string requestsAt(double every) {
    std::string text;
    for (int i = 0; i < 400; ++i) {
        text += "{\"timestamp\": " + std::to_string(i * every) +
                ", \"input_length\": 700, \"output_length\": 5, \"hash_ids\": [1, 2]}\n";
    }
    return text;
}

TEST(TraceReader, TimesWithFractionsAreSecondsWhereMillisecondsMakeNoSense) {
    const Trace seconds = traceOf(requestsAt(3.125));
    EXPECT_NEAR(seconds.requests.back().arrivalS, 399 * 3.125, 1e-6);
    EXPECT_THAT(seconds.notes, testing::Contains(HasSubstr("fractions are read as seconds")));
    const Trace ms = traceOf(requestsAt(3000.125));
    EXPECT_NEAR(ms.requests.back().arrivalS, 399 * 3.000125, 1e-6);
    EXPECT_THAT(ms.notes, testing::Contains(HasSubstr("fractions are read as milliseconds")));
    const Trace whole = traceOf(requestsAt(3));
    EXPECT_NEAR(whole.requests.back().arrivalS, 399 * 0.003, 1e-9) << "3.000000 has no fraction";
    EXPECT_THAT(whole.notes, testing::Not(testing::Contains(HasSubstr("fractions"))));
}

/// 100 conversations of four requests that go on from each other, in turn, one every `everyUnits`; each
/// answer has 500 tokens.
std::string conversationsAt(double everyUnits) {
    std::string text;
    for (int i = 0; i < 400; ++i) {
        const int turn = i / 100;
        std::string ids;
        for (int block = 0; block <= 2 * turn; ++block) {
            ids += (block > 0 ? ", " : "") + std::to_string(1000 * (i % 100) + block);
        }
        text += fmt::format("{{\"timestamp\": {}, \"input_length\": {}, \"output_length\": 500, "
                            "\"hash_ids\": [{}]}}\n",
                            i * everyUnits, 512 * (2 * turn + 1), ids);
    }
    return text;
}

TEST(TraceReader, TimesAreSecondsWhereNoServerCouldHaveAnsweredBetween) {
    const Trace seconds = traceOf(conversationsAt(1)); // 100 s between requests of a conversation, or 100 ms
    EXPECT_NEAR(seconds.requests.back().arrivalS, 399, 1e-9);
    EXPECT_THAT(seconds.notes,
                testing::Contains(HasSubstr("as milliseconds, 300 of 300 requests would go on")));
    const Trace ms = traceOf(conversationsAt(1000));
    EXPECT_NEAR(ms.requests.back().arrivalS, 399, 1e-9);
    EXPECT_THAT(ms.notes, testing::Not(testing::Contains(HasSubstr("time stamps"))));
    const Trace busy = traceOf(conversationsAt(10.5)); // 95 requests a second
    EXPECT_NEAR(busy.requests.back().arrivalS, 399 * 0.0105, 1e-9);
    EXPECT_THAT(busy.notes, testing::Contains(HasSubstr("fractions are read as milliseconds")));
}

TEST(TraceReader, ReadsAzureTimes) {
    const Trace trace = traceOf("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                "2023-12-31 23:59:59.7500000,4808,10\n"
                                "2024-01-01 00:00:01,3180,8\n"
                                "2024-02-29T00:00:00.25Z,1,1\n"
                                "2024-03-01 00:00:00+00:00,1,1\n");
    EXPECT_EQ(trace.format->key, "azure");
    ASSERT_EQ(trace.requests.size(), 4U);
    EXPECT_EQ(trace.requests[0].input, 4808);
    EXPECT_DOUBLE_EQ(trace.requests[1].arrivalS, 1.25);
    EXPECT_DOUBLE_EQ(trace.requests[2].arrivalS, 0.25 + 59 * 86400.0 + 0.25);
    EXPECT_DOUBLE_EQ(trace.requests[3].arrivalS, 60 * 86400.0 + 0.25);
}

TEST(TraceReader, ReadsMooncakeAndWhatItsRequestsShare) {
    const Trace trace = traceOf(
        R"({"timestamp": 2000, "input_length": 1500, "output_length": 5, "hash_ids": [1, 2, 9]}
{"timestamp": 0, "input_length": 1000, "output_length": 500, "hash_ids": [1, 2]}
{"timestamp": 2000, "input_length": 700, "output_length": 6, "hash_ids": [1, 2]}
{"timestamp": 3000, "input_length": 600, "output_length": 7, "hash_ids": [3, 1]}
)");
    EXPECT_EQ(trace.format->key, "mooncake");
    using Blocks = std::vector<std::uint32_t>;
    EXPECT_THAT(trace.requests, ElementsAre(TraceRequest{0, 1000, 500, 0, Blocks{0, 1}},
                                            TraceRequest{2, 1500, 5, 1024, Blocks{0, 1, 2}},
                                            TraceRequest{2, 700, 6, 700, Blocks{0, 1}},
                                            TraceRequest{3, 600, 7, 0, Blocks{3, 0}}));
    EXPECT_THAT(trace.notes,
                ElementsAre(HasSubstr("blocks of 512"), HasSubstr("1 line has an earlier time")));
}

TEST(TraceReader, ReadsAnEngineRunAndPlainLines) {
    const Trace run =
        traceOf(R"({"request_id": "b-1", "input_toks": 9, "output_toks": 4, "arrival_time": 1700000000.5}
{"request_id": "b-0", "input_toks": 8, "output_toks": 3, "arrival_time": 1700000000.25, "queued_ts": 1})");
    EXPECT_EQ(run.format->key, "engine-run");
    EXPECT_THAT(run.requests, ElementsAre(TraceRequest{0, 8, 3}, TraceRequest{0.25, 9, 4}));
    EXPECT_THAT(run.diagnostics, IsEmpty());
    const Trace plain = traceOf(R"({"arrival_s": 1, "input_tokens": 9, "output_tokens": 4}
{"output_tokens": 1, "arrival_s": 1.5, "input_tokens": 2})");
    EXPECT_EQ(plain.format->key, "plain-lines");
    EXPECT_THAT(plain.requests, ElementsAre(TraceRequest{0, 9, 4}, TraceRequest{0.5, 2, 1}));
}

constexpr auto wekaTable =
    "file,dup_of,chain,idx,t,stream,model,in,out,blocks,lcp_prev_blocks,api_time,think_time\n"
    "a.json,,main,0,0.0,n,m,1000,20,15,0,4.0,0.0\n"
    "a.json,,agent_1,0,0.0,n,m,500,5,7,0,1,0.0\n"
    "a.json,,main,1,10.5,n,m,1300,30,20,15,,6.0\n"
    "a.json,,main,2,20,n,m,1400,40,21,20,30,\n"
    "a.json,,main,3,45,n,m,1400,0,21,21,1,\n"
    "b.json,a.json,main,0,0.0,n,m,1000,20,15,0,4.0,0.0\n"
    "c.json,,main,0,0.0,n,m,100,2,1,0,4.0,0.0\n";

/// 1e308 s after -1e308 s is no gap that anything can wait for.
TEST(TraceReader, LeavesOutWekaRequestsAtNoTime) {
    const Trace trace =
        traceOf("file,dup_of,chain,idx,t,stream,model,in,out,blocks,lcp_prev_blocks,api_time\n"
                "a.json,,main,0,-1e308,n,m,1000,20,15,0,0\n"
                "a.json,,main,1,1,n,m,1000,20,15,0,1e308\n"
                "a.json,,main,2,1e308,n,m,1000,20,15,0,1\n");
    ASSERT_EQ(trace.sessions.size(), 1U);
    EXPECT_THAT(trace.sessions[0].turns, ElementsAre(WorkloadTurn{0, 1000, 20, -1}));
    ASSERT_EQ(trace.diagnostics.size(), 1U);
    EXPECT_EQ(trace.diagnostics[0].count, 2U);
}

TEST(TraceReader, ReadsWekaSessionsWithContextsAndGaps) {
    const Trace trace = traceOf(wekaTable);
    EXPECT_EQ(trace.format->key, "weka-requests");
    EXPECT_THAT(trace.requests, IsEmpty());
    ASSERT_EQ(trace.sessions.size(), 3U);
    EXPECT_EQ(trace.sessions[0].id, "a.json");
    EXPECT_THAT(trace.sessions[0].turns,
                ElementsAre(WorkloadTurn{0, 1000, 20, -1}, WorkloadTurn{960, 340, 30, 6.5},
                            WorkloadTurn{1280, 120, 40, -1}, WorkloadTurn{1344, 56, 0, 0}));
    EXPECT_EQ(trace.sessions[1].id, "a.json agent_1");
    EXPECT_EQ(trace.sessions[1].partOf(), "a.json");
    EXPECT_EQ(trace.sessions[2].id, "c.json");
    EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("1 chain of sub-agents"),
                                         HasSubstr("1 request sent before"), HasSubstr("1 gap not known"),
                                         "1 session (1 request) left out: repeated another"));
}

TEST(TraceReader, ReadsOneWekaSession) {
    const Trace trace = traceOf(R"({"id": "trace_7", "block_size": 64, "hash_id_scope": "local", "requests": [
        {"t": 0, "type": "n", "in": 200, "out": 3, "hash_ids": [1, 2, 3, 4], "api_time": 2.5},
        {"t": 1, "type": "subagent", "agent_id": "agent_001", "requests": [
            {"t": 0, "in": 90, "out": 1, "hash_ids": [7, 8], "api_time": 1},
            {"t": 5, "in": 95, "out": 2, "hash_ids": [7, 9], "api_time": 1}]},
        {"t": 12.5, "in": 300, "out": 4, "hash_ids": [1, 2, 3, 5, 6]}]})");
    EXPECT_EQ(trace.format->key, "weka-session");
    ASSERT_EQ(trace.sessions.size(), 2U);
    EXPECT_EQ(trace.sessions[0].id, "trace_7");
    EXPECT_THAT(trace.sessions[0].turns,
                ElementsAre(WorkloadTurn{0, 200, 3, -1}, WorkloadTurn{192, 108, 4, 10}));
    EXPECT_EQ(trace.sessions[1].id, "trace_7 agent_001");
    EXPECT_THAT(trace.sessions[1].turns, ElementsAre(WorkloadTurn{0, 90, 1, -1}, WorkloadTurn{64, 31, 2, 4}));
}

struct OddCase {
    const char* name;
    const char* text;
    std::vector<std::string> sentences;
};

class OddTrace : public testing::TestWithParam<OddCase> {};

TEST_P(OddTrace, LeavesLinesOutAndSaysWhich) {
    const Trace trace = traceOf(GetParam().text);
    EXPECT_EQ(trace.requests.size(), 1U);
    EXPECT_EQ(sentencesOf(trace), GetParam().sentences);
}

const OddCase oddCases[] = {
    {"csv_numbers",
     "arrival_s,input_tokens,output_tokens\n1,-1,1\n1,1.5,1\n2,3,nan\n2,3,4\n2,99999999999,4\n2,,4\n2,3,"
     "0x4\n",
     {"4 lines left out (lines 2, 3, 6 and 7): input_tokens is not a count of tokens",
      "2 lines left out (lines 4 and 8): output_tokens is not a count of tokens"}},
    {"csv_times",
     "arrival_s,input_tokens,output_tokens\n-1,1,1\ninf,1,1\n1e300,1,1\nsoon,1,1\n,1,1\n2,3,4\n",
     {"5 lines left out (lines 2, 3, 4, 5 and 6): arrival_s is not a time"}},
    {"csv_columns",
     "arrival_s,input_tokens,output_tokens\n1,2\n2,3,4\n7\n",
     {"2 lines left out (lines 2 and 4): it has too few columns"}},
    {"csv_cut", "arrival_s,input_tokens,output_tokens\n2,3,4\n7,", {"line 3 left out: it is cut"}},
    {"azure_times",
     "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-02-30 00:00:00,1,1\n2023-11-16 24:00:00,1,1\n"
     "2023-11-16,1,1\n2023-11-16 18:17:03.9799600,4808,10\n1999/1/1 1:1,1,1\n2023-11-16 18:17:03+02:00,1,1\n",
     {"5 lines left out (lines 2, 3, 4, 6 and 7): timestamp is not a time"}},
    {"json_lines",
     "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 2}\nnonsense\n[1]\n"
     "{\"timestamp\": 0, \"input_length\": 1}\n{\"timestamp\": 0, \"input_length\": -5, \"output_length\": "
     "2}\n"
     "{\"timestamp\": \"x\", \"input_length\": 1, \"output_length\": 2}\n"
     "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 2, \"hash_ids\": [\"x\"]}\n"
     "{\"timestamp\": 1, \"input_len",
     {"line 2 left out: it is not JSON", "line 3 left out: it is not a JSON object",
      "line 4 left out: output_length is missing", "line 5 left out: input_length is not a count of tokens",
      "line 6 left out: timestamp is not a time", "line 7 left out: hash_ids is not a list of whole numbers",
      "line 8 left out: it is cut"}},
};

INSTANTIATE_TEST_SUITE_P(Files, OddTrace, testing::ValuesIn(oddCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct RefusedTraceCase {
    const char* name;
    const char* text;
    const char* says;
};

class RefusedTrace : public testing::TestWithParam<RefusedTraceCase> {};

TEST_P(RefusedTrace, SaysWhatIsWrong) {
    const Result<Trace> trace = readTrace(GetParam().text, "some.trace");
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().what, std::string("not a request trace: ") + GetParam().says);
    EXPECT_EQ(trace.error().where, "some.trace");
    EXPECT_FALSE(trace.error().remedy.empty());
}

const RefusedTraceCase refusedTraces[] = {
    {"empty", "", "it is empty"},
    {"blank", "\xef\xbb\xbf \r\n\n", "it is empty"},
    {"other_table", "a,b,c\n1,2,3\n", "its format is not known"},
    {"other_json", "{\"type\": \"user\"}\n", "its format is not known"},
    {"prose", "Lorem ipsum dolor sit amet", "its format is not known"},
    {"header_only", "arrival_s,input_tokens,output_tokens\n", "there are no requests in it"},
    {"nothing_usable", "arrival_s,input_tokens,output_tokens\nx,1,1\n1,x,1\n",
     "none of its lines could be used; line 2: arrival_s is not a time"},
    {"weka_columns", "file,chain,t,in,out\n", "it has not the columns file,chain,t,in,out,lcp_prev_blocks"},
    {"weka_cut", "{\"block_size\": 64, \"hash_id_scope\": \"local\", \"requests\": [",
     "it is not JSON (is it cut?)"},
    {"weka_block", "{\"block_size\": 0, \"requests\": []}",
     "its \"requests\" or its \"block_size\" is missing or makes no sense"},
    {"weka_empty", "{\"block_size\": 64, \"requests\": []}", "there are no requests in it"},
    {"weka_bad", "{\"block_size\": 64, \"requests\": [{\"t\": 0, \"in\": -3, \"out\": 1}]}",
     "none of its lines could be used; line 1: in of a request is not a number that fits"},
};

INSTANTIATE_TEST_SUITE_P(Files, RefusedTrace, testing::ValuesIn(refusedTraces),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(TraceReader, CanBeCutAnywhere) {
    const std::string_view texts[] = {
        wekaTable, "arrival_s,input_tokens,output_tokens\n10.5,\"7\",3\n10,100,0\n",
        R"({"timestamp": 0, "input_length": 1000, "output_length": 500, "hash_ids": [1, 2]})",
        R"({"block_size": 64, "requests": [{"t": 0, "in": 200, "out": 3, "hash_ids": [1]}]})"};
    for (const std::string_view text : texts) {
        for (std::size_t n = 0; n < text.size(); ++n) {
            const Result<Trace> trace = readTrace(text.substr(0, n), "cut");
            EXPECT_TRUE(trace || !trace.error().what.empty());
        }
    }
}

TEST(TraceReader, FormatsHaveKeysAndNamesOfTheirOwn) {
    std::set<std::string_view> words;
    for (const TraceFormat& format : traceFormats()) {
        EXPECT_TRUE(!format.key.empty() && words.insert(format.key).second) << format.key;
        EXPECT_TRUE(!format.name.empty() && words.insert(format.name).second) << format.name;
        EXPECT_NE(format.read, nullptr) << format.key;
    }
}

TEST(TraceReader, LinesOutOfOrderAreSortedAndNoted) {
    const Trace table = traceOf("arrival_s,input_tokens,output_tokens\n3,7,3\n1,8,3\n2,9,3\n");
    EXPECT_EQ(table.requests.front().input, 8);
    EXPECT_THAT(table.notes,
                testing::Contains(HasSubstr("1 line has an earlier time than the line before it: "
                                            "requests are put in the order of their times")));
    const Trace lines = traceOf(R"({"timestamp": 2000, "input_length": 7, "output_length": 5, "hash_ids": [0]}
{"timestamp": 1000, "input_length": 8, "output_length": 5, "hash_ids": [1]}
)");
    EXPECT_EQ(lines.requests.front().input, 8);
    EXPECT_THAT(lines.notes, testing::Contains(HasSubstr("1 line has an earlier time")));
    EXPECT_THAT(traceOf("arrival_s,input_tokens,output_tokens\n1,7,3\n1,8,3\n2,9,3\n").notes, IsEmpty());
}

TEST(TraceReader, ABlockOfSeveralLengthsIsOdd) {
    const auto trace = [](int second) {
        return traceOf(R"({"timestamp": 0, "input_length": 1024, "output_length": 5, "hash_ids": [0, 1]}
{"timestamp": 1, "input_length": )" +
                       std::to_string(second) + R"(, "output_length": 5, "hash_ids": [0, 1]}
{"timestamp": 2, "input_length": 1536, "output_length": 5, "hash_ids": [0, 1, 2]}
)");
    };
    EXPECT_THAT(sentencesOf(trace(700)), ElementsAre(HasSubstr("1 block has other lengths in other prompts, "
                                                               "in line 2: ")));
    EXPECT_THAT(sentencesOf(trace(1024)), IsEmpty());
    EXPECT_EQ(trace(700).requests.size(), 3U) << "it is kept";
}

} // namespace
} // namespace loadline
