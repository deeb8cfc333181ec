// The named fall is that of all observations at like batch and context, not of the best minute and the worst.
#include "core/text/number_format.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <cstdint>
#include <regex>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLine;
using test::vllmLines;
using test::VllmStats;

/// The share that a reason names, in per cent; -1 where it names none.
double shareIn(const std::string& reason) {
    std::smatch found;
    return std::regex_search(reason, found, std::regex(R"(([0-9.]+) % less)")) ? std::stod(found[1]) : -1;
}

/// The same numbers in each run, from 0 to 1.
class Chance {
public:
    double next() {
        state_ = state_ * 1664525U + 1013904223U;
        return static_cast<double>(state_ >> 8U) / (1U << 24U);
    }

private:
    std::uint32_t state_ = 7;
};

/// Batches of 1 to 5 that come and go as SGLang's do, each line of 40 steps: a step takes 10 ms and 0.1 more
/// for each stream, 1 / 0.65 times as long after 15 min. A line in which a request ended counts those that
/// stayed.
std::string batchesThatComeAndGo(double slow) {
    std::string text;
    Chance chance;
    double s = 0;
    int before = 3;
    while (s < 1800) {
        const int running = 1 + static_cast<int>(5 * chance.next());
        for (int line = 0; line < 6; ++line) {
            const double step = (0.01 + 0.0001 * running) / (s < 900 ? 1 : slow);
            const double streams = line == 0 ? 0.5 * (before + running) : running;
            s += 40 * step;
            const auto at = static_cast<int>(s);
            text += fmt::format("[2026-02-27 04:{:02}:{:02} TP0] Decode batch. #running-req: {}, #token: {}, "
                                "token usage: 0.05, gen throughput (token/s): {:.2f}, #queue-req: 0\n",
                                at / 60, at % 60, running, 3000 * running, streams / step);
        }
        before = running;
    }
    return text;
}

TEST(FallEstimate, IsOfAllObservationsAtLikeBatch) {
    const std::string text = batchesThatComeAndGo(0.65);
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_NEAR(shareIn(finding.reason), 35, 2) << finding.reason;
    EXPECT_NEAR(shareIn(headlineOn(text)), 35, 2) << "as the finding says";
    EXPECT_FALSE(says(headlineOn(text), " less than the ")) << "rates on another basis: " << headlineOn(text);
    EXPECT_NE(findingOn(batchesThatComeAndGo(1), "thermal_decay").verdict, Verdict::Supported);
}

/// A scatter of a fifth either way: the best of many minutes is a tenth above their middle.
TEST(FallEstimate, IsNotOfTheBestMinuteAndTheWorst) {
    Chance chance;
    const std::string text = vllmLines(360, [&](int i) {
        return VllmStats{.output = 400 * (0.8 + 0.4 * chance.next()) * (i < 180 ? 1 : 0.7), .running = 8};
    });
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_NEAR(shareIn(finding.reason), 30, 2) << finding.reason;
}

TEST(FallEstimate, OfRatesThatSlideIsFromTheirBeginningToTheirEnd) {
    const Finding finding = findingOn(
        vllmLines(240, [](int i) { return VllmStats{.output = 400 - 80.0 * i / 239, .running = 8}; }),
        "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_NEAR(shareIn(finding.reason), 20, 2) << finding.reason;
}

TEST(FallEstimate, SaysWhenItIsAsFastAgain) {
    const auto dip = [](int last) {
        return vllmLines(240, [last](int i) {
            return VllmStats{.output = i < 100 || i > last ? 400.0 : 240.0, .running = 8};
        });
    };
    const Finding recovers = findingOn(dip(109), "thermal_decay");
    EXPECT_EQ(recovers.verdict, Verdict::Supported) << recovers.reason;
    EXPECT_NEAR(shareIn(recovers.reason), 40, 2) << recovers.reason;
    EXPECT_TRUE(says(recovers.reason, "as fast again from line 111 on")) << recovers.reason;
    EXPECT_TRUE(says(recovers.reason, "Another program")) << recovers.reason;
    EXPECT_TRUE(says(headlineOn(dip(109)), "as fast again")) << headlineOn(dip(109));
    const Finding lasts = findingOn(dip(240), "thermal_decay");
    EXPECT_FALSE(says(lasts.reason, "again")) << lasts.reason;
}

TEST(FallEstimate, HeadlineOfAServerThatIsStuckTooHasNoRatesOnAnotherBasis) {
    const std::string text = vllmLines(240, [](int i) {
        return VllmStats{.output = i < 100 ? 400.0 : i < 220 ? 240.0 : 0.0, .running = 8};
    });
    EXPECT_EQ(findingOn(text, "thermal_decay").verdict, Verdict::Supported);
    EXPECT_TRUE(says(headlineOn(text), "No token came out")) << headlineOn(text);
    EXPECT_NEAR(shareIn(headlineOn(text)), 40, 2) << headlineOn(text);
    EXPECT_FALSE(says(headlineOn(text), " less than the ")) << headlineOn(text);
}

/// Poisson arrivals seen at the ends of lines: the number that ran scatters about the one that made the
/// tokens.
TEST(FallEstimate, IsFoundThroughTheScatterOfSingleLines) {
    const auto lines = [](double slow) {
        Chance chance;
        return vllmLines(240, [&, slow](int i) {
            const int running = 6 + static_cast<int>(4 * chance.next());
            const double streams = running + 3 * (chance.next() - 0.5);
            return VllmStats{.prompt = 300 + 200 * chance.next(),
                             .output = 40 * streams * (i < 120 ? 1 : slow),
                             .running = running};
        });
    };
    const Finding fall = findingOn(lines(0.65), "thermal_decay");
    EXPECT_EQ(fall.verdict, Verdict::Supported) << fall.reason;
    EXPECT_NEAR(shareIn(fall.reason), 35, 2) << fall.reason;
    const Finding none = findingOn(lines(1), "thermal_decay");
    EXPECT_NE(none.verdict, Verdict::Supported) << none.reason;
}

/// Only time under rates counts: lines that are two minutes apart cover ten seconds each.
TEST(FallEstimate, TimeInWhichNothingWasObservedExcludesNothing) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
        text += vllmLine({.output = 100}, 120 * i - (i % 2 == 1 ? 110 : 0));
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "rates cover 2 min 00 s alone")) << finding.reason;
}

} // namespace
} // namespace loadline
