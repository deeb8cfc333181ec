// A fall is excluded only where each engine was observed for minutes; the answer says how long.
#include "tests/core/serverlog/made_up_statistics.h"

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLine;
using test::vllmLines;
using test::VllmStats;

/// Steady lines of several engines, each ten seconds.
std::string steadyEngines(int engines, int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) {
        for (int engine = 0; engine < engines; ++engine) {
            text += vllmLine({.output = 200, .running = 4}, 10 * i, engine);
        }
    }
    return text;
}

TEST(ThrottlingTime, AFewSecondsOfManyEnginesExcludeNothing) {
    const Finding few = findingOn(steadyEngines(8, 2), "thermal_decay");
    EXPECT_EQ(few.verdict, Verdict::NotExcluded) << few.reason;
    EXPECT_TRUE(says(few.reason, "of engine 0 cover 20 s alone")) << few.reason;
    const Finding long_ = findingOn(steadyEngines(8, 40), "thermal_decay");
    EXPECT_EQ(long_.verdict, Verdict::Excluded) << long_.reason;
    EXPECT_TRUE(says(long_.reason, "in 6 min 40 s")) << long_.reason;
}

TEST(ThrottlingTime, OneEngineThatIsHardlyThereIsNamed) {
    const std::string text = steadyEngines(2, 40) + vllmLine({.output = 200, .running = 4}, 400, 7) +
                             vllmLine({.output = 200, .running = 4}, 410, 7);
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "of engine 7")) << finding.reason;
}

TEST(ThrottlingTime, AMinuteOfOneStreamIsTooShort) {
    const auto steady = [](int) { return VllmStats{}; };
    const Finding minute = findingOn(vllmLines(6, steady), "thermal_decay");
    EXPECT_EQ(minute.verdict, Verdict::NotExcluded) << minute.reason;
    EXPECT_TRUE(says(minute.reason, "5 min")) << minute.reason;
    EXPECT_FALSE(minute.decide.empty());
    EXPECT_EQ(findingOn(vllmLines(30, steady), "thermal_decay").verdict, Verdict::Excluded);
}

TEST(ThrottlingTime, LowerBoundsExcludeNothing) {
    const Finding finding =
        findingOn(vllmLines(60, [](int) { return VllmStats{.prompt = 900, .output = 400, .running = 4}; }),
                  "thermal_decay");
    EXPECT_EQ(finding.verdict, Verdict::NotExcluded) << finding.reason;
    EXPECT_TRUE(says(finding.reason, "hold prompts")) << finding.reason;
}

} // namespace
} // namespace loadline
