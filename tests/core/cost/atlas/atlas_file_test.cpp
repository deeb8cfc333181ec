// Packed tables: what is packed comes back, and what is not one is refused in a sentence.
#include "tests/core/cost/atlas/made_up_atlas.h"

#include <gmock/gmock.h>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void expectRoundTrip(const AtlasTable& table) {
    const std::string bytes = test::packedBytes(table);
    const Result<AtlasTable> again = atlasTableFrom(bytes, "it");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_TRUE(isSameAtlasTable(*again, table));
    EXPECT_EQ(test::packedBytes(*again), bytes);
    const Result<AtlasHead> head = atlasHeadFrom(bytes, "it");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->kind, table.kind);
    EXPECT_EQ(head->rows, table.rows);
    EXPECT_EQ(head->source, table.source);
    EXPECT_EQ(head->times.size(), table.times.size());
}

AtlasTable rowsOfLayers(std::size_t rows) {
    AtlasTable table = test::linearLayers();
    table.rows = rows;
    for (AtlasKeys& keys : table.keys) {
        keys.numbers.resize(rows);
    }
    for (AtlasTimes& times : table.times) {
        times.us.resize(rows);
    }
    return table;
}

TEST(AtlasFile, GivesBackWhatWasPacked) {
    expectRoundTrip(test::linearLayers());
    expectRoundTrip(test::differences());
    expectRoundTrip(rowsOfLayers(1));
    expectRoundTrip(rowsOfLayers(0));
}

TEST(AtlasFile, GivesBackManyDistinctKeys) {
    AtlasTable table;
    table.kind = AtlasKind::Collectives;
    table.rows = 40'000; // places of m need three bytes
    table.keys = {{"op", std::vector<std::string>(table.rows, "all_gather"), {}},
                  {"dtype", std::vector<std::string>(table.rows, "half"), {}},
                  {"gpus", {}, std::vector<std::int64_t>(table.rows, 2)},
                  {"elements", {}, {}}};
    table.times = {{"time", {}}};
    for (std::size_t row = 0; row < table.rows; ++row) {
        table.keys.back().numbers.push_back(static_cast<std::int64_t>(row * 1'000'003 + 1));
        table.times.front().us.push_back(static_cast<double>(row % 777 + 10));
    }
    expectRoundTrip(table);
}

TEST(AtlasFile, RoundsToFiveDigits) {
    AtlasTable table = test::linearLayers();
    table.times.front().us = {1.234567, 1.00005e-7, 1e300, -3.14159265, 99999.9};
    const Result<AtlasTable> again = atlasTableFrom(test::packedBytes(table), "it");
    ASSERT_TRUE(again);
    EXPECT_THAT(again->times.front().us, testing::ElementsAre(1.2346, 0, testing::IsNan(), -3.1416, 100000));
}

TEST(AtlasFile, PacksOnlyTables) {
    const auto refused = [](const std::function<void(AtlasTable&)>& spoil) {
        AtlasTable table = test::linearLayers();
        spoil(table);
        const Result<std::string> bytes = packed(table);
        return bytes ? "" : bytes.error().what;
    };
    EXPECT_EQ(refused([](AtlasTable&) {}), "");
    EXPECT_THAT(refused([](AtlasTable& t) { std::swap(t.keys[0], t.keys[1]); }), HasSubstr("key columns"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.keys.pop_back(); }), HasSubstr("key columns"));
    EXPECT_THAT(refused([](AtlasTable& t) {
                    t.keys[2].numbers = {1, 2, 1, 4, 2};
                }),
                HasSubstr("out of order"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.keys[2].numbers = {1, 2, 1, 2, 2}; }), HasSubstr("equal keys"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.keys[2].numbers[0] = 0; }), HasSubstr("column m has a cell"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.keys[2].numbers.pop_back(); }),
                HasSubstr("column m has not one"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.keys[0].words.resize(5); }), HasSubstr("column n has not one"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.times[1].us.pop_back(); }),
                HasSubstr("column fp8_block has not"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.times[1].name = "fp9"; }), HasSubstr("columns of times"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.times.clear(); }), HasSubstr("columns of times"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.rows = mostAtlasRows + 1; }), HasSubstr("262145 rows"));
    EXPECT_THAT(refused([](AtlasTable& t) { t.source.publisher = std::string(9000, 'x'); }),
                HasSubstr("too long"));
}

TEST(AtlasFile, SaysThatItIsDamagedWhereverItIsCut) {
    const std::string bytes = test::packedBytes(test::linearLayers());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THAT(test::problemOfFile(bytes.substr(0, size)), StartsWith("gemm of h200-sxm is damaged: "))
            << size;
    }
    EXPECT_THAT(test::problemOfFile(bytes + '\0'), HasSubstr("its digest is not that of its bytes"));
}

TEST(AtlasFile, SaysThatItIsDamagedWhicheverBitIsFlipped) {
    const std::string bytes = test::packedBytes(test::differences());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string flipped = bytes;
            flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
            EXPECT_THAT(test::problemOfFile(flipped), StartsWith("gemm of h200-sxm ")) << at;
            EXPECT_FALSE(atlasHeadFrom(flipped, "it")) << at;
        }
    }
}

TEST(AtlasFile, RefusesANewerForm) {
    EXPECT_EQ(test::problemOfFile("{\"schema\":\"loadline.atlas/2\",\"kind\":\"gemm\"}\nx"),
              "gemm of h200-sxm cannot be read: its form is not loadline.atlas/1");
}

/// A file of one row of linear layers with one member of its head replaced.
std::string fileWithMember(const std::string& name, const std::string& value) {
    std::string head = "{\"schema\":\"loadline.atlas/1\"";
    const std::vector<std::pair<std::string, std::string>> members{
        {"kind", "\"gemm\""},   {"rows", "1"},        {"bytes", "42"},     {"keys", "[\"n\",\"k\",\"m\"]"},
        {"times", "[\"fp8\"]"}, {"engine", "\"e\""},  {"version", "\"\""}, {"date", "\"\""},
        {"licence", "\"\""},    {"publisher", "\"\""}};
    for (const auto& [key, text] : members) {
        head += fmt::format(",\"{}\":{}", key, key == name ? value : text);
    }
    std::string columns;
    for (int key = 0; key < 3; ++key) {
        columns += std::string("\1\0\0\0\5\0\0\0\0\0\0\0\0", 13); // one cell, 5, at place 0
    }
    columns += std::string("\2\0\0", 3);
    return test::atlasFileOf(head + "}", columns);
}

TEST(AtlasFile, IsReadFromTheFormThatTheDescriptionGives) {
    const Result<AtlasTable> table = atlasTableFrom(fileWithMember("", ""), "it");
    ASSERT_TRUE(table) << table.error().sentence();
    EXPECT_EQ(table->rows, 1U);
    EXPECT_EQ(table->keysNamed("m")->numbers, std::vector<std::int64_t>{5});
    EXPECT_EQ(table->timesNamed("fp8")->us, std::vector<double>{0});
    EXPECT_EQ(table->keysNamed("tokens"), nullptr);
    EXPECT_EQ(table->timesNamed("bf16"), nullptr);
    EXPECT_EQ(table->source.engine, "e");
}

TEST(AtlasFile, RefusesHeadsThatMakeNoSense) {
    const auto problem = [](const std::string& name, const std::string& value) {
        return test::problemOfFile(fileWithMember(name, value));
    };
    EXPECT_THAT(problem("kind", "\"gem\""), HasSubstr("no kind of table is called \"gem\""));
    EXPECT_THAT(problem("kind", "7"), HasSubstr("kind"));
    EXPECT_THAT(problem("kind", "\"moe\""), HasSubstr("columns are not those"));
    EXPECT_THAT(problem("rows", "-1"), HasSubstr("rows"));
    EXPECT_THAT(problem("rows", "1e300"), HasSubstr("rows"));
    EXPECT_THAT(problem("rows", "262145"), HasSubstr("rows"));
    EXPECT_THAT(problem("rows", "200000"), HasSubstr("fewer bytes than rows"));
    EXPECT_THAT(problem("rows", "2"), HasSubstr("does not decode"));
    EXPECT_THAT(problem("rows", "0"), HasSubstr("does not decode"));
    EXPECT_THAT(problem("bytes", "18446744073709551615"), HasSubstr("bytes"));
    EXPECT_THAT(problem("bytes", "41"), HasSubstr("do not unpack"));
    EXPECT_THAT(problem("bytes", "43"), HasSubstr("do not unpack"));
    EXPECT_THAT(problem("keys", "[\"n\",\"m\",\"k\"]"), HasSubstr("columns are not those"));
    EXPECT_THAT(problem("times", "[]"), HasSubstr("columns are not those"));
    EXPECT_THAT(problem("times", "[\"fp8\",\"nvfp4\"]"), HasSubstr("column of times nvfp4 does not decode"));
    EXPECT_THAT(problem("engine", "null"), HasSubstr("engine"));
    EXPECT_THAT(problem("engine", "[[]]"), HasSubstr("engine"));
    EXPECT_THAT(problem("engine", "]"), StartsWith("gemm of h200-sxm is damaged"));
}

/// Returns the problem of a table of `rows` rows whose column n is `n`, k and m as given, and times of 3
/// bytes a row.
std::string problemOfColumns(std::size_t rows, const std::string& columns) {
    const std::string head =
        fmt::format("{{\"schema\":\"loadline.atlas/"
                    "1\",\"kind\":\"gemm\",\"rows\":{},\"bytes\":{},\"keys\":[\"n\",\"k\",\"m\"],"
                    "\"times\":[\"fp8\"],\"engine\":\"\",\"version\":\"\",\"date\":\"\",\"licence\":\"\","
                    "\"publisher\":\"\"}}",
                    rows, columns.size());
    return test::problemOfFile(test::atlasFileOf(head, columns));
}

std::string littleEndian(std::uint64_t number, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
    }
    return text;
}

std::string keyColumn(const std::vector<std::uint64_t>& distinct, const std::string& steps) {
    std::string text = littleEndian(distinct.size(), 4);
    for (const std::uint64_t number : distinct) {
        text += littleEndian(number, 8);
    }
    return text + steps;
}

TEST(AtlasFile, RefusesColumnsThatMakeNoSense) {
    const std::string one = keyColumn({1}, std::string(2, '\0')),
                      two = keyColumn({1, 2}, std::string("\0\2", 2));
    const std::string times(6, '\0');
    EXPECT_EQ(problemOfColumns(2, one + one + two + times), "");
    EXPECT_THAT(problemOfColumns(2, one + one + one + times), HasSubstr("two have equal keys"));
    EXPECT_THAT(problemOfColumns(2, one + one + keyColumn({1, 2}, "\2\1") + times),
                HasSubstr("out of order"));
    EXPECT_THAT(problemOfColumns(2, one + one + keyColumn({1, 2}, "\2\2") + times),
                HasSubstr("key column m"));
    EXPECT_THAT(problemOfColumns(2, one + one + keyColumn({1, 2}, std::string("\1\0", 2)) + times),
                HasSubstr("key column m"));
    EXPECT_THAT(problemOfColumns(2, keyColumn({2, 1}, std::string("\0\2", 2)) + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, keyColumn({1, 1}, std::string("\0\2", 2)) + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, keyColumn({0}, std::string(2, '\0')) + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, keyColumn({1ULL << 63U}, std::string(2, '\0')) + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, keyColumn({1, 2, 3}, std::string(2, '\0')) + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, keyColumn({}, std::string(2, '\0')) + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, std::string("\xff\xff\xff\xff") + one + one + two + times),
                HasSubstr("key column n"));
    EXPECT_THAT(problemOfColumns(2, one + one + two + times + "x"),
                HasSubstr("bytes follow its last column"));
    EXPECT_THAT(problemOfColumns(2, one + one + two + times.substr(1)), HasSubstr("column of times fp8"));
    EXPECT_THAT(problemOfColumns(2, one + one + two + "\1" + times.substr(1)),
                HasSubstr("column of times fp8")); // code -1
    EXPECT_THAT(problemOfColumns(2, one + one + two + std::string(6, '\xfe')),
                HasSubstr("column of times fp8"));
}

TEST(AtlasFile, RefusesFramesThatHoldMore) {
    const std::string zeros(std::size_t{1} << 22U, '\0');
    const std::string head = "{\"schema\":\"loadline.atlas/"
                             "1\",\"kind\":\"gemm\",\"rows\":1,\"bytes\":42,\"keys\":[\"n\",\"k\",\"m\"],"
                             "\"times\":[\"fp8\"],\"engine\":\"\",\"version\":\"\",\"date\":\"\",\"licence\":"
                             "\"\",\"publisher\":\"\"}";
    EXPECT_THAT(test::problemOfFile(test::atlasFileOf(head, zeros)), HasSubstr("do not unpack"));
}

} // namespace
} // namespace loadline
