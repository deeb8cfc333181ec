// A fall is told from chance by its standard error, not by how much single observations scatter.
#include "core/serverlog/verdict/fall_noise.h"

#include "core/serverlog/verdict/rate_course.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLine;

/// The same numbers in each run, from 0 to 1.
class FallChance {
public:
    explicit FallChance(std::uint32_t seed) : state_(seed) {}

    double next() {
        state_ = state_ * 1664525U + 1013904223U;
        return static_cast<double>(state_ >> 8U) / (1U << 24U);
    }

    double exponential(double mean) { return -mean * std::log(1 - next()); }

private:
    std::uint32_t state_;
};

struct TabulatedQuantile {
    double probability, freedom, t;
};

/// Upper quantiles as tables of Student's t print them.
constexpr std::array tabulated = {TabulatedQuantile{0.1, 1, 3.078},     TabulatedQuantile{0.025, 1, 12.706},
                                  TabulatedQuantile{0.001, 1, 318.309}, TabulatedQuantile{0.025, 2, 4.303},
                                  TabulatedQuantile{0.001, 2, 22.327},  TabulatedQuantile{0.001, 3, 10.215},
                                  TabulatedQuantile{0.001, 4, 7.173},   TabulatedQuantile{0.001, 5, 5.893},
                                  TabulatedQuantile{0.001, 10, 4.144},  TabulatedQuantile{0.05, 30, 1.697},
                                  TabulatedQuantile{0.001, 30, 3.385},  TabulatedQuantile{0.001, 100, 3.174}};

TEST(FallNoise, QuantilesAreStudents) {
    for (const auto& [probability, freedom, t] : tabulated) {
        EXPECT_NEAR(studentQuantile(probability, freedom), t, 0.0006) << probability << " of " << freedom;
    }
    const double between = studentQuantile(0.001, 1.5); // freedom is divided by a time: seldom whole
    EXPECT_TRUE(between > 22.327 && between < 318.309) << between;
    EXPECT_NEAR(surelyOver(1000, 1e9), 4.7534, 0.0001) << "normal, one in a million";
}

/// Ten minutes of a rate each ten seconds of each engine: ten spans of a minute, 45 pairs of them.
TEST(FallNoise, EveryEngineIsAnotherChanceOfAFalseAlarm) {
    const ServerLog log;
    const std::optional<SpeedOfLight> light;
    for (const int engines : {1, 4}) {
        std::vector<ObservedRate> rates;
        for (int i = 0; i <= 60; ++i) {
            for (int engine = 0; engine < engines; ++engine) {
                ObservedRate& rate = rates.emplace_back();
                rate.timeS = 10.0 * i;
                rate.tokensPerS = 50;
                rate.engine = engine;
            }
        }
        const Courses courses = coursesOf({log, rates, light, {}});
        ASSERT_EQ(courses.engines.size(), static_cast<std::size_t>(engines));
        for (const auto& [engine, course] : courses.engines) {
            EXPECT_DOUBLE_EQ(comparisonsIn(course), 45.0 * engines);
        }
    }
}

/// Two means of observations of which each keeps `memory` of the one before.
StandardError errorOfMeans(double memory, std::size_t count) {
    FallChance chance(5);
    BothSides sides;
    for (std::vector<Residual>& side : sides) {
        double last = 0;
        for (std::size_t i = 0; i < count; ++i) {
            last = memory * last + chance.next() - 0.5;
            side.push_back({i, 1.0 / static_cast<double>(count), last});
        }
    }
    return standardErrorOf(sides, 2 * static_cast<double>(count) - 2);
}

TEST(FallNoise, ObservationsThatErrAlikeTellLess) {
    const double independent = std::sqrt(2.0 / 12 / 2000); // of two means of uniform numbers
    EXPECT_NEAR(errorOfMeans(0, 2000).error / independent, 1, 0.1);
    // The error of a mean of a process that keeps 0.8 is 1 / (1 - 0.8) times that of its news.
    EXPECT_NEAR(errorOfMeans(0.8, 2000).error / independent, 5, 1);
    EXPECT_LT(errorOfMeans(0.8, 2000).freedom, errorOfMeans(0, 2000).freedom / 5);
}

struct Running {
    double left = 0;
    double context = 0;
};

/// Requests arrive at random and leave when they have all their tokens; a step takes 12 ms, 0.2 more for each
/// stream and 30 us for each token of a prompt, 1 / `slow` times as long from the middle on. A line of
/// vLLM's each 10 s tells tokens over its time and who runs at its end.
std::string randomArrivals(double slow, std::uint32_t seed) {
    constexpr double lastsS = 2400, lineS = 10, apartS = 1;
    FallChance chance(seed);
    std::vector<Running> running;
    std::string text;
    double arrival = chance.exponential(apartS);
    double prompts = 0;
    double tokens = 0;
    double line = lineS;
    for (double now = 0; now < lastsS;) {
        double prompt = 0;
        for (; arrival <= now; arrival += chance.exponential(apartS)) {
            running.push_back({30 + chance.exponential(400), 100 + chance.exponential(900)});
            prompt += running.back().context;
        }
        double step = 0.01;
        if (!running.empty()) {
            const double work = 0.012 + 0.0002 * static_cast<double>(running.size()) + 30e-6 * prompt;
            step = work / (now < lastsS / 2 ? 1 : slow);
            prompts += prompt;
            tokens += static_cast<double>(running.size());
            std::erase_if(running, [](Running& one) { return ++one.context, --one.left <= 0; });
        }
        now += step;
        if (now >= line) {
            double context = 0;
            for (const Running& one : running) {
                context += one.context;
            }
            text += vllmLine({.prompt = prompts / lineS,
                              .output = tokens / lineS,
                              .running = static_cast<int>(running.size()),
                              .kv = context / 5000},
                             static_cast<int>(line));
            prompts = tokens = 0;
            line += lineS;
        }
    }
    return text;
}

TEST(FallNoise, ManyLinesTellAFallOfRandomArrivals) {
    for (const std::uint32_t seed : {1U, 2U, 3U, 4U, 5U}) {
        const Finding fall = findingOn(randomArrivals(0.65, seed), "thermal_decay");
        EXPECT_EQ(fall.verdict, Verdict::Supported) << seed << ": " << fall.reason;
        const Finding none = findingOn(randomArrivals(1, seed), "thermal_decay");
        EXPECT_NE(none.verdict, Verdict::Supported) << seed << ": " << none.reason;
    }
}

/// One answer of llama.cpp, as its lines tell it.
std::string llamaRequest(int slot, int task, double beginS, double promptS, double decodeS, int prompt,
                         int output) {
    const auto at = [](double s) {
        return fmt::format("{}.{:02}.{:03}.000", static_cast<int>(s / 60), static_cast<int>(s) % 60,
                           static_cast<int>(s * 1000) % 1000);
    };
    return fmt::format(
        "{} I slot launch_slot_: id  {} | task {} | processing task, is_child = 0\n"
        "{} I slot update_slots: id  {} | task {} | new prompt, n_ctx_slot = 32768, n_keep = 0, "
        "task.n_tokens = {}\n"
        "{} I slot print_timing: id  {} | task {} | \n"
        "prompt eval time = {:10.2f} ms / {:5d} tokens ({:8.2f} ms per token, {:8.2f} tokens per second)\n"
        "       eval time = {:10.2f} ms / {:5d} tokens ({:8.2f} ms per token, {:8.2f} tokens per second)\n"
        "      total time = {:10.2f} ms / {:5d} tokens\n"
        "{} I slot      release: id  {} | task {} | stop processing: n_tokens = {}, truncated = 0\n",
        at(beginS), slot, task, at(beginS), slot, task, prompt, at(beginS + promptS + decodeS), slot, task,
        promptS * 1000, prompt, promptS * 1000 / prompt, prompt / promptS, decodeS * 1000, output,
        decodeS * 1000 / (output - 1), (output - 1) / decodeS, (promptS + decodeS) * 1000, prompt + output,
        at(beginS + promptS + decodeS), slot, task, prompt + output - 1);
}

/// Requests one after another, each of which loses up to 60 % of its time to others' prompts.
std::string interruptedRequests(double slow, std::uint32_t seed) {
    FallChance chance(seed);
    std::string text = "0.00.300.000 I srv    load_model: initializing slots, n_slots = 2\n";
    double s = 5;
    for (int i = 0; i < 140; ++i) {
        const double speed = i < 70 ? 1 : slow;
        const int prompt = 600 + static_cast<int>(2000 * chance.next());
        const int output = 100 + static_cast<int>(300 * chance.next());
        const double promptS = prompt / 700.0 / speed;
        const double decodeS = output * 0.05 / speed / (1 - 0.6 * chance.next());
        text += llamaRequest(i % 2, 1000 * i, s, promptS, decodeS, prompt, output);
        s += promptS + decodeS + 2;
    }
    return text;
}

TEST(FallNoise, ManyRequestsTellAFall) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        const Finding fall = findingOn(interruptedRequests(0.7, seed), "thermal_decay");
        EXPECT_EQ(fall.verdict, Verdict::Supported) << seed << ": " << fall.reason;
        const Finding none = findingOn(interruptedRequests(1, seed), "thermal_decay");
        EXPECT_NE(none.verdict, Verdict::Supported) << seed << ": " << none.reason;
    }
}

/// Load falls: who runs at the end of a line are fewer than those who made its tokens.
TEST(FallNoise, LoadThatFallsIsNoFallOfTheDevice) {
    for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
        FallChance chance(seed);
        std::string text;
        for (int i = 0; i < 240; ++i) {
            const double mean = i < 120 ? 10 : 4;
            const double now = std::max(1.0, std::round(mean + 4 * (chance.next() - 0.5) * std::sqrt(mean)));
            const double within = (now + mean) / 2;
            text += vllmLine({.prompt = 100 * within,
                              .output = within / (0.012 + 0.0002 * within),
                              .running = static_cast<int>(now),
                              .kv = within / 5},
                             10 * i);
        }
        const Finding none = findingOn(text, "thermal_decay");
        EXPECT_NE(none.verdict, Verdict::Supported) << seed << ": " << none.reason;
    }
}

TEST(FallNoise, ADriftIsToldFromItsBeginningToItsEnd) {
    FallChance chance(3);
    std::string text;
    for (int i = 0; i < 150; ++i) {
        const double speed = 1 - 0.3 * i / 149;
        const double streams = 12 + chance.next() - 0.5;
        text += vllmLine({.prompt = 500 * speed * (0.8 + 0.4 * chance.next()),
                          .output = 40 * streams * speed * (0.97 + 0.06 * chance.next()),
                          .running = 12,
                          .kv = 10 + chance.next()},
                         10 * i);
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::Supported) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "25.") || says(finding.reason, "26.") || says(finding.reason, "27.") ||
                says(finding.reason, "28."))
        << finding.reason;
}

} // namespace
} // namespace loadline
