// CLI versions in the order of their release.
#include "core/session/corpus/version_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

TEST(VersionOrder, ComparesNumbersAsNumbers) {
    std::vector<std::string> shuffled = {"10.0",   "2.1.7", "x",       "1.0.98", "2.1.12-beta",
                                         "2.0.64", "",      "2.1.205", "2.1.12"};
    std::ranges::sort(shuffled, versionBefore);
    EXPECT_THAT(shuffled, testing::ElementsAre("", "1.0.98", "2.0.64", "2.1.7", "2.1.12", "2.1.12-beta",
                                               "2.1.205", "10.0", "x"));
    EXPECT_FALSE(versionBefore("2.1.12", "2.1.12"));
    EXPECT_NE(versionBefore("2.1.12", "2.1.012"), versionBefore("2.1.012", "2.1.12"));
}

} // namespace
} // namespace loadline
