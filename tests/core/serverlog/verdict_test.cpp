// Claims that a log decides or leaves open: the study's case, and variants that must change the verdict.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/log_figure.h"
#include "tests/core/serverlog/study_log.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

ServedOn gemma() {
    return {.model = findCacheModel("gemma-3-12b"), .bitsPerWeight = 4.5, .device = "M3-Max-40c"};
}

const Finding& findingOf(const LogVerdict& verdict, std::string_view key) {
    const auto found = std::ranges::find(verdict.findings, key, &Finding::key);
    EXPECT_NE(found, verdict.findings.end()) << key;
    return *found;
}

Verdict verdictOn(const LogVerdict& verdict, std::string_view key) {
    return findingOf(verdict, key).verdict;
}

TEST(LogVerdict, OfTheStudyIsNotSeveralTimesSlow) {
    const LogVerdict verdict = verdictOf(studyLog(), gemma());
    EXPECT_NEAR(verdict.shareLow, 0.485, 0.001);
    EXPECT_NEAR(verdict.shareHigh, 0.684, 0.001);
    EXPECT_NE(verdict.headline.find("25.5 tokens/s"), std::string::npos) << verdict.headline;
    EXPECT_NE(verdict.headline.find("is not supported"), std::string::npos) << verdict.headline;
    for (const char* open :
         {"concurrent_requests", "prefill_interleaving", "output_cap", "model_or_quantisation",
          "cache_reconstruction", "engine_settings", "thermal_decay", "cache_misses"}) {
        EXPECT_EQ(verdictOn(verdict, open), Verdict::NotExcluded) << open;
    }
    EXPECT_EQ(verdictOn(verdict, "implausible_hits"), Verdict::Supported);
    EXPECT_NE(findingOf(verdict, "implausible_hits").reason.find("48 layers x a window of"),
              std::string::npos)
        << findingOf(verdict, "implausible_hits").reason;
    EXPECT_EQ(findingOf(verdict, "implausible_hits").evidence, (std::vector<LogLine>{{0, 5}}));
    EXPECT_EQ(verdictOn(verdict, "streaming_or_client"), Verdict::Excluded);
    ASSERT_FALSE(verdict.next.empty());
    EXPECT_NE(verdict.next.front().find("each step holds"), std::string::npos) << "it would decide most";
}

TEST(LogVerdict, OfTheStudySaysHowSlowAsItsRangeDoes) {
    const LogVerdict verdict = verdictOf(studyLog(), gemma());
    EXPECT_NE(findingOf(verdict, "model_or_quantisation").reason.find("to 37.9 tokens/s here"),
              std::string::npos)
        << findingOf(verdict, "model_or_quantisation").reason;
    EXPECT_NE(verdict.headline.find("it is 1.5 times at most"), std::string::npos) << verdict.headline;
    ServedOn half = gemma();
    half.device.clear();
    EXPECT_TRUE(findingOf(verdictOf(studyLog(), half), "model_or_quantisation")
                    .reason.starts_with("The device is not said"));
    half = gemma();
    half.model = nullptr;
    EXPECT_TRUE(findingOf(verdictOf(studyLog(), half), "model_or_quantisation")
                    .reason.starts_with("The model is not said"));
    EXPECT_EQ(requestCount(studyLog()), 4U) << "one counts tokens";
}

TEST(LogVerdict, AnOutputAloneIsAContextAtLeast) {
    ServerLog log = studyLog();
    log.requests.clear();
    for (int i = 0; i < 8; ++i) {
        log.progress.push_back(
            {.where = {0, 1}, .timeS = 3.0 * i, .tokens = 1081.0 + 40 * i, .tokensPerS = 12});
    }
    const LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_NE(verdict.headline.find("with at least 1"), std::string::npos) << verdict.headline;
    EXPECT_NE(verdict.headline.find(" or more of what"), std::string::npos) << verdict.headline;
    for (LogProgress& progress : log.progress) {
        progress.tokensPerS -= progress.timeS / 8;
    }
    EXPECT_NE(findingOf(verdictOf(log, {}), "thermal_decay").reason.find("grows at most 1.3 times"),
              std::string::npos)
        << findingOf(verdictOf(log, {}), "thermal_decay").reason;
}

TEST(LogVerdict, SaysWhichServersALogMixes) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
        text += "INFO 05-19 12:24:01 [loggers.py:271] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg "
                "generation throughput: 50.0 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: "
                "5.9%, Prefix cache hit rate: 0.0%\n";
    }
    const std::string sglang =
        "[2025-02-27 04:46:39 TP0] Decode batch. #running-req: 8, #token: 62531, token "
        "usage: 0.12, gen throughput (token/s): 186.64, #queue-req: 0\n";
    EXPECT_TRUE(verdictOf(serverLogOf(text + sglang), {})
                    .headline.starts_with("Records of vLLM (3) and SGLang (1) are mixed in this log"));
    EXPECT_EQ(verdictOn(verdictOf(serverLogOf(text + sglang), {}), "concurrent_requests"), Verdict::Supported)
        << "by the other server's line";
    EXPECT_TRUE(verdictOf(serverLogOf(text), {}).headline.starts_with("A stream decodes"));
}

TEST(LogVerdict, OfTheStudyAtSixtyTokensASecondChanges) {
    ServerLog log = studyLog();
    log.requests[3].endS = log.requests[3].arrivalS + 8192 / 60.0;
    const LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_GT(verdict.shareLow, 1);
    EXPECT_NE(verdict.headline.find("more than can be"), std::string::npos) << verdict.headline;
}

TEST(LogVerdict, StepsWithTwoRequestsDecide) {
    ServerLog log = studyLog();
    log.steps = {{{0, 7}, 330, 2, notTold, notTold}, {{0, 7}, 331, 2, notTold, notTold}};
    LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_EQ(verdictOn(verdict, "concurrent_requests"), Verdict::Supported);
    EXPECT_TRUE(
        verdict.headline.starts_with("Each of 2 streams decodes at 25.5 tokens/s or more (output over"))
        << verdict.headline << ": what the other one got is not told";
    EXPECT_EQ(verdict.headline.find("published rate"), std::string::npos) << "those are of one stream";
    ASSERT_TRUE(verdict.light);
    EXPECT_DOUBLE_EQ(verdict.shareLow, verdict.rates[0].tokensPerS / verdict.light->ceiling(9983, 2));
    log.steps[0].active = log.steps[1].active = 1;
    verdict = verdictOf(log, gemma());
    EXPECT_EQ(verdictOn(verdict, "concurrent_requests"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdict, "prefill_interleaving"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdict, "preemption"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdict, "engine_settings"), Verdict::NotExcluded) << "no absence of prompts says so";
}

TEST(LogVerdict, RatesOverWallTimeAreNamed) {
    ServerLog log = studyLog();
    log.events.push_back({{0, 9}, LogEventKind::ReportedRate, notTold, 21'585, 47.65, ""});
    const LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_EQ(verdictOn(verdict, "rate_arithmetic"), Verdict::Supported);
    EXPECT_NE(findingOf(verdict, "rate_arithmetic").reason.find("453 tokens/s"), std::string::npos)
        << findingOf(verdict, "rate_arithmetic").reason;
    EXPECT_NE(findingOf(verdict, "rate_arithmetic").reason.find("at most 2"), std::string::npos)
        << findingOf(verdict, "rate_arithmetic").reason;
    log.events.back().tokens = 1000;
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "rate_arithmetic"), Verdict::Excluded);
}

LogInterval intervalAt(double timeS, double rate, double contextEach) {
    LogInterval interval;
    interval.where = {0, static_cast<std::uint64_t>(timeS) + 1};
    interval.timeS = timeS;
    interval.promptTokensPerS = 0;
    interval.outputTokensPerS = rate;
    interval.running = 1;
    interval.waiting = 0;
    interval.contextTokens = contextEach;
    return interval;
}

/// A rate that falls to 70 % over the time: as the ceiling at a growing context, or at one context.
ServerLog falling(bool contextGrows) {
    const SpeedOfLight light(gemma());
    ServerLog log;
    log.files = {"falling.log"};
    log.lines = log.knownLines = 30;
    for (int i = 0; i < 30; ++i) {
        const double context = contextGrows ? 1000.0 + 2000 * i : 1000;
        const double rate = contextGrows ? 0.6 * light.ceiling(context) : (1 - 0.01 * i) * 30;
        log.intervals.push_back(intervalAt(10.0 * i, rate, context));
    }
    log.lengthS = 290;
    return log;
}

TEST(LogVerdict, RatesAreNotComparedAcrossAClockThatGoesBack) {
    ServerLog log = falling(false);
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "thermal_decay"), Verdict::Supported);
    log.intervals.back().timeS = 5;
    EXPECT_EQ(observedRatesOf(log).back().timeS, 280) << "by time";
    log.diagnostics = {
        {DiagnosticKind::BadTimestamp, 30, 1, "the clock goes back; the order of lines is kept"}};
    EXPECT_EQ(observedRatesOf(log).back().timeS, 5) << "by lines";
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "thermal_decay"), Verdict::NotExcluded);
}

TEST(LogVerdict, ARateThatFallsWithItsContextIsNoHeat) {
    EXPECT_EQ(verdictOn(verdictOf(falling(true), gemma()), "thermal_decay"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdictOf(falling(true), {}), "thermal_decay"), Verdict::NotExcluded)
        << "without a ceiling the context may explain it";
    EXPECT_EQ(verdictOn(verdictOf(falling(false), gemma()), "thermal_decay"), Verdict::Supported);
}

TEST(LogVerdict, StatisticsDecideQueueBatchAndPrefill) {
    ServerLog log = falling(true);
    LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_EQ(verdictOn(verdict, "concurrent_requests"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdict, "queueing"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdict, "prefill_interleaving"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdict, "model_or_quantisation"), Verdict::Excluded) << "60 % is what is published";
    for (std::size_t i = 5; i < 13; ++i) {
        const bool prompts = i % 2 == 1;
        log.intervals[i].running = 3;
        log.intervals[i].contextTokens *= 3;
        log.intervals[i].outputTokensPerS *= prompts ? 1 : 3;
        log.intervals[i].promptTokensPerS = prompts ? 900 : 0;
    }
    log.intervals[7].waiting = 2;
    log.intervals[7].kvUse = 0.99;
    verdict = verdictOf(log, gemma());
    EXPECT_EQ(verdictOn(verdict, "concurrent_requests"), Verdict::Supported);
    EXPECT_EQ(verdictOn(verdict, "queueing"), Verdict::Supported);
    EXPECT_EQ(verdictOn(verdict, "prefill_interleaving"), Verdict::Supported);
    EXPECT_EQ(verdictOn(verdict, "preemption"), Verdict::NotExcluded);
    EXPECT_EQ(findingOf(verdict, "queueing").evidence, (std::vector<LogLine>{log.intervals[7].where}));
}

TEST(LogVerdict, ASlowModelIsSupportedOnlyWhereDecodingWasTimedAlone) {
    ServerLog log = falling(true);
    for (LogInterval& interval : log.intervals) {
        interval.outputTokensPerS /= 4;
    }
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "model_or_quantisation"), Verdict::Supported);
    ServerLog study = studyLog();
    study.requests[3].outputTokens = 1000;
    EXPECT_EQ(verdictOn(verdictOf(study, gemma()), "model_or_quantisation"), Verdict::NotExcluded);
}

TEST(LogVerdict, SerialRequestsExcludeSharing) {
    ServerLog log = studyLog();
    log.requests = {log.requests[3], log.requests[3]};
    log.requests[1].arrivalS = 644;
    log.requests[1].endS = 700;
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "concurrent_requests"), Verdict::Excluded);
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "output_cap"), Verdict::Supported)
        << "two of the same round length";
    log.requests[1].arrivalS = 600;
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "concurrent_requests"), Verdict::Supported);
}

TEST(LogVerdict, LongestAnswersOfOneLengthMayHaveACap) {
    ServerLog log = studyLog();
    log.requests = {log.requests[3], log.requests[3], log.requests[3]};
    log.requests[0].outputTokens = 90;
    log.requests[1].outputTokens = log.requests[2].outputTokens = 150;
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "output_cap"), Verdict::NotExcluded);
    log.requests[2].outputTokens = 151;
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "output_cap"), Verdict::Excluded);
}

TEST(LogVerdict, ARateThatIsPrintedOfTheWholeTimeIsNoDecoding) {
    ServerLog log = studyLog();
    log.requests[3].decodeTokensPerS = 25.5; // as printed: 8192 / 321
    const LogVerdict verdict = verdictOf(log, gemma());
    ASSERT_EQ(verdict.rates.size(), 1U);
    EXPECT_TRUE(verdict.rates[0].atLeast);
    EXPECT_NEAR(verdict.rates[0].tokensPerS, 25.52, 0.001);
    log.requests[3].decodeTokensPerS = 30;
    EXPECT_FALSE(verdictOf(log, gemma()).rates[0].atLeast);
}

TEST(LogVerdict, AHitAndItsRebuildingCountOnce) {
    ServerLog log = studyLog();
    log.events.insert(log.events.begin() + 3, log.events[2]);
    EXPECT_NE(findingOf(verdictOf(log, gemma()), "cache_misses").reason.find("3 of 4"), std::string::npos);
}

TEST(LogVerdict, WithoutARateOfDecodingSaysWhatIsTold) {
    ServerLog log = studyLog();
    log.requests[3].outputTokens = notTold;
    EXPECT_NE(verdictOf(log, {}).headline.find("Requests take 5 min 21 s"), std::string::npos)
        << verdictOf(log, {}).headline;
    log.progress = {{.where = {0, 2}, .timeS = 1, .ofPrompt = true, .tokens = 512, .tokensPerS = 53.8}};
    EXPECT_NE(verdictOf(log, {}).headline.find("Prompts are computed at 53.8 tokens/s"), std::string::npos);
}

TEST(LogVerdict, PublishedRatesAreOfOneStream) {
    ServerLog log = falling(true);
    for (LogInterval& interval : log.intervals) {
        interval.running = 8;
    }
    const LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_EQ(verdictOn(verdict, "model_or_quantisation"), Verdict::NotExcluded);
    EXPECT_EQ(verdict.headline.find("published"), std::string::npos) << verdict.headline;
}

TEST(LogVerdict, ALowHitRateAloneIsNoMiss) {
    ServerLog log = falling(true);
    for (LogInterval& interval : log.intervals) {
        interval.prefixHit = 0;
    }
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "cache_misses"), Verdict::NotExcluded);
    for (LogInterval& interval : log.intervals) {
        interval.prefixHit = 0.9;
    }
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "cache_misses"), Verdict::NotExcluded)
        << "a tenth may have been computed before";
    for (LogInterval& interval : log.intervals) {
        interval.prefixHit = 0.99;
    }
    EXPECT_EQ(verdictOn(verdictOf(log, gemma()), "cache_misses"), Verdict::Excluded);
}

TEST(LogVerdict, OfAnUnknownLogSaysSo) {
    ServerLog log;
    log.lines = 4;
    const LogVerdict verdict = verdictOf(log, gemma());
    EXPECT_TRUE(verdict.findings.empty());
    EXPECT_NE(verdict.headline.find("No line"), std::string::npos);
}

TEST(LogVerdict, AsMarkdownNamesEveryFindingItsLinesAndTheirTexts) {
    const ServerLog log = studyLog();
    const LogVerdict verdict = verdictOf(log, gemma());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < evidenceOf(verdict).size(); ++i) {
        texts.push_back("text ``" + std::to_string(i) + " \x1b[2J");
    }
    const std::string markdown = markdownOf(verdict, log, texts);
    for (const Finding& finding : verdict.findings) {
        EXPECT_NE(markdown.find(std::string(finding.claim)), std::string::npos) << finding.key;
        EXPECT_NE(markdown.find(finding.reason), std::string::npos) << finding.key;
    }
    EXPECT_NE(markdown.find("``` text ``0"), std::string::npos) << "fenced with more than it holds";
    EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
}

TEST(LogVerdict, AsMarkdownShowsNamesOfFilesAsTheyAre) {
    ServerLog log = studyLog();
    log.files = {"<script>`|*a*.log", "b.log"};
    const std::string markdown = markdownOf(verdictOf(log, gemma()), log, {});
    EXPECT_NE(markdown.find("- `` <script>`|*a*.log ``, line "), std::string::npos) << markdown;
    EXPECT_EQ(markdown.find("- <script>"), std::string::npos);
}

TEST(LogFigure, KnowsTheContextWorthDrawing) {
    const LogFigure figure = logFigureOf(std::make_shared<const ServerLog>(studyLog()), gemma());
    EXPECT_GT(figure.mostContext, 57'344);
    EXPECT_EQ(logFigureOf(std::make_shared<const ServerLog>(), {}).mostContext, 16'384);
}

} // namespace
} // namespace loadline
