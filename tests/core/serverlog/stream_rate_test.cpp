// The rate that streams have over their time, where single lines tell no rate of one.
#include "core/serverlog/verdict/stream_rate.h"

#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>
#include <random>
#include <vector>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLine;
using test::VllmStats;

/// Users who ask again after a pause, each at `rate` tokens/s while answered, as lines each ten seconds tell
/// it.
std::string agentLog(int users, double answerS, double pauseS, double rate, int lines) {
    constexpr double lineS = 10;
    std::mt19937 random(17);
    std::exponential_distribution<double> answer(1 / answerS);
    std::exponential_distribution<double> pause(1 / pauseS);
    struct Span {
        double from, to;
    };
    std::vector<Span> spans;
    for (int user = 0; user < users; ++user) {
        for (double now = pause(random); now < lines * lineS;) {
            spans.push_back({now, now + answer(random)});
            now = spans.back().to + pause(random);
        }
    }
    std::string text;
    for (int i = 0; i < lines; ++i) {
        const double toS = (i + 1) * lineS;
        VllmStats stats{.prompt = 0, .output = 0, .running = 0};
        for (const Span& span : spans) {
            const double inside = std::min(span.to, toS) - std::max(span.from, toS - lineS);
            stats.output += std::max(inside, 0.0) * rate / lineS;
            stats.prompt += span.from >= toS - lineS && span.from < toS ? 30 : 0;
            stats.running += span.from < toS && span.to >= toS ? 1 : 0;
        }
        text += vllmLine(stats, 10 * i);
    }
    return text;
}

TEST(StreamRate, IdlePartsOfLinesAreNoTimeOfAStream) {
    const std::string text = agentLog(1, 7, 6, 50, 240);
    const std::optional<StreamRate> rate = streamRateOf(serverLogOf(text));
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->tokensPerS, 50, 2 * 50 * rate->error);
    EXPECT_LT(rate->error, 0.1);
    EXPECT_TRUE(headlineOn(text).starts_with("A stream decodes at about ")) << headlineOn(text);
    EXPECT_TRUE(says(headlineOn(text), "(tokens over the time of all streams, 240 lines"))
        << headlineOn(text);
}

TEST(StreamRate, ShortRequestsHaveARateWithItsInterval) {
    const std::string text = agentLog(1, 3, 12, 80, 300);
    const std::string headline = headlineOn(text);
    EXPECT_TRUE(says(headline, "while it runs (tokens over the time of all streams")) << headline;
    EXPECT_TRUE(says(headline, "95 % interval")) << headline;
    const std::optional<StreamRate> rate = streamRateOf(serverLogOf(text));
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->tokensPerS, 80, 2 * 80 * rate->error);
    // Rates of lines with idle parts do not compare.
    EXPECT_FALSE(says(findingOn(text, "thermal_decay").reason, "tokens/s"))
        << findingOn(text, "thermal_decay").reason;
}

TEST(StreamRate, RequestsThatBeginBetweenLinesLowerNoRate) {
    const std::string text = agentLog(6, 8, 8, 60, 200);
    const std::string headline = headlineOn(text);
    const std::optional<StreamRate> rate = streamRateOf(serverLogOf(text));
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->tokensPerS, 60, 6);
    EXPECT_TRUE(says(headline, "decodes at about ")) << headline;
    EXPECT_TRUE(says(headline, " together (tokens over")) << headline;
}

std::string decodeAt(int second, int running, double output) {
    return fmt::format("[2026-02-27 04:{:02}:{:02} TP0] Decode batch. #running-req: {}, #token: 6253, token "
                       "usage: 0.12, gen throughput (token/s): {:.2f}, #queue-req: 0\n",
                       second / 60, second % 60, running, output);
}

std::string prefillAt(int second, int running) {
    return fmt::format("[2026-02-27 04:{:02}:{:02} TP0] Prefill batch. #new-seq: 1, #new-token: 6000, "
                       "#cached-token: 0, token usage: 0.10, #running-req: {}, #queue-req: 0\n",
                       second / 60, second % 60, running);
}

TEST(StreamRate, LinesWithoutPromptsDoNotStandForHalfTheTime) {
    // Two lines of a second at 8 x 50, then one of three seconds with a prompt, at 8 x 17.
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += decodeAt(5 * i + 1, 8, 400) + decodeAt(5 * i + 2, 8, 400) + prefillAt(5 * i + 3, 8) +
                decodeAt(5 * i + 5, 8, 136);
    }
    const std::string headline = headlineOn(text);
    EXPECT_TRUE(says(headline, "Each of 8 streams decodes at about 30.") &&
                says(headline, "; 50 in the 80 without)"))
        << headline; // (2 x 50 + 3 x 17) / 5
}

TEST(StreamRate, AMedianAboveItIsNoLowerBound) {
    // Nine seconds: four with a prompt at 8 x 38, three with short ones at 8 x 60, two without at 8 x 80.
    std::string text;
    for (int i = 0; i < 30; ++i) {
        const int from = 9 * i;
        for (int second = 1; second <= 3; ++second) {
            text += prefillAt(from + second, 8) + decodeAt(from + second, 8, 480);
        }
        text += decodeAt(from + 4, 8, 640) + decodeAt(from + 5, 8, 640) + prefillAt(from + 5, 8) +
                decodeAt(from + 9, 8, 304);
    }
    EXPECT_TRUE(says(headlineOn(text), "Each of 8 streams decodes at about 54.")) << headlineOn(text);
}

TEST(StreamRate, AStreamThatIsAloneDecodesBehindItsOwnPrompts) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
        text +=
            vllmLine(i % 5 < 2 ? VllmStats{.prompt = 300, .output = 40} : VllmStats{.output = 100}, 10 * i);
    }
    EXPECT_TRUE(says(headlineOn(text), "A stream decodes at 100 tokens/s (median of 36 observations without"))
        << headlineOn(text);
}

TEST(StreamRate, IdleTimeOfSglangIsNoStreams) {
    // A prompt beside none ends each pause of eight seconds, in which the line's throughput is of one second.
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += prefillAt(10 * i, 0) + decodeAt(10 * i, 1, 5) + decodeAt(10 * i + 1, 1, 60) +
                decodeAt(10 * i + 2, 1, 60);
    }
    const std::optional<StreamRate> rate = streamRateOf(serverLogOf(text));
    ASSERT_TRUE(rate);
    EXPECT_NEAR(rate->tokensPerS, 60, 0.5);
    EXPECT_TRUE(says(headlineOn(text), "A stream decodes at 60 tokens/s")) << headlineOn(text);
}

TEST(StreamRate, RangesOfStreamsAreWholeAndOneIsNone) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
        const int running = i % 6 == 0 ? 2 : 1;
        text += vllmLine({.output = 40.0 * running, .running = running}, 10 * i);
    }
    EXPECT_FALSE(says(headlineOn(text), "1 streams")) << headlineOn(text);
    EXPECT_FALSE(says(findingOn(vllmLine({.waiting = 1}, 0), "queueing").reason, "1 requests"));
}

} // namespace
} // namespace loadline
