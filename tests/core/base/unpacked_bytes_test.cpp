// Compressed bytes in memory.
#include "core/base/file/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

using testing::HasSubstr;

TEST(UnpackedBytes, AreWhatWasCompressed) {
    std::string text = "loadline";
    for (int i = 0; i < 17; ++i) {
        text += text;
    }
    for (const std::string& bytes : {std::string("x"), std::string(1000, '\0'), text}) {
        const Result<std::string> frame = zstdOf(bytes, 19);
        ASSERT_TRUE(frame);
        EXPECT_TRUE(isArchive(*frame));
        const Result<std::string> again = unpackedBytes(*frame, bytes.size());
        ASSERT_TRUE(again) << again.error().sentence();
        EXPECT_EQ(*again, bytes);
    }
}

TEST(UnpackedBytes, EndAtTheLimit) {
    const std::string frame = zstdOf(std::string(std::size_t{1} << 24U, '\0'), 3).value();
    EXPECT_LT(frame.size(), 10'000U);
    for (const std::uint64_t most : {0U, 1U, 1000U, (1U << 24U) - 1}) {
        const Result<std::string> bytes = unpackedBytes(frame, most);
        ASSERT_FALSE(bytes);
        EXPECT_THAT(bytes.error().what, HasSubstr("holds more than"));
    }
}

TEST(UnpackedBytes, AreRefusedWhereTheyAreCutOrDamaged) {
    const std::string frame = zstdOf("some text, some text, some text, some more text", 3).value();
    for (std::size_t size = 0; size < frame.size(); ++size) {
        EXPECT_FALSE(unpackedBytes(frame.substr(0, size), 1000)) << size;
    }
    EXPECT_FALSE(unpackedBytes("plain text", 1000));
    EXPECT_FALSE(unpackedBytes("", 1000));
    EXPECT_FALSE(unpackedBytes(zstdOf("", 3).value(), 1000));
    EXPECT_FALSE(unpackedBytes(zstdOf(frame, 3).value(), 1000)); // twice
}

} // namespace
} // namespace loadline
