// Odd lines: what is kept, counted and said of each.
#include "core/session/files/read_sessions.h"
#include "core/session/lines/reader_limits.h"
#include "tests/core/session/session_file_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

const std::string good = R"({"type":"user","uuid":"u1","message":{"content":"hi"}})";
const std::string other = R"({"type":"summary","summary":"s"})";

struct LinesRow {
    std::string name;
    std::string text;
    std::uint64_t records, lines, blank, bad, extra;
    std::string diagnostics; // "kind@line[xcount]" separated by spaces
};

void PrintTo(const LinesRow& row, std::ostream* out) { // NOLINT(readability-identifier-naming): by GoogleTest
    *out << row.name;
}

std::string shortDiagnostics(const SessionFile& file) {
    std::string text;
    for (const Diagnostic& d : file.diagnostics) {
        text += fmt::format("{}{}@{}{}", text.empty() ? "" : " ", keyOf(d.kind), d.line,
                            d.count > 1 ? fmt::format("x{}", d.count) : "");
    }
    return text;
}

std::uint64_t recordsOf(const SessionFile& file) {
    std::uint64_t sum = 0;
    for (const auto& [type, count] : file.recordTypes) {
        sum += count;
    }
    return sum;
}

class OddLines : public testing::TestWithParam<LinesRow> {};

TEST_P(OddLines, LoseNothingElse) {
    const LinesRow& row = GetParam();
    for (const std::size_t chunk : {std::size_t{1} << 16U, std::size_t{7}}) {
        const SessionFile file = readSessionText(
            "x.jsonl", row.text, {.maxLineBytes = 4000, .chunkBytes = chunk, .segmentBytes = 1U << 20U});
        EXPECT_EQ(recordsOf(file), row.records);
        EXPECT_EQ(file.physicalLines, row.lines);
        EXPECT_EQ(file.blankLines, row.blank);
        EXPECT_EQ(file.badLines, row.bad);
        EXPECT_EQ(file.extraObjects, row.extra);
        EXPECT_EQ(shortDiagnostics(file), row.diagnostics);
        EXPECT_EQ(file.bytes, row.text.size());
    }
}

std::string withNul(std::string_view text) {
    std::string s(text);
    for (char& c : s) {
        c = c == '#' ? '\0' : c;
    }
    return s;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, OddLines,
    testing::Values(
        LinesRow{"empty", "", 0, 0, 0, 0, 0, ""}, LinesRow{"newline", "\n", 0, 1, 1, 0, 0, ""},
        LinesRow{"plain", good + "\n" + other + "\n", 2, 2, 0, 0, 0, ""},
        LinesRow{"no final newline", good, 1, 1, 0, 0, 0, ""},
        LinesRow{"crlf", good + "\r\n" + good + "\r\n", 2, 2, 0, 0, 0, ""},
        LinesRow{"blank", "\n \t\n" + good + "\n\r\n", 1, 4, 3, 0, 0, ""},
        LinesRow{"bom", "\xEF\xBB\xBF" + good + "\n", 1, 1, 0, 0, 0, "byte_order_mark@1"},
        LinesRow{"bom later", good + "\n\xEF\xBB\xBF" + good + "\n", 1, 2, 0, 1, 0, "bad_line@2"},
        LinesRow{"bom alone", "\xEF\xBB\xBF", 0, 1, 1, 0, 0, "byte_order_mark@1"},
        LinesRow{"nul tail", withNul(good + "\n####"), 1, 2, 1, 0, 0, "nul_padding@2"},
        LinesRow{"nul around", withNul("##" + good + "##\n" + good), 2, 2, 0, 0, 0, "nul_padding@1"},
        LinesRow{"glued", good + other + "\n", 2, 1, 0, 0, 1, "glued_objects@1"},
        LinesRow{"glued with comma", good + " , " + other + "\n", 2, 1, 0, 0, 1, "glued_objects@1"},
        LinesRow{"glued then broken", good + other + "{\"a\n" + good + "\n", 3, 2, 0, 1, 1,
                 "bad_line@1 glued_objects@1"},
        LinesRow{"broken", "{oops\n" + good + "\n", 1, 2, 0, 1, 0, "bad_line@1"},
        LinesRow{"cut last", good + "\n" + good.substr(0, 30), 1, 2, 0, 0, 0, "bad_last_line@2"},
        LinesRow{"ended but cut", good + "\n" + good.substr(0, 30) + "\n", 1, 2, 0, 1, 0, "bad_line@2"},
        LinesRow{"no object", "[1]\n5 \"x\"\n" + good + "\n", 1, 3, 0, 0, 0,
                 "not_an_object@1 not_an_object@2 not_an_object@2"},
        LinesRow{"utf8", "{\"type\":\"user\",\"message\":{\"content\":\"\xff\"}}\n", 1, 1, 0, 0, 0,
                 "invalid_utf8@1"},
        LinesRow{"deep", std::string(1500, '[') + "\n" + good + "\n", 1, 2, 0, 1, 0, "too_deep@1"},
        LinesRow{"long", std::string(5000, 'x') + "\n" + good + "\n", 1, 2, 0, 1, 0, "line_too_long@1"},
        LinesRow{"long last", good + "\n" + std::string(5000, 'x'), 1, 2, 0, 1, 0, "line_too_long@2"},
        LinesRow{"just fits", std::string(3999 - good.size() + 1, ' ') + good + "\n", 1, 1, 0, 0, 0, ""},
        LinesRow{"unknown type", R"({"type":"new-thing"}
{"type":7}
{}
)",
                 3, 3, 0, 0, 0, "unknown_type@1 unknown_type@2 unknown_type@3"},
        LinesRow{"many", "x\nx\nx\nx\nx\n", 0, 5, 0, 5, 0, "bad_line@1 bad_line@2 bad_line@3 bad_line@4x2"},
        LinesRow{"time", R"({"type":"mode","timestamp":"yesterday"})", 1, 1, 0, 0, 0, "bad_timestamp@1"}));

TEST(OddLines, InvalidUtf8CountsOneCharacterForEachReplacement) {
    const SessionFile file =
        readSessionText("x", "{\"type\":\"user\",\"message\":{\"content\":\"a\xff\xe2\x82z\"}}");
    ASSERT_EQ(file.userRecords.size(), 1U);
    EXPECT_EQ(file.userRecords[0].inputCharacters, 4);
}

TEST(OddLines, PlacesNameLineAndBytes) {
    const std::string text = "\n" + good + other + "\r\n  " + good + "\n";
    const SessionFile file = readSessionText("x", text);
    ASSERT_EQ(file.userRecords.size(), 2U);
    const RecordPlace& first = file.userRecords[0].place;
    EXPECT_EQ(first.line, 2U);
    EXPECT_EQ(text.substr(first.offset, first.length), good + other + "\r");
    const RecordPlace& second = file.userRecords[1].place;
    EXPECT_EQ(second.line, 3U);
    EXPECT_EQ(text.substr(second.offset, second.length), "  " + good);
}

TEST(OddLines, PartsAndChunksOfAnySizeReadTheSame) {
    std::string text = "\xEF\xBB\xBF";
    for (int i = 0; i < 40; ++i) {
        text += i % 5 == 0 ? "\n" : (i % 7 == 0 ? std::string(300, 'x') : good) + "\n";
        text += i % 11 == 0 ? good + other + "\n" : "";
    }
    text += good.substr(0, 20);
    const ReaderLimits usual{.maxLineBytes = 200, .chunkBytes = 4096, .segmentBytes = 1U << 20U};
    const std::string whole = textOf(readSessionText("x", text, usual));
    for (const std::uint64_t segment : {1U, 2U, 10U, 57U, 100U, 999U}) {
        for (const std::size_t chunk : {1U, 3U, 64U, 500U}) {
            const ReaderLimits limits{.maxLineBytes = 200, .chunkBytes = chunk, .segmentBytes = segment};
            ASSERT_EQ(firstDifferentLine(whole, textOf(readSessionText("x", text, limits))), "")
                << segment << " " << chunk;
        }
    }
}

} // namespace
} // namespace loadline
