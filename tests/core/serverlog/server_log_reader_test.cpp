// Pieces, times and what is hostile: the same log wherever it is cut, and memory that is bounded.
#include "core/serverlog/files/server_log_reader.h"

#include "core/serverlog/files/read_server_log.h"
#include "tests/core/serverlog/log_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

using namespace test;

std::string everyServer() {
    std::string text;
    for (const std::string_view part :
         {vllmStart, vllmV0, sglangNew, llamaNew, ollamaMlx, mlxLm, lmStudio, study}) {
        text += part;
    }
    return text + "no end of the last line: [BATCH] Step: active=3";
}

ServerLog inPieces(std::string_view text, std::size_t first, std::size_t rest,
                   const ServerLogLimits& limits = {}) {
    ServerLogReader reader(limits);
    reader.beginFile("log");
    reader.add(text.substr(0, first));
    for (std::size_t at = std::min(first, text.size()); at < text.size(); at += rest) {
        reader.add(text.substr(at, rest));
    }
    return reader.log();
}

TEST(ServerLogReader, IsTheSameWhereverALogIsCut) {
    const std::string text = everyServer();
    const std::string whole = textOf(serverLogOf(text, "log"));
    for (std::size_t at = 0; at <= text.size(); at += 7) {
        ASSERT_EQ(textOf(inPieces(text, at, text.size())), whole) << at;
    }
    for (const std::size_t bytes : {1, 2, 3, 61, 4096}) {
        EXPECT_EQ(textOf(inPieces(text, 0, bytes)), whole) << bytes;
    }
}

TEST(ServerLogReader, TellsALineThatIsStillBeingWrittenAndGoesOn) {
    ServerLogReader reader;
    reader.beginFile("log");
    reader.add("[BATCH] Step: active=3");
    EXPECT_EQ(reader.log().steps.size(), 1U);
    reader.add("2\n[BATCH] Step: active=1\n");
    ASSERT_EQ(reader.log().steps.size(), 2U);
    EXPECT_EQ(reader.log().steps[0].active, 32);
    EXPECT_EQ(reader.log().lines, 2U);
    EXPECT_EQ(reader.log().bytes, 47U);
}

TEST(ServerLogReader, LineEndsPrefixesAndColoursDoNotHinder) {
    const std::string record = "slot print_timing: id  3 | task 7 | n_decoded =   1081, tg =  12.93 t/s";
    for (const std::string& line : {
             record + "\r",
             "Feb 16 03:40:19 llama-local llama-server[3601]: " + record,
             "llama-cpp  | [51429] 0.19.834.943 I " + record,
             "2026-09-18T04:07:30.000000002Z " + record,
             "\x1b[32mINFO\x1b[0m \x1b[1m" + record + "\x1b[0m",
             R"({"log":")" + record + R"(\n","stream":"stderr","time":"2026-09-18T04:07:30.000000002Z"})",
         }) {
        const ServerLog log = serverLogOf(line + "\n");
        ASSERT_EQ(log.progress.size(), 1U) << line;
        EXPECT_EQ(log.progress[0].tokens, 1081);
        EXPECT_EQ(log.requests.at(0).id, "slot 3, task 7");
    }
    const ServerLog docker = serverLogOf(
        R"({"log":"[GIN] 2026/03/11 - 12:04:02 | 200 | 1m43s | 127.0.0.1 | POST     \"/api/generate\"\n","time":"x"})");
    EXPECT_EQ(docker.requests.at(0).path, "POST /api/generate");
}

TEST(ServerLogReader, DaysAreCountedWhereLinesHaveNone) {
    const ServerLog log = serverLogOf("[23:59:58] [BATCH] Step: active=1\n"
                                      "[00:00:01] [BATCH] Step: active=1\n"
                                      "[23:59:59] [BATCH] Step: active=1\n"
                                      "[00:00:00] [BATCH] Step: active=1\n");
    EXPECT_EQ(log.clock, LogClock::TimeOfDay);
    EXPECT_EQ(log.steps.at(1).timeS, 3);
    EXPECT_EQ(log.steps.at(3).timeS, 86402);
    EXPECT_EQ(log.lengthS, 86402);
    EXPECT_TRUE(log.diagnostics.empty());
}

TEST(ServerLogReader, AMonthAndADayAreOfNoYear) {
    const auto at = [](const std::string& time) {
        return "INFO " + time + " [x.py:1] [BATCH] Step: active=1\n";
    };
    EXPECT_EQ(
        serverLogOf(at("02-28 23:59:59") + at("02-29 00:00:01") + at("03-01 00:00:01")).steps.at(2).timeS,
        86402);
    const ServerLog march = serverLogOf(at("02-28 23:59:59") + at("03-01 00:00:01"));
    EXPECT_EQ(march.steps.at(1).timeS, 2) << "a day that no line bears is none";
    EXPECT_THAT(march.notes, testing::Contains(testing::HasSubstr("names no year")));
    EXPECT_EQ(serverLogOf(at("12-31 23:59:59") + at("01-01 00:00:01")).steps.at(1).timeS, 2);
    const ServerLog years = serverLogOf(at("02-28 12:00:00") + at("02-29 12:00:00") + at("12-31 12:00:00") +
                                        at("02-28 12:00:00") + at("03-01 12:00:00"));
    EXPECT_EQ(years.steps.at(3).timeS, 366.0 * 86400);
    EXPECT_EQ(years.steps.at(4).timeS, 367.0 * 86400);
    EXPECT_TRUE(years.diagnostics.empty());
    // A date in between tells the year of all.
    const ServerLog dated =
        serverLogOf(at("12-11 00:06:53") + "2025-12-11 00:06:54,210 - INFO - [BATCH] Step: active=1\n" +
                    at("12-11 00:06:55"));
    EXPECT_EQ(dated.clock, LogClock::Date);
    EXPECT_EQ(formatIso8601(dated.begin), "2025-12-11T00:06:53.000Z");
    EXPECT_NEAR(dated.steps.at(2).timeS, 2, 1e-3);
}

TEST(ServerLogReader, AClockThatGoesBackIsTold) {
    const ServerLog log = serverLogOf("[10:00:10] [BATCH] Step: active=1\n"
                                      "[10:00:00] [BATCH] Step: active=2\n"
                                      "[10:00:01] [BATCH] Step: active=3\n");
    ASSERT_EQ(log.diagnostics.size(), 1U);
    EXPECT_EQ(log.diagnostics[0].kind, DiagnosticKind::BadTimestamp);
    EXPECT_EQ(log.diagnostics[0].line, 2U);
    EXPECT_THAT(logSentenceOf(log.diagnostics[0]), testing::StartsWith("line 2: the clock goes back"));
    EXPECT_EQ(log.steps.at(2).active, 3);
    EXPECT_EQ(log.steps.at(0).timeS, 10);
    EXPECT_EQ(log.steps.at(1).timeS, 0);
}

TEST(ServerLogReader, ZonesAreToldByLinesThatHaveThem) {
    const ServerLog log = serverLogOf(ollamaMlx);
    EXPECT_NEAR(log.requests.at(0).endS, 39, 1e-3); // "19:41:39" beside "19:41:00.000+02:00"
}

TEST(ServerLogReader, AZoneThatIsCutIsNone) {
    const std::string line = "time=2026-08-19T19:41:00.000+02:00";
    for (std::size_t bytes = 0; bytes <= line.size(); ++bytes) {
        EXPECT_EQ(serverLogOf(line.substr(0, bytes)).lines, bytes == 0 ? 0U : 1U);
    }
    EXPECT_EQ(formatIso8601(serverLogOf(line.substr(0, line.size() - 2)).begin), "2026-08-19T19:41:00.000Z");
    EXPECT_EQ(formatIso8601(serverLogOf(line).begin), "2026-08-19T17:41:00.000Z");
}

TEST(ServerLogReader, AServerThatIsStartedAnewGoesOnWhereTheLogIs) {
    const auto live = [](const std::string& time) {
        return time + " I slot print_timing: id  0 | task 1 | n_decoded =    100, tg =  10.00 t/s\n";
    };
    const ServerLog log = serverLogOf(live("1.00.000.000") + live("1.10.000.000") + live("0.05.000.000") +
                                      live("0.09.000.000"));
    EXPECT_EQ(log.progress.at(1).timeS, 10);
    EXPECT_EQ(log.progress.at(2).timeS, 10);
    EXPECT_NEAR(log.progress.at(3).timeS, 14, 1e-9);
}

TEST(ServerLogReader, GoDurationsAreRead) {
    const auto seconds = [](const std::string& text) {
        const ServerLog log = serverLogOf("[GIN] 2026/03/11 - 12:04:02 | 200 | " + text +
                                          " | 127.0.0.1 | POST     \"/api/generate\"\n");
        return log.requests.at(0).endS - log.requests.at(0).arrivalS;
    };
    EXPECT_NEAR(seconds("57.956598944s"), 57.956598944, 1e-6);
    EXPECT_NEAR(seconds("1m43s"), 103, 1e-6);
    EXPECT_NEAR(seconds("1h2m3.5s"), 3723.5, 1e-6);
    EXPECT_NEAR(seconds("1.854138ms"), 0.001854, 1e-6);
    EXPECT_NEAR(seconds("120µs"), 0.00012, 1e-6);
    EXPECT_TRUE(std::isnan(seconds("soon")));
}

TEST(ServerLogReader, LongLinesAreCutAtTheLimit) {
    std::string text = "[BATCH] Step: active=1 " + std::string(10'000'000, 'x') + "[BATCH] Step: active=9\n";
    text += "[BATCH] Step: active=2\n";
    for (const std::size_t bytes : {text.size(), std::size_t{100'000}}) {
        const ServerLog log = inPieces(text, 0, bytes);
        EXPECT_EQ(log.lines, 2U);
        ASSERT_EQ(log.steps.size(), 2U);
        EXPECT_EQ(log.steps[0].active, 1);
        EXPECT_EQ(log.steps[1].active, 2);
        ASSERT_EQ(log.diagnostics.size(), 1U);
        EXPECT_EQ(log.diagnostics[0].kind, DiagnosticKind::LineTooLong);
        EXPECT_EQ(log.diagnostics[0].line, 1U);
    }
}

TEST(ServerLogReader, NulBytesWhereALogWasCutAreLeftOut) {
    const std::string text = std::string(5000, '\0') + "[BATCH] Step: active=1\n";
    for (const std::size_t bytes : {text.size(), std::size_t{7}}) {
        const ServerLog log = inPieces(text, 0, bytes);
        EXPECT_EQ(log.steps.size(), 1U);
        ASSERT_EQ(log.diagnostics.size(), 1U);
        EXPECT_EQ(log.diagnostics[0].kind, DiagnosticKind::NulPadding);
    }
}

TEST(ServerLogReader, KeepsNoMoreThanTheLimitsWhateverTheInput) {
    const ServerLogLimits few{.lineBytes = 200, .intervals = 8, .requests = 3, .others = 5};
    std::string text;
    for (int i = 0; i < 100; ++i) {
        text +=
            "[10:00:" + std::to_string(10 + i % 50) +
            "] Decode batch. #running-req: 8, #token: 100, token usage: 0.12, gen throughput (token/s): " +
            std::to_string(100 + i) + ".0, #queue-req: 0\n";
        text += "slot launch_slot_: id  0 | task " + std::to_string(i) + " | processing task\n";
        text += "[BATCH] Step: active=1\n";
    }
    ServerLogReader reader(few);
    reader.beginFile("log");
    reader.add(text);
    const ServerLog log = reader.log();
    EXPECT_LE(log.intervals.size(), 8U);
    EXPECT_EQ(log.requests.size(), 3U);
    EXPECT_EQ(requestCount(log), 100U) << "all are counted";
    EXPECT_EQ(keptRequestsWords(log), "; figures from the first 3");
    EXPECT_THAT(log.notes, testing::Contains("100 requests; figures from the first 3."));
    EXPECT_EQ(log.steps.size(), 5U);
    EXPECT_EQ(log.lines, 300U);
    EXPECT_EQ(countsOf(log)["sglang_decode"], 100U);
    EXPECT_THAT(log.notes, testing::Contains(testing::HasSubstr("merged")));
    EXPECT_THAT(log.notes, testing::Contains(testing::HasSubstr("left out")));
    EXPECT_EQ(log.intervals[0].where.line, 1U);
    // A merged rate is the mean of those it stands for.
    EXPECT_GT(log.intervals[0].outputTokensPerS, 100);
    EXPECT_LT(log.intervals[0].outputTokensPerS, log.intervals[1].outputTokensPerS);
}

/// Whatever the limit, as many requests are counted: lines find theirs beyond it as before it.
TEST(ServerLogReader, CountsRequestsBeyondTheLimitAsThoseBeforeIt) {
    std::string text;
    for (int i = 0; i < 6000; ++i) { // more than are kept beyond the limit, for any line to find
        text += fmt::format(
            "slot launch_slot_: id  {0} | task {1} | processing task\n"
            "slot print_timing: id  {0} | task {1} | prompt processing, n_tokens =   6144, progress = 0.50, "
            "t =   3.18 s / 1933.31 tokens per second\n"
            "slot print_timing: id  {0} | task {1} |\n"
            "prompt eval time =     100.00 ms /    10 tokens (   10.00 ms per token,   100.00 "
            "tokens per second)\n"
            "slot      release: id  {0} | task {1} | stop processing: n_past = 20, truncated = 0\n"
            "srv  log_server_r: request: {2} 127.0.0.1 200\n",
            i % 4, i, i % 3 == 0 ? "POST /v1/embeddings" : "POST /v1/chat/completions");
    }
    const auto countOf = [&](std::size_t most) {
        ServerLogReader reader({.requests = most});
        reader.beginFile("log");
        reader.add(text);
        const ServerLog log = reader.log();
        EXPECT_LE(log.requests.size(), most);
        EXPECT_EQ(log.progress.size(), 6000U);
        EXPECT_TRUE(std::ranges::all_of(log.progress, [&](const LogProgress& one) {
            return one.request == LogProgress::npos || one.request < log.requests.size();
        }));
        return requestCount(log);
    };
    EXPECT_EQ(countOf(100'000), 4000U);
    EXPECT_EQ(countOf(5), 4000U);
    EXPECT_EQ(countOf(1000), 4000U);
}

TEST(ServerLogReader, MergedStatisticsAreMeansOfAsManyLinesEach) {
    ServerLogReader reader({.lineBytes = 300, .intervals = 8});
    reader.beginFile("log");
    for (int i = 0; i < 100; ++i) {
        reader.add(
            fmt::format("[10:{:02}:{:02}] Decode batch. #running-req: 8, #token: 100, token usage: 0.12, "
                        "gen throughput (token/s): {}.0, #queue-req: 0\n",
                        i / 60, i % 60, i));
    }
    const ServerLog log = reader.log();
    ASSERT_EQ(log.intervals.size(), 7U);
    EXPECT_THAT(log.notes, testing::Contains("Statistics were merged: 16 lines are one."));
    for (std::size_t i = 0; i < log.intervals.size(); ++i) {
        const double first = 16.0 * static_cast<double>(i);
        const double last = std::fmin(first + 15, 99);
        EXPECT_EQ(static_cast<double>(log.intervals[i].where.line), first + 1);
        EXPECT_EQ(log.intervals[i].timeS, last);
        EXPECT_NEAR(log.intervals[i].outputTokensPerS, (first + last) / 2, i == 0 ? 1 : 1e-9);
    }
}

TEST(ServerLogReader, WhatALineOfItsOwnTellsIsMergedToo) {
    ServerLogReader reader({.lineBytes = 400, .intervals = 4});
    reader.beginFile("log");
    for (int i = 0; i < 16; ++i) {
        reader.add(fmt::format(
            "INFO 05-19 12:{0:02}:41 [loggers.py:271] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg "
            "generation throughput: 55.3 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: "
            "5.9%, Prefix cache hit rate: 0.0%\n"
            "INFO 05-19 12:{0:02}:41 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: {0}.5, "
            "Accepted throughput: 1.0 tokens/s, Drafted throughput: 2.0 tokens/s, Accepted: 10 tokens, "
            "Drafted: 20 tokens\n",
            i));
    }
    const ServerLog log = reader.log();
    ASSERT_EQ(log.intervals.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        // The first line of all has no time before it, and so no weight.
        EXPECT_NEAR(log.intervals[i].acceptedLength, 4.0 * static_cast<double>(i) + 2, i == 0 ? 0.5 : 1e-9);
    }
}

TEST(ServerLogReader, EnginesAndSlotsWithoutEndAreLeftOut) {
    ServerLogReader engines({.lineBytes = 300, .intervals = 8});
    engines.beginFile("log");
    for (int i = 0; i < 3000; ++i) {
        engines.add(
            fmt::format("Engine {}: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 55.3 "
                        "tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 5.9%, Prefix "
                        "cache hit rate: 0.0%\n",
                        i));
    }
    EXPECT_EQ(engines.log().intervals.size(), 8U);
    EXPECT_THAT(engines.log().notes, testing::Contains(testing::HasSubstr("left out")));
    ServerLogReader slots;
    slots.beginFile("log");
    for (int i = 0; i < 5000; ++i) {
        slots.add(fmt::format("slot launch_slot_: id  {} | task 1 | processing task\n", i));
    }
    EXPECT_EQ(slots.log().requests.size(), 4096U);
    EXPECT_EQ(countsOf(slots.log())["llama_slot"], 5000U);
}

TEST(ServerLogReader, ALineOfAnchorsCostsNoMoreThanALine) {
    std::string line;
    while (line.size() < (std::size_t{1} << 20)) {
        line += "Prefill batch. #new-seq: 1, #new-token: 2, #cached-token: 3, token usage: ";
    }
    const ServerLog log = serverLogOf(line + "\n");
    EXPECT_FALSE(log.known());
    EXPECT_EQ(log.firstLines.size(), 1U);
}

TEST(ServerLogReader, ShowsTheFirstLinesOfALogThatItDoesNotKnow) {
    const ServerLog log = serverLogOf("one\x1b[2J\ntwo\n\nfour\n");
    EXPECT_FALSE(log.known());
    EXPECT_EQ(log.server, nullptr);
    EXPECT_THAT(log.firstLines, testing::ElementsAre("one\\x1b[2J", "two", ""));
    EXPECT_TRUE(serverLogOf(llamaNew).firstLines.empty());
}

TEST(IsServerLog, IsTrueOfEachServersLinesAndOfNoOther) {
    for (const std::string_view text :
         {vllmStart, vllmV0, sglangNew, llamaNew, ollamaMlx, mlxLm, lmStudio, study}) {
        EXPECT_TRUE(isServerLog(text));
        EXPECT_TRUE(isServerLog("anything\n" + std::string(text)));
    }
    EXPECT_FALSE(isServerLog(""));
    EXPECT_FALSE(isServerLog("2026-01-01 10:00:00 something else\n"));
    EXPECT_FALSE(isServerLog("time=2026-01-01T00:00:00Z level=INFO source=main.go:1 msg=\"hello\"\n"));
    EXPECT_FALSE(isServerLog("{\"a\": \"" + std::string(vllmV0) + "\"}"));
}

} // namespace
} // namespace loadline
