// Lengths of escaped strings as Python counts them, and their characters.
#include "core/session/json/json_text.h"

#include "core/session/json/json_escape.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace loadline {
namespace {

struct TextRow {
    std::string escaped;
    std::size_t text, asciiDump,
        unicodeDump; // Python: len(s), len(dumps(s)), len(dumps(s, ensure_ascii=False))
    std::string characters;
};

class JsonText : public testing::TestWithParam<TextRow> {};

TEST_P(JsonText, HasTheLengthsOfPython) {
    const TextRow& row = GetParam();
    EXPECT_EQ(lengthOf(row.escaped, LengthOf::Text), row.text);
    EXPECT_EQ(lengthOf(row.escaped, LengthOf::AsciiDump), row.asciiDump);
    EXPECT_EQ(lengthOf(row.escaped, LengthOf::UnicodeDump), row.unicodeDump);
    std::string characters;
    appendUnescaped(row.escaped, characters);
    EXPECT_EQ(characters, row.characters);
}

INSTANTIATE_TEST_SUITE_P(
    Strings, JsonText,
    testing::Values(TextRow{"", 0, 2, 2, ""}, TextRow{"abc", 3, 5, 5, "abc"},
                    TextRow{R"(a\nb)", 3, 6, 6, "a\nb"}, TextRow{R"(\"\\\/)", 3, 7, 7, "\"\\/"},
                    TextRow{R"(\b\f\r\t)", 4, 10, 10, "\b\f\r\t"}, TextRow{"é", 1, 8, 3, "é"},
                    TextRow{"€", 1, 8, 3, "€"}, TextRow{"😀", 1, 14, 3, "😀"},
                    TextRow{R"(\u00e9)", 1, 8, 3, "é"}, TextRow{R"(\u0041)", 1, 3, 3, "A"},
                    TextRow{R"(\u0022\u005C)", 2, 6, 6, "\"\\"}, TextRow{R"(\u0001)", 1, 8, 8, "\x01"},
                    TextRow{"\x7f", 1, 8, 3, "\x7f"}, TextRow{R"(\u007f)", 1, 8, 3, "\x7f"},
                    TextRow{R"(\ud83d\ude00)", 1, 14, 3, "😀"}, TextRow{R"(\ud83d)", 1, 8, 3, "\uFFFD"},
                    TextRow{R"(\ude00\ud83d)", 2, 14, 4, "\uFFFD\uFFFD"},
                    TextRow{R"(\ud83d\n)", 2, 10, 5, "\uFFFD\n"},
                    TextRow{R"(\ud83d\ud83d\ude00)", 2, 20, 4, "\uFFFD😀"},
                    TextRow{R"(\\u0041)", 6, 9, 9, "\\u0041"}, TextRow{R"(\\\u0041)", 2, 5, 5, "\\A"}));

/// The same by undoing the escapes one by one.
std::size_t slowLength(std::string_view escaped) {
    std::size_t count = 0;
    while (!escaped.empty()) {
        const std::size_t size = escaped[0] == '\\' ? escapeAt(escaped).length : 1;
        count += (static_cast<unsigned char>(escaped[0]) & 0xC0U) != 0x80 ? 1 : 0;
        escaped.remove_prefix(size);
    }
    return count;
}

TEST(JsonTextProperty, LongStringsOfAnyMixAreCountedLikeOneByOne) {
    const std::vector<std::string> pieces{
        "a",         "word ",           "é",         "€",        "😀", R"(\n)", R"(\\)", R"(\")", R"(\/)",
        R"(\u00e9)", R"(\ud83d\ude00)", R"(\ud83d)", R"(\ude00)"};
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        std::string escaped;
        const std::size_t size = random() % 6000;
        while (escaped.size() < size) {
            escaped += pieces[random() % (round % 2 == 0 ? pieces.size() : 8)];
        }
        ASSERT_EQ(lengthOf(escaped, LengthOf::Text), slowLength(escaped)) << escaped;
        ASSERT_EQ(brokenEscapeIn(escaped), std::string_view::npos);
    }
}

TEST(JsonTextProperty, BackslashRunsAcrossBlocksAndPartsKeepTheirParity) {
    for (const std::size_t before : {0U, 1U, 62U, 63U, 64U, 2046U, 2047U, 2048U, 5000U}) {
        for (std::size_t pairs = 0; pairs < 70; ++pairs) {
            std::string escaped(before, 'x');
            for (std::size_t i = 0; i < pairs; ++i) {
                escaped += "\\\\";
            }
            EXPECT_EQ(lengthOf(escaped + "n", LengthOf::Text), before + pairs + 1);
            EXPECT_EQ(lengthOf(escaped + "\\n", LengthOf::Text), before + pairs + 1);
            EXPECT_EQ(lengthOf(escaped + "\\u0041", LengthOf::Text), before + pairs + 1);
        }
    }
}

TEST(JsonText, NamesTheFirstIllegalEscape) {
    EXPECT_EQ(brokenEscapeIn(R"(\n\"\u12aB)"), std::string_view::npos);
    EXPECT_EQ(brokenEscapeIn(R"(ab\x)"), 2U);
    EXPECT_EQ(brokenEscapeIn(R"(\\\q)"), 2U);
    EXPECT_EQ(brokenEscapeIn(R"(\u12G4)"), 0U);
    EXPECT_EQ(brokenEscapeIn(R"(\u12)"), 0U);
    EXPECT_EQ(brokenEscapeIn(std::string(3000, 'x') + "\\e"), 3000U);
}

TEST(JsonText, StopsAtALimitBetweenCharacters) {
    std::string out;
    appendUnescaped("ab€€€", out, 3);
    EXPECT_EQ(out, "ab€");
    out.clear();
    appendUnescaped(R"(\n\n\n)", out, 2);
    EXPECT_EQ(out, "\n\n");
}

} // namespace
} // namespace loadline
