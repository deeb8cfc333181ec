// The oddities of a file read in parts.
#include "core/session/lines/diagnostic_collector.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

/// However a file is cut into parts, the same lines are listed.
TEST(DiagnosticCollector, PartsListWhatTheWholeLists) {
    constexpr std::uint64_t lines = 300;
    const auto note = [](DiagnosticCollector& collector, std::uint64_t line, std::uint64_t before) {
        if (line % 3 != 0) {
            collector.add(DiagnosticKind::UnknownType, line - before, line % 7 == 0 ? "rare" : "often");
        }
    };
    DiagnosticCollector whole;
    for (std::uint64_t line = 1; line <= lines; ++line) {
        note(whole, line, 0);
    }
    for (const std::uint64_t part : {1U, 4U, 50U, 299U}) {
        DiagnosticCollector parts;
        for (std::uint64_t before = 0; before < lines; before += part) {
            DiagnosticCollector one;
            for (std::uint64_t line = before + 1; line <= std::min(lines, before + part); ++line) {
                note(one, line, before);
            }
            parts.addPart(one, before);
        }
        EXPECT_EQ(parts.sorted(), whole.sorted()) << part;
    }
    // Three of a sort stand singly, the others as one: the fourth, 64 more, and a count.
    const std::vector<Diagnostic> all = whole.sorted();
    ASSERT_EQ(all.size(), 8U);
    const Diagnostic& often = all[3];
    EXPECT_EQ(often.line, 5U);
    EXPECT_EQ(often.count, 200U - 28U - 3U);
    EXPECT_EQ(often.otherLines.size(), maxOtherLines);
    EXPECT_TRUE(leavesOutLines(often));
    const auto rare = std::ranges::find_if(
        all, [](const Diagnostic& odd) { return odd.detail == "rare" && odd.count > 1; });
    ASSERT_NE(rare, all.end());
    EXPECT_EQ(rare->otherLines.size() + 1, rare->count);
    EXPECT_FALSE(leavesOutLines(*rare));
}

} // namespace
} // namespace loadline
