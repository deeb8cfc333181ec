// Numbers of things in sentences.
#include "core/text/counted.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Counted, TakesAnSUnlessItIsOne) {
    EXPECT_EQ(counted(0, "turn"), "0 turns");
    EXPECT_EQ(counted(1, "turn"), "1 turn");
    EXPECT_EQ(counted(24229, "API call"), "24\u202f229 API calls");
}

TEST(Counted, WordsBecomeASentence) {
    EXPECT_EQ(asSentence("the output is less"), "The output is less.");
    EXPECT_EQ(asSentence("k = 4 does not fit"), "k = 4 does not fit.");
    EXPECT_EQ(asSentence("fp16 does not fit"), "fp16 does not fit.");
    EXPECT_EQ(asSentence("vLLM has one."), "vLLM has one.");
}

} // namespace
} // namespace loadline
