// One of several engines that is slower, falls silent or has most of the load is named.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <algorithm>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLine;
using test::VllmStats;

constexpr int engines = 3;

/// Lines of three engines each ten seconds.
std::string engineLog(int lines, const std::function<VllmStats(int engine, int line)>& of) {
    std::string text;
    for (int i = 0; i < lines; ++i) {
        for (int engine = 0; engine < engines; ++engine) {
            if (const VllmStats stats = of(engine, i); stats.running >= 0) {
                text += vllmLine(stats, 10 * i, engine);
            }
        }
    }
    return text;
}

bool tellsDifference(const std::string& text) {
    const LogVerdict verdict = verdictOf(serverLogOf(text), {});
    return std::ranges::any_of(verdict.findings,
                               [](const Finding& finding) { return finding.key == "engines_differ"; });
}

TEST(EnginesDiffer, OneThatIsSlowerAtTheSameBatchIsNamed) {
    const auto slowBy = [](double factor) {
        return engineLog(40, [factor](int engine, int line) {
            return VllmStats{.output = (engine == 1 ? factor : 1) * (320 + line % 5), .running = 8};
        });
    };
    const std::string text = slowBy(0.6);
    EXPECT_TRUE(says(headlineOn(text), "Engine 1 is 40.0 % slower than the others at like batches: 24.2 "
                                       "tokens/s a stream and 40.3 with about 8 running."))
        << headlineOn(text);
    EXPECT_EQ(findingOn(text, "engines_differ").verdict, Verdict::Supported);
    EXPECT_FALSE(tellsDifference(slowBy(0.95)));
}

TEST(EnginesDiffer, OneThatBecomesSlowIsAFallOverTime) {
    EXPECT_FALSE(tellsDifference(engineLog(80, [](int engine, int line) {
        return VllmStats{.output = (engine == 1 && line >= 40 ? 0.5 : 1) * (320 + line % 5), .running = 8};
    })));
}

TEST(EnginesDiffer, ALargerBatchIsNoSlowness) {
    // A stream has fewer tokens/s among 12 than among 6.
    EXPECT_FALSE(tellsDifference(engineLog(40, [](int engine, int line) {
        const int running = (engine == 1 ? 12 : 6) + line % 2;
        return VllmStats{.output = running * (60 - 2.0 * running), .running = running};
    })));
}

TEST(EnginesDiffer, OneThatFallsSilentWithRequestsIsNamed) {
    const auto endsWith = [](int running) {
        return engineLog(60, [running](int engine, int line) {
            return engine == 2 && line > 20
                       ? VllmStats{.running = -1}
                       : VllmStats{.output = 200, .running = engine == 2 && line == 20 ? running : 4};
        });
    };
    EXPECT_TRUE(says(headlineOn(endsWith(4)), "Engine 2 writes nothing in the last 6 min 30 s"))
        << headlineOn(endsWith(4));
    EXPECT_FALSE(tellsDifference(endsWith(0))) << "idle engines write no lines";
}

TEST(EnginesDiffer, OneWithMostOfTheLoadIsNamed) {
    const std::string text = engineLog(40, [](int engine, int line) {
        const int running = engine == 0 ? 18 + line % 3 : 2 + line % 2;
        return VllmStats{.output = 30.0 * running, .running = running};
    });
    EXPECT_TRUE(says(headlineOn(text), "Load is uneven: 19 requests run on engine 0 on average, 2.5 at most"))
        << headlineOn(text);
}

TEST(EnginesDiffer, ABurstOnOneEngineIsNotMostOfTheLoad) {
    // Engine 0 runs 12 requests in a sixth of the time, and writes no lines while it is idle.
    EXPECT_FALSE(tellsDifference(engineLog(120, [](int engine, int line) {
        const int running = engine == 0 ? (line < 20 ? 12 : line == 20 ? 0 : -1) : 3;
        return VllmStats{.output = 30.0 * running, .running = running};
    })));
}

} // namespace
} // namespace loadline
