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

} // namespace
} // namespace loadline
