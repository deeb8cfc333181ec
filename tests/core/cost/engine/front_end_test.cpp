// The serial work beside the engine, and the list of constants.
#include "core/cost/engine/front_end.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace loadline {
namespace {

constexpr FrontEndCosts costs{.promptTokenUs = 2, .frontEndUs = 100, .outputTokenUs = 10};

TEST(Tokeniser, takesPromptsOneAfterTheOther) {
    Tokeniser tokeniser(costs);
    EXPECT_DOUBLE_EQ(tokeniser.arrivalUs(0, 50), 200);
    EXPECT_DOUBLE_EQ(tokeniser.arrivalUs(0, 50), 300);     // waits for the first
    EXPECT_DOUBLE_EQ(tokeniser.arrivalUs(1000, 50), 1200); // finds it idle
}

TEST(OutputQueue, givesFirstTokensLast) {
    OutputQueue queue(costs, 1);
    queue.begin(1000, 3);
    EXPECT_DOUBLE_EQ(queue.nextUs(), 1040);
    EXPECT_DOUBLE_EQ(queue.nextUs(), 1050);
    queue.begin(1045, 1); // the step ends before the queue is empty
    EXPECT_DOUBLE_EQ(queue.nextUs(), 1070);
}

TEST(OutputQueue, sendsFewerTokensWithAnInterval) {
    OutputQueue queue(costs, 20);
    queue.begin(1000, 40);
    EXPECT_DOUBLE_EQ(queue.nextUs(), 1030);
    OutputQueue none({.promptTokenUs = 2, .frontEndUs = 100, .outputTokenUs = 0}, 1);
    none.begin(1000, 40);
    EXPECT_DOUBLE_EQ(none.nextUs(), 1000);
}

TEST(Constants, areComplete) {
    std::set<std::string_view> names;
    int fitted = 0;
    for (const Constant& constant : constants()) {
        EXPECT_TRUE(names.insert(constant.name).second) << constant.name;
        EXPECT_FALSE(constant.origin.empty()) << constant.name;
        EXPECT_EQ(constant.origin.starts_with("fitted"), !constant.fittedOn.empty()) << constant.name;
        fitted += constant.fittedOn.empty() ? 0 : 1;
    }
    EXPECT_EQ(fitted, 2);
    EXPECT_EQ(names.size(), 23U);
}

} // namespace
} // namespace loadline
