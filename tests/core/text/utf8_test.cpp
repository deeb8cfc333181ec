// Code points of UTF-8.
#include "core/text/utf8.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Utf8, CodePoints) {
    EXPECT_EQ(codePointOf("a"), 0x61U);
    EXPECT_EQ(codePointOf("é"), 0xE9U);
    EXPECT_EQ(codePointOf("€"), 0x20ACU);
    EXPECT_EQ(codePointOf("😀"), 0x1F600U);
}

} // namespace
} // namespace loadline
