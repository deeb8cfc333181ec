// A log is judged on its worst span, the reason says how much, and a few lines decide nothing.
#include "core/serverlog/verdict/worst_span.h"

#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/log_figure.h"
#include "core/serverlog/verdict/now_words.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <string>

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLine;
using test::vllmLines;
using test::VllmStats;

TEST(WorstSpan, ARateThatHalvesEveryFiveMinutesIsNoSteadyOne) {
    const auto halving = [](int i) { return VllmStats{.output = i / 30 % 2 == 0 ? 100.0 : 55.0}; };
    const std::string text = vllmLines(360, halving);
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "lines 31 to 60")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "45.0 % less")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "to 9 min 50 s after")) << finding.reason;
    const Finding steady =
        findingOn(vllmLines(360, [](int i) { return VllmStats{.output = 100.0 + i % 3}; }), "thermal_decay");
    EXPECT_EQ(steady.verdict, Verdict::Excluded) << steady.reason;
}

TEST(WorstSpan, ScatterIsNoFall) {
    std::uint32_t state = 1;
    const Finding finding = findingOn(vllmLines(600,
                                                [&](int) {
                                                    state = state * 1664525 + 1013904223;
                                                    return VllmStats{.output = 90.0 + (state >> 16) % 21};
                                                }),
                                      "thermal_decay");
    EXPECT_NE(finding.verdict, Verdict::Supported) << finding.reason;
}

/// Batches of 1 to 5 take turns, each 40 steps a line as SGLang writes them; all slow down by 0.6 after 15
/// min.
TEST(WorstSpan, BatchesThatTakeTurnsAreComparedEachWithItself) {
    std::string text;
    double s = 0;
    for (int i = 0; s < 1800; ++i) {
        const int running = 1 + i * 7 % 5;
        const double rate = (100.0 - running) * (s < 900 ? 1.0 : 0.6);
        s += 40 / rate;
        const auto at = static_cast<int>(s);
        text +=
            fmt::format("[2026-02-27 04:{:02}:{:02} TP0] Decode batch. #running-req: {}, #token: {}, token "
                        "usage: 0.05, gen throughput (token/s): {:.2f}, #queue-req: 0\n",
                        at / 60, at % 60, running, 3000 * running, rate * running);
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "at a like batch and context")) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "40.0 % less")) << finding.reason;
    const std::string headline = test::headlineOn(text);
    EXPECT_TRUE(says(headline, "40.0 % less than in lines")) << headline;
}

TEST(WorstSpan, AFallIsFoundWhileTheContextGrows) {
    const auto filling = [](double fallen) {
        return [=](int i) {
            const double growth = 1 + i / 178.0; // what the cache adds to a step
            return VllmStats{
                .output = 1600 / growth * (i < 80 ? 1 : fallen), .running = 24, .kv = 1 + 62.0 * i / 178};
        };
    };
    const Finding fall = findingOn(vllmLines(178, filling(0.7)), "thermal_decay");
    EXPECT_EQ(fall.verdict, Verdict::Supported) << fall.reason;
    EXPECT_TRUE(says(fall.reason, "at a like batch and context")) << fall.reason;
    const Finding none = findingOn(vllmLines(178, filling(1)), "thermal_decay");
    EXPECT_NE(none.verdict, Verdict::Supported) << none.reason;
}

/// A step of 22 ms and 0.45 us a token of context, which grows 2.5 times, again and again.
TEST(WorstSpan, AContextThatGrowsAgainAndAgainIsNoHeat) {
    const auto agent = [](int i) {
        const double context = 20'000 + 1000.0 * (i % 30);
        return VllmStats{.output = 1 / (0.022 + 0.45e-6 * context), .kv = context / 1000};
    };
    const Finding finding = findingOn(vllmLines(360, agent), "thermal_decay");
    EXPECT_NE(finding.verdict, Verdict::Supported) << finding.reason;
}

/// Only neighbours have a like context, so that a decline of 30 % in 25 min shows in none of them.
TEST(WorstSpan, AContextThatGrowsOnExcludesNoDecline) {
    const std::string text = vllmLines(150, [](int i) {
        return VllmStats{.output = 16 * 43 * (1 - 0.3 * i / 150), .running = 16, .kv = 2 + 60.0 * i / 150};
    });
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "while the KV cache fills from")) << finding.reason;
}

/// A step of 12 ms and 0.12 us a token of context, which shrinks after each conversation: far from the
/// ceiling, whose share falls with it.
TEST(WorstSpan, AContextThatShrinksIsNoHeatInSharesOfTheCeiling) {
    const ServedOn served{
        .model = findCacheModel("llama-3.1-8b"), .bitsPerWeight = 4.5, .device = "H100-SXM"};
    const auto agent = [](int i) {
        const double context = 3000 + 1900.0 * (i % 30);
        return VllmStats{.output = 1 / (0.012 + 0.12e-6 * context), .kv = context / 1000};
    };
    const std::string facts = "INFO 06-01 10:00:00 [kv_cache_utils.py:1] GPU KV cache size: 100,000 tokens\n";
    const LogVerdict verdict = verdictOf(serverLogOf(facts + vllmLines(360, agent)), served);
    ASSERT_TRUE(verdict.light);
    const Finding finding = findingOn(facts + vllmLines(360, agent), "thermal_decay", served);
    EXPECT_NE(finding.verdict, Verdict::Supported) << finding.reason;
    const auto throttled = [&agent](int i) {
        VllmStats stats = agent(i);
        stats.output *= i < 200 ? 1 : 0.7;
        return stats;
    };
    const Finding fall = findingOn(facts + vllmLines(360, throttled), "thermal_decay", served);
    EXPECT_EQ(fall.verdict, Verdict::Supported) << fall.reason;
}

TEST(WorstSpan, ScatterOfOneEngineDoesNotHideTheFallOfAnother) {
    std::string text;
    std::uint32_t state = 1;
    for (int i = 0; i < 240; ++i) {
        state = state * 1664525U + 1013904223U;
        const double scatter = static_cast<double>(state >> 8U) / (1U << 24U);
        text += vllmLine({.output = 60 + 80 * scatter}, 10 * i, 0) +
                vllmLine({.output = i < 120 ? 100.0 : 80.0}, 10 * i, 1);
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "20.0 % less")) << finding.reason;
}

TEST(WorstSpan, ManyObservationsTellAFallThroughTheirScatter) {
    std::uint32_t state = 1;
    std::string text;
    for (int i = 0; i < 1200; ++i) { // one a second
        state = state * 1664525U + 1013904223U;
        const double scatter = 1 + 0.5 * (static_cast<double>(state >> 8U) / (1U << 24U) - 0.5);
        text += vllmLine({.output = 100 * scatter * (i < 600 ? 1 : 0.6)}, i);
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
}

TEST(WorstSpan, ARateThatOnlyRisesIsNoHeat) {
    const Finding finding =
        findingOn(vllmLines(60, [](int i) { return VllmStats{.output = 50.0 + i}; }), "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Excluded) << finding.reason;
}

TEST(WorstSpan, ALargerBatchIsNoHeat) {
    const Finding finding =
        findingOn(vllmLines(60,
                            [](int i) {
                                return i < 30 ? VllmStats{.output = 100}
                                              : VllmStats{.output = 400, .running = 8, .kv = 40};
                            }),
                  "thermal_decay");
    EXPECT_NE(finding.verdict, Verdict::Supported) << finding.reason;
}

TEST(WorstSpan, LinesThatAllHoldPromptsTellAFallWherePromptsDoNotGrow) {
    const auto falling = [](double more) {
        return vllmLines(120, [more](int i) {
            const double share = i / 119.0;
            return VllmStats{
                .prompt = 900 * (1 + more * share), .output = 400 * (1 - 0.4 * share), .running = 4};
        });
    };
    const Finding alike = findingOn(falling(0), "thermal_decay");
    EXPECT_EQ(alike.verdict, Verdict::Supported) << alike.reason;
    EXPECT_TRUE(says(alike.reason, "3") && says(alike.reason, "% less")) << alike.reason;
    EXPECT_TRUE(says(alike.reason, "as many prompt tokens/s")) << alike.reason;
    EXPECT_EQ(findingOn(falling(-0.4), "thermal_decay").verdict, Verdict::Supported);
    const Finding more = findingOn(falling(0.6), "thermal_decay");
    EXPECT_EQ(more.verdict, Verdict::NotExcluded) << more.reason;
    EXPECT_TRUE(says(more.reason, "hold prompts")) << more.reason;
}

TEST(WorstSpan, AMedianDoesNotHideWhatTheModelIsSlowIn) {
    const ServedOn served{
        .model = findCacheModel("gemma-3-12b"), .bitsPerWeight = 4.5, .device = "M3-Max-40c"};
    const std::string facts = "INFO 06-01 10:00:00 [kv_cache_utils.py:1] GPU KV cache size: 20,000 tokens\n";
    const auto with = [&](double slow) {
        return facts +
               vllmLines(120, [slow](int i) { return VllmStats{.output = i / 30 == 2 ? slow : 36.0}; });
    };
    EXPECT_EQ(findingOn(with(36), "model_or_quantisation", served).verdict, Verdict::Excluded);
    const Finding slow = findingOn(with(12), "model_or_quantisation", served);
    EXPECT_EQ(slow.verdict, Verdict::NotExcluded) << slow.reason;
    EXPECT_TRUE(says(slow.reason, "only")) << slow.reason;
}

TEST(WorstSpan, AFewLinesWithoutPromptsDoNotStandForAll) {
    const std::string text = vllmLines(
        300, [](int i) { return i < 3 ? VllmStats{.output = 87} : VllmStats{.prompt = 500, .output = 42}; });
    const std::string headline = verdictOf(serverLogOf(text), {}).headline;
    EXPECT_TRUE(headline.starts_with("A stream decodes at 42 tokens/s or more")) << headline;
    EXPECT_TRUE(says(headline, "most with prompts")) << headline;
    const std::string idle =
        verdictOf(
            serverLogOf(vllmLines(20, [](int) { return VllmStats{.prompt = 2, .output = 0, .running = 0}; })),
            {})
            .headline;
    EXPECT_FALSE(says(idle, "computed at")) << idle;
    EXPECT_TRUE(says(idle, "Prompts of 2 tokens/s came in")) << idle;
}

TEST(WorstSpan, PromptsInBetweenSayWhatTheyCost) {
    const auto mixed = [](double loss) {
        return vllmLines(60, [loss](int i) {
            return i % 2 == 0 ? VllmStats{.prompt = 900, .output = 400 * (1 - loss), .running = 8}
                              : VllmStats{.output = 400, .running = 8};
        });
    };
    const Finding slowed = findingOn(mixed(0.3), "prefill_interleaving");
    EXPECT_EQ(slowed.verdict, Verdict::Supported) << slowed.reason;
    EXPECT_TRUE(says(slowed.reason, "30.0 % less")) << slowed.reason;
    EXPECT_EQ(findingOn(mixed(0), "prefill_interleaving").verdict, Verdict::Excluded);
    const Finding faster =
        findingOn(vllmLines(60,
                            [](int i) {
                                return i % 2 == 0 ? VllmStats{.prompt = 900, .output = 1080, .running = 30}
                                                  : VllmStats{.output = 390, .running = 6};
                            }),
                  "prefill_interleaving");
    EXPECT_EQ(faster.verdict, Verdict::NotExcluded) << faster.reason;
    const Finding few =
        findingOn(vllmLines(60, [](int) { return VllmStats{.prompt = 0.4, .output = 390, .running = 6}; }),
                  "prefill_interleaving");
    EXPECT_EQ(few.verdict, Verdict::Excluded) << few.reason;
    EXPECT_TRUE(says(few.reason, "0.1 %")) << few.reason;
}

TEST(WorstSpan, AQueueNamesWhatHoldsIt) {
    const std::string args = "INFO 06-01 10:00:00 [utils.py:1] non-default args: {'max_num_seqs': 16}\n";
    const auto queue = [](int running, double kv) {
        return vllmLines(
            40, [=](int) { return VllmStats{.output = 500, .running = running, .waiting = 55, .kv = kv}; });
    };
    const Finding limit = findingOn(args + queue(16, 30), "queueing");
    EXPECT_TRUE(says(limit.reason, "limit of requests at once")) << limit.reason;
    EXPECT_TRUE(says(limit.reason, "40 of 40 lines")) << limit.reason;
    const std::string many = "INFO 06-01 10:00:00 [utils.py:1] non-default args: {'max_num_seqs': 256}\n";
    const Finding cache = findingOn(many + queue(40, 98), "queueing");
    EXPECT_TRUE(says(cache.reason, "KV cache holds them back")) << cache.reason;
    EXPECT_TRUE(says(cache.reason, "of 256 allowed")) << cache.reason;
}

TEST(WorstSpan, AFallingHitRateIsToldWithBothEnds) {
    const Finding finding =
        findingOn(vllmLines(18, [](int i) { return VllmStats{.hit = 90.0 - 5 * i}; }), "cache_misses");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded);
    EXPECT_TRUE(says(finding.reason, "from 90.0 %") && says(finding.reason, "to 5.0 %")) << finding.reason;
    EXPECT_EQ(finding.evidence, (std::vector<LogLine>{{0, 1}, {0, 18}}));
}

TEST(WorstSpan, HitsAreJudgedWhereTheyAreLeast) {
    std::string text;
    for (int i = 0; i < 400; ++i) {
        text +=
            fmt::format("[2026-05-14 09:31:43] Prefill batch. #new-seq: 1, #new-token: {}, #cached-token: "
                        "{}, token usage: 0.26, #running-req: 8, #queue-req: 0\n",
                        i / 10 == 20 ? 8000 : 2, i / 10 == 20 ? 0 : 20'000);
    }
    const Finding finding = findingOn(text, "cache_misses");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "where it was least (line 20")) << finding.reason;
}

TEST(WorstSpan, FirstMissesShowNothingThatWasComputedBefore) {
    const std::string text = "09:43:50 POST /v1/messages (streaming)\nCache miss: msg_1\nCache miss: msg_2\n"
                             "Cache miss: msg_3\nCache hit: 900 tokens\n";
    const Finding finding = findingOn(text, "cache_misses");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
}

TEST(WorstSpan, PreemptionsOfEachLineAreAddedUp) {
    // vLLM resets its count with each line (LoggingStatLogger._reset), so that equal counts are new ones.
    std::string text;
    for (int i = 0; i < 10; ++i) {
        text += fmt::format(
            "INFO 06-01 10:00:{:02} [loggers.py:1] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg "
            "generation throughput: 500.0 tokens/s, Running: 9 reqs, Waiting: 0 reqs, Preemptions: {}, GPU "
            "KV "
            "cache usage: 96.0%, Prefix cache hit rate: 0.0%\n",
            i, 3 + i / 2);
    }
    const Finding finding = findingOn(text, "preemption");
    EXPECT_EQ(finding.verdict, Verdict::Supported);
    EXPECT_TRUE(says(finding.reason, "50 preemptions")) << finding.reason;
}

TEST(WorstSpan, ATimeRangeRestrictsTheVerdict) {
    const std::string text =
        vllmLines(360, [](int i) { return VllmStats{.output = i / 30 % 2 == 0 ? 100.0 : 55.0}; });
    const auto log = std::make_shared<const ServerLog>(serverLogOf(text));
    const LogFigure slow = logFigureOf(log, {}, {300, 590});
    EXPECT_TRUE(says(slow.verdict.headline, "A stream decodes at 55 tokens/s")) << slow.verdict.headline;
    EXPECT_EQ(slow.verdict.rates.size(), 30U);
    EXPECT_EQ(slow.verdict.rates.front().where.line, 31U);
    EXPECT_EQ(logFigureOf(log, {}).verdict.rates.size(), 360U);
}

TEST(WorstSpan, NowIsTheLastLine) {
    const ServerLog log = serverLogOf(
        vllmLines(20, [](int i) { return VllmStats{.output = 100.0 + i, .running = 2, .waiting = 3}; }));
    EXPECT_EQ(nowWords(log, verdictOf(log, {})), "Now: 119 tokens/s, 2 running, 3 waiting.");
    EXPECT_TRUE(nowWords(log, verdictOf(log, {}), 12).starts_with("Now: 119"));
    EXPECT_TRUE(nowWords(log, verdictOf(log, {}), 45).starts_with("Last line 40 s ago: 119 tokens/s"))
        << nowWords(log, verdictOf(log, {}), 45) << ": lines are ten seconds apart, and none was written";
    EXPECT_EQ(nowWords({}, {}), "");
}

TEST(WorstSpan, FindingsStandByWhatIsDecided) {
    const LogVerdict verdict = verdictOf(serverLogOf(vllmLines(40, [](int) { return VllmStats{}; })), {});
    int last = 0;
    for (const Finding& finding : verdict.findings) {
        const int place = finding.verdict == Verdict::Supported  ? 0
                          : finding.verdict == Verdict::Excluded ? 1
                                                                 : 2;
        EXPECT_GE(place, last) << finding.key;
        last = place;
    }
}

} // namespace
} // namespace loadline
