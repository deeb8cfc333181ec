// Excerpts end after a whole character.
#include "core/text/excerpt.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Excerpt, Examples) {
    EXPECT_EQ(excerpt("", 3), "");
    EXPECT_EQ(excerpt("abc", 3), "abc");
    EXPECT_EQ(excerpt("abcd", 3), "abc…");
    EXPECT_EQ(excerpt("äöüß", 3), "äöü…");
    EXPECT_EQ(excerpt("😅😅", 2), "😅😅");
    EXPECT_EQ(excerpt("😅😅", 1), "😅…");
    EXPECT_EQ(excerpt("abc", 0), "…");
}

} // namespace
} // namespace loadline
