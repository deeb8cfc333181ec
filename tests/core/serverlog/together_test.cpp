// The throughput of all streams is measured; a median that no rate is near becomes a range.
#include "core/serverlog/verdict/together.h"

#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>
#include <functional>

namespace loadline {
namespace {

using test::headlineOn;
using test::says;
using test::vllmLines;
using test::VllmStats;

std::string sglangLine(int second, int rank, int running, double output) {
    return fmt::format(
        "[2026-02-27 04:46:{:02} DP{} TP0] Decode batch. #running-req: {}, #token: 6253, token "
        "usage: 0.12, gen throughput (token/s): {:.2f}, #queue-req: 0\n",
        second, rank, running, output);
}

TEST(Together, IsOfLinesNotOfMedians) {
    // Medians of 20 streams and 30 tokens/s each are of different lines: no line tells 600.
    const std::string text = vllmLines(30, [](int i) {
        return i % 3 == 0   ? VllmStats{.output = 400, .running = 10}
               : i % 3 == 1 ? VllmStats{.output = 560, .running = 20}
                            : VllmStats{.output = 660, .running = 22};
    });
    EXPECT_TRUE(says(headlineOn(text), ", 560 together")) << headlineOn(text);
}

TEST(Together, LinesCountByTheirTime) {
    const std::string text = sglangLine(0, 0, 4, 100) + sglangLine(1, 0, 4, 100) + sglangLine(2, 0, 4, 100) +
                             sglangLine(12, 0, 4, 96);
    EXPECT_TRUE(says(headlineOn(text), ", 96 together")) << headlineOn(text);
}

TEST(Together, TwoLevelsAreARange) {
    const std::string text =
        vllmLines(60, [](int i) { return VllmStats{.output = i / 15 % 2 == 0 ? 100.0 : 55.0}; });
    EXPECT_TRUE(
        headlineOn(text).starts_with("A stream decodes at 55 to 100 tokens/s (most of 60 observations)"))
        << headlineOn(text);
}

TEST(Together, SlotsThatComputePromptsDoNotDecode) {
    // Two requests decode for 10 s each, and one second at once: 200 tokens in 19 s.
    ServerLog log;
    log.files = {"slots.log"};
    log.lines = log.knownLines = 4;
    for (int i = 0; i < 2; ++i) {
        LogRequest request;
        request.first.line = request.last.line = static_cast<std::uint64_t>(i + 1);
        request.arrivalS = 0;
        request.firstTokenS = 9.0 * i + 1;
        request.endS = request.firstTokenS + 10;
        request.prefillS = request.firstTokenS;
        request.decodeS = 10;
        request.outputTokens = 100;
        request.decodeTokensPerS = 10;
        request.end = RequestEnd::Complete;
        log.requests.push_back(request);
    }
    log.lengthS = 20;
    const LogVerdict verdict = verdictOf(log, {});
    EXPECT_DOUBLE_EQ(verdict.rates[0].streams, 1.1);
    EXPECT_TRUE(says(verdict.headline, "Each of 1.1 streams decodes at 10 tokens/s, 10.5 together"))
        << verdict.headline;
}

TEST(Together, EnginesThatHaveNotWrittenYetCount) {
    std::string text;
    for (int rank = 0; rank < 4; ++rank) {
        text += sglangLine(rank, rank, 8, 150);
    }
    text += sglangLine(5, 0, 8, 150);
    EXPECT_TRUE(says(headlineOn(text), "4 engines 600 together")) << headlineOn(text);
    EXPECT_DOUBLE_EQ(engineSumsOf(serverLogOf(text)).front().running, 32);
}

TEST(Together, StreamsAreThoseThatRanMostOfTheTime) {
    // The rate in the middle is of a line with 16 streams; others have 4, of which 12 just ended, to 12.
    const std::string text = vllmLines(60, [](int i) {
        const int running = i % 6 == 0 ? 16 : 2 + 2 * (i % 6);
        return VllmStats{.output = running * (i % 6 == 0 ? 42.0 : 30.0 + 5 * (i % 6)), .running = running};
    });
    EXPECT_TRUE(says(headlineOn(text), "Each of 6 to 16 streams decodes at")) << headlineOn(text);
}

TEST(Together, RequestsThatEndedWithinALineMadeItsTokensToo) {
    // Five streams at 60 tokens/s, of which four end just before a line is written.
    const std::string text = vllmLines(
        60, [](int i) { return VllmStats{.prompt = 50, .output = 300, .running = i % 2 == 0 ? 5 : 1}; });
    for (const ObservedRate& rate : verdictOf(serverLogOf(text), {}).rates) {
        EXPECT_LE(rate.tokensPerS, 60) << rate.where.line;
    }
}

TEST(Together, TheFewRatesWithoutPromptsStandBesideThoseWithThem) {
    // A steady load with prompts all the time, and its drain.
    const std::string text = vllmLines(40, [](int i) {
        return i < 34 ? VllmStats{.prompt = 900, .output = 240, .running = 20}
                      : VllmStats{.output = 480, .running = 20};
    });
    EXPECT_TRUE(says(headlineOn(text), "decodes at 12 tokens/s or more, 240 together")) << headlineOn(text);
    EXPECT_TRUE(says(headlineOn(text), "most with prompts; 24 in the 6 without)")) << headlineOn(text);
}

TEST(Together, ShortRequestsTellNoRateOfAStream) {
    // Answers of two seconds: most lines end with none running, and the others hold a part of one.
    const std::string text = vllmLines(60, [](int i) {
        return VllmStats{.prompt = 100, .output = i % 4 == 0 ? 15.0 : 30.0, .running = i % 4 == 0 ? 1 : 0};
    });
    EXPECT_TRUE(says(headlineOn(text), "no rate of one is told")) << headlineOn(text);
    EXPECT_TRUE(says(headlineOn(text), "30 tokens/s of output are the median of lines")) << headlineOn(text);
    EXPECT_TRUE(says(headlineOn(text), "idle parts")) << headlineOn(text);
}

TEST(NoProgress, AServerThatIsStuckIsNotHealthy) {
    const std::string text = vllmLines(180, [](int i) {
        return i < 60 ? VllmStats{.output = 300, .running = 6}
                      : VllmStats{.output = 0, .running = 6, .waiting = i / 5};
    });
    const Finding stuck = test::findingOn(text, "no_progress");
    EXPECT_EQ(stuck.verdict, Verdict::Supported);
    EXPECT_TRUE(says(stuck.reason,
                     "for 20 min 00 s in lines 61 to 180, with up to 6 requests running and 35 waiting"))
        << stuck.reason;
    EXPECT_TRUE(says(headlineOn(text), "No token came out for 20 min")) << headlineOn(text);
}

TEST(NoProgress, PromptsAndIdleTimeAreNone) {
    const auto isTold = [](const std::function<VllmStats(int)>& of) {
        const LogVerdict verdict = verdictOf(serverLogOf(vllmLines(60, of)), {});
        return std::ranges::any_of(verdict.findings,
                                   [](const Finding& one) { return one.key == "no_progress"; });
    };
    EXPECT_FALSE(isTold([](int i) { return VllmStats{.output = i % 2 * 100.0, .running = i % 2}; }));
    EXPECT_FALSE(isTold([](int i) { // a long prompt
        return VllmStats{.prompt = 2000, .output = i < 30 ? 100.0 : 0.0, .running = 1};
    }));
    EXPECT_FALSE(isTold([](int i) { return VllmStats{.output = i == 30 ? 0.0 : 100.0, .running = 1}; }));
}

/// A line of SGLang each second of ten streams; nothing from the 40th on until `nextS`, when `resume`
/// follows.
std::string silentSglang(int nextS, const std::string& resume) {
    const auto stamp = [](int s) { return fmt::format("[2026-06-09 08:{:02}:{:02}] ", s / 60, s % 60); };
    const auto decode = [&](int s, double rate) {
        return stamp(s) + fmt::format("Decode batch. #running-req: 10, #token: 30000, token usage: 0.10, gen "
                                      "throughput (token/s): {:.2f}, #queue-req: 0\n",
                                      rate);
    };
    std::string text = stamp(0) + "Prefill batch. #new-seq: 10, #new-token: 9000, #cached-token: 0, token "
                                  "usage: 0.00, #running-req: 0, #queue-req: 0, \n";
    for (int s = 1; s < 40; ++s) {
        text += decode(s, 400);
    }
    text += (resume.empty() ? resume : stamp(nextS) + resume) + decode(nextS, 400.0 / (nextS - 39));
    for (int s = nextS + 1; s < nextS + 40; ++s) {
        text += decode(s, 400);
    }
    return text;
}

TEST(NoProgress, ASilenceWhileRequestsRunIsOne) {
    const Finding stuck = test::findingOn(silentSglang(639, ""), "no_progress");
    EXPECT_EQ(stuck.verdict, Verdict::Supported);
    EXPECT_TRUE(says(stuck.reason, "for 10 min 00 s between lines 40 and 41, with up to 10 requests running"))
        << stuck.reason;
    const std::string prompt = "Prefill batch. #new-seq: 3, #new-token: 900, #cached-token: 0, token usage: "
                               "0.10, #running-req: {}, #queue-req: 126, \n";
    const Finding queued =
        test::findingOn(silentSglang(639, fmt::format(fmt::runtime(prompt), 10)), "no_progress");
    EXPECT_TRUE(says(queued.reason, "with up to 10 requests running and 126 waiting")) << queued.reason;
    const auto isTold = [](const std::string& text) {
        return std::ranges::any_of(verdictOf(serverLogOf(text), {}).findings,
                                   [](const Finding& one) { return one.key == "no_progress"; });
    };
    EXPECT_FALSE(isTold(silentSglang(639, fmt::format(fmt::runtime(prompt), 0)))) << "idle";
    EXPECT_FALSE(isTold(silentSglang(69, ""))) << "half a minute";
}

} // namespace
} // namespace loadline
