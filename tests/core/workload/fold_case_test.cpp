// Text made comparable without regard to case.
#include "core/workload/scope/fold_case.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(FoldCase, LowersLettersOfSeveralAlphabets) {
    EXPECT_EQ(foldCase("Fix THE Bug [2]"), "fix the bug [2]");
    EXPECT_EQ(foldCase("ÄÖÜ × É ß"), "äöü × é ß");
    EXPECT_EQ(foldCase("ŁÓDŹ ŽIŽKOV"), "łódź žižkov");
    EXPECT_EQ(foldCase("ΑΒΓ ΣΩ"), "αβγ σω");
    EXPECT_EQ(foldCase("ПРИВЕТ ЁЖ"), "привет ёж");
    EXPECT_EQ(foldCase("日本語 🙂"), "日本語 🙂");
}

TEST(FoldCase, LeavesBytesThatAreNotUtf8) {
    EXPECT_EQ(foldCase("A\xC3"), "a\xC3");
    EXPECT_EQ(foldCase("\xC3"
                       "A\xFF"),
              "\xC3"
              "a\xFF");
}

} // namespace
} // namespace loadline
