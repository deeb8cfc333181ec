// What cannot be seen is shown, and nothing else is touched.
#include "core/text/visible_text.h"

#include "core/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

TEST(VisibleText, LeavesWhatCanBeSeen) {
    for (const char* text :
         {"", "plain", "a\\nb", "<b>&amp;</b>", "äöü €", "日本語", "עברית", "👩‍💻", "e\u0301"}) {
        EXPECT_EQ(visibleText(text), text);
    }
}

TEST(VisibleText, EscapesWhatATerminalActsOn) {
    EXPECT_EQ(visibleText("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(visibleText("\x1b[2J\x1b]0;title\a"), "\\x1b[2J\\x1b]0;title\\x07");
    EXPECT_EQ(visibleText(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
    EXPECT_EQ(visibleText("\u009b31m"), "\\u009b31m");
    EXPECT_EQ(visibleText("\u0085"), "\\u0085");
}

TEST(VisibleText, EscapesWhatTurnsOrHidesText) {
    EXPECT_EQ(visibleText("\u202egnp.exe"), "\\u202egnp.exe");
    EXPECT_EQ(visibleText("\u2066\u2069\u200e\u200f\u061c"), "\\u2066\\u2069\\u200e\\u200f\\u061c");
    EXPECT_EQ(visibleText("\u2028\u2029\ufeff\u200b"), "\\u2028\\u2029\\ufeff\\u200b");
    EXPECT_EQ(visibleText("\U000e0041"), "\\U000e0041");
    EXPECT_EQ(visibleText("\xef\xbf\xbf"), "\\uffff"); // not a character, and no XML may hold it
}

TEST(VisibleText, ShowsBytesThatAreNoText) {
    EXPECT_EQ(visibleText("a\xff"), "a\\xff");
    EXPECT_EQ(visibleText("\xe2\x82"), "\\xe2\\x82");          // cut off
    EXPECT_EQ(visibleText("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
    EXPECT_EQ(visibleText("\x9b"), "\\x9b");                   // CSI in Latin-1
}

TEST(VisibleText, IsNoLongerThanItsLimit) {
    EXPECT_EQ(visibleText("abc", 3), "abc");
    EXPECT_EQ(visibleText("abcd", 3), "abc…");
    EXPECT_EQ(visibleText("äöüß", 3), "äöü…");
    EXPECT_EQ(visibleText("a\u202eb", 5), "a…"); // no half escapes
    EXPECT_EQ(visibleText("a\u202e", 7), "a\\u202e");
    EXPECT_EQ(visibleText(std::string(1 << 20, '\x1b'), 8), "\\x1b\\x1b…");
    EXPECT_EQ(visibleText("a", 0), "…");
}

TEST(VisibleText, LinesMayStay) {
    EXPECT_EQ(visibleLines("a\n\tb\r\x1b\u2028"), "a\n\tb\\r\\x1b\\u2028");
}

TEST(VisibleText, NothingHiddenIsLeftOfAnyBytes) {
    std::string text;
    for (unsigned a = 0; a < 256; ++a) {
        for (unsigned b = 0; b < 256; b += 3) {
            text += static_cast<char>(a);
            text += static_cast<char>(b);
            text += static_cast<char>(a ^ 0x2f);
        }
    }
    std::string shown = visibleText(text);
    EXPECT_EQ(visibleText(shown), shown);
    for (std::string_view rest = shown; !rest.empty();) {
        const Utf8Sequence sequence = utf8SequenceAt(rest);
        ASSERT_TRUE(sequence.valid);
        ASSERT_FALSE(isHidden(codePointOf(rest.substr(0, sequence.length))));
        rest.remove_prefix(sequence.length);
    }
}

} // namespace
} // namespace loadline
