// JSON as Python's json module takes it: tokens, pieces of a line, numbers, lengths of dumps.
#include "core/session/json/json_value.h"

#include "core/session/json/json_dump_length.h"
#include "core/session/json/json_number.h"
#include "core/session/json/utf8_repair.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

/// A line with the padding that the tokenizer asks for.
class Line {
public:
    explicit Line(std::string text) : padded_(std::move(text)) {
        const std::size_t length = padded_.size();
        padded_.append(jsonPadding, '\0');
        tokens_.index(std::string_view(padded_).substr(0, length));
    }

    /// "o" for each object, "v" for other values, then what ended the line: "" end, "!" bad, "#" too deep.
    std::string pieces() {
        std::string found;
        for (std::uint32_t at = 0;;) {
            const JsonTokens::CheckedPiece piece = tokens_.check(at);
            switch (piece.piece) {
            case JsonTokens::Piece::End:
                return found;
            case JsonTokens::Piece::Bad:
                return found + "!";
            case JsonTokens::Piece::TooDeep:
                return found + "#";
            case JsonTokens::Piece::Value:
                found += JsonValue(tokens_, piece.first).isObject() ? "o" : "v";
                at = piece.next;
            }
        }
    }

    /// The first value; its brackets are checked.
    JsonValue value() {
        EXPECT_EQ(tokens_.check(0).piece, JsonTokens::Piece::Value);
        return {tokens_, 0};
    }

private:
    std::string padded_;
    JsonTokens tokens_;
};

struct PiecesRow {
    std::string text;
    std::string pieces;
};

class JsonPieces : public testing::TestWithParam<PiecesRow> {};

TEST_P(JsonPieces, AreFoundUpToTheFirstThatDoesNotDecode) {
    EXPECT_EQ(Line(GetParam().text).pieces(), GetParam().pieces);
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

INSTANTIATE_TEST_SUITE_P(
    Lines, JsonPieces,
    testing::Values(
        PiecesRow{"", ""}, PiecesRow{" ", ""}, PiecesRow{"{}", "o"}, PiecesRow{"[]", "v"},
        PiecesRow{"{}{}", "oo"}, PiecesRow{"{} ,\t, {}", "oo"},
        PiecesRow{R"({"a":1}{"b":[1,{"c":null}]})", "oo"}, PiecesRow{R"("text" 5 true null)", "vvvv"},
        PiecesRow{R"({"a":NaN,"b":-Infinity,"c":1e400})", "o"}, PiecesRow{R"({"a":1}{"b":)", "o!"},
        PiecesRow{R"({"a":1}{"b":"cut)", "o!"}, PiecesRow{R"({"a":1}"cut)", "o!"},
        PiecesRow{R"("cut \")", "!"}, PiecesRow{R"({"a":1} x{"b":2})", "o!"}, PiecesRow{R"({"a" 1})", "!"},
        PiecesRow{R"({"a":1,})", "!"}, PiecesRow{"[1,]", "!"}, PiecesRow{"[1 2]", "!"},
        PiecesRow{R"({"a":tru})", "!"}, PiecesRow{R"({"a":01})", "!"}, PiecesRow{R"({"a":1.})", "!"},
        PiecesRow{R"({"a":.5})", "!"}, PiecesRow{R"({"a":+1})", "!"}, PiecesRow{R"({"a":1}})", "o!"},
        PiecesRow{R"({"a":[}])", "!"}, PiecesRow{R"({1:2})", "!"}, PiecesRow{R"({"a":"b"c})", "!"},
        PiecesRow{R"({"a":"\x"})", "!"}, PiecesRow{R"({}{"a":"\x"}{})", "o!"},
        PiecesRow{R"({"a":"\ud800"})", "o"}, PiecesRow{"{\"a\":\"\t\"}", "!"},
        PiecesRow{std::string("{\"a\":\0}", 7), "!"}, PiecesRow{"{\"a\":\"\xff\"}", "o"},
        PiecesRow{"{\"a\":\"\xff", "!"}, PiecesRow{nested(maxJsonDepth), "v"},
        PiecesRow{nested(maxJsonDepth + 1), "#"}, PiecesRow{std::string(100000, '['), "#"},
        PiecesRow{"{}" + nested(5000), "o#"}));

TEST(JsonValue, OfADoubleKeyTheLastValueCounts) {
    Line line(R"({"a":1,"b":2,"\u0061":3})");
    EXPECT_EQ(line.value()["a"].word(), "3");
    EXPECT_FALSE(line.value()["c"].present());
}

TEST(JsonValue, ReplacesInvalidUtf8) {
    Line line("{\"a\":\"x\xff\xe2\x82y\"}");
    std::string space;
    EXPECT_EQ(line.value()["a"].text(space), "x\uFFFD\uFFFDy");
}

TEST(JsonValue, IsTrueAsInPython) {
    Line line(R"([null,false,0,0.0,-0,"",[],{},true,1,1e3,NaN,"x",[0],{"a":0},0.5])");
    std::string truths;
    line.value().forEachElement([&](JsonValue value) { truths += value.isTrue() ? '1' : '0'; });
    EXPECT_EQ(truths, "0000000011111111");
}

struct LengthRow {
    std::string json;
    std::size_t ascii, unicode; // len(json.dumps(x)), len(json.dumps(x, ensure_ascii=False))
};

class DumpLength : public testing::TestWithParam<LengthRow> {};

TEST_P(DumpLength, IsThatOfPython) {
    Line line(GetParam().json);
    EXPECT_EQ(dumpedLength(line.value(), LengthOf::AsciiDump), GetParam().ascii);
    EXPECT_EQ(dumpedLength(line.value(), LengthOf::UnicodeDump), GetParam().unicode);
}

INSTANTIATE_TEST_SUITE_P(
    Values, DumpLength,
    testing::Values(LengthRow{"{}", 2, 2}, LengthRow{"[]", 2, 2},
                    LengthRow{R"({"a":1,"b":[1,2,"é"]})", 31, 26}, LengthRow{"[ 1 ,2,\t3 ]", 9, 9},
                    LengthRow{R"({"a":1,"b":2,"a":333})", 18, 18}, LengthRow{R"({"a":1,"\u0061":22})", 9, 9},
                    LengthRow{"true", 4, 4}, LengthRow{"null", 4, 4}, LengthRow{"NaN", 3, 3},
                    LengthRow{"1e400", 8, 8}, LengthRow{"-1e400", 9, 9}, LengthRow{"1e-400", 3, 3},
                    LengthRow{"-0", 1, 1}, LengthRow{"-0.0", 4, 4}, LengthRow{"1.50", 3, 3},
                    LengthRow{"1e2", 5, 5}, LengthRow{"1E+15", 18, 18}, LengthRow{"1e16", 5, 5},
                    LengthRow{"0.0001", 6, 6}, LengthRow{"0.00001", 5, 5}, LengthRow{"123456.789", 10, 10},
                    LengthRow{"1.5e-7", 7, 7}, LengthRow{"123456789012345678901234567890", 30, 30}));

TEST(JsonNumber, KnowsWholeNumbers) {
    EXPECT_EQ(wholeNumber("0"), 0);
    EXPECT_EQ(wholeNumber("-12"), -12);
    EXPECT_EQ(wholeNumber("12.0"), 12);
    EXPECT_EQ(wholeNumber("1.2e1"), 12);
    for (const char* none : {"", "1.5", "1e400", "NaN", "true", "99999999999999999999", "1e17", "-", "x"}) {
        EXPECT_EQ(wholeNumber(none), std::nullopt) << none;
    }
}

TEST(Utf8Repair, ReplacesMaximalSubpartsLikePython) {
    EXPECT_EQ(repairUtf8("aé€😀"), "aé€😀");
    EXPECT_EQ(repairUtf8("\xff"), "\uFFFD");
    EXPECT_EQ(repairUtf8("\xc3"), "\uFFFD");
    EXPECT_EQ(repairUtf8("\xc3("), "\uFFFD(");
    EXPECT_EQ(repairUtf8("\xe2\x82"), "\uFFFD");
    EXPECT_EQ(repairUtf8("\xe2\x82x"), "\uFFFDx");
    EXPECT_EQ(repairUtf8("\xf0\x9f\x98"), "\uFFFD");
    EXPECT_EQ(repairUtf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
    EXPECT_EQ(repairUtf8("\xc0\x80"), "\uFFFD\uFFFD");           // overlong
    EXPECT_EQ(repairUtf8("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

} // namespace
} // namespace loadline
