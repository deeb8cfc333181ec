// prettyJson: well-formed, broken, huge and odd input.
#include "core/text/json/json_pretty.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace loadline {
namespace {

struct Example {
    std::string in;
    std::string out;
    bool broken = false;
};

TEST(JsonPretty, Examples) {
    const Example examples[] = {
        {"", ""},
        {"  \n ", ""},
        {"{}", "{}\n"},
        {"[ ]", "[]\n"},
        {"7", "7\n"},
        {R"({"a":1,"b":[true,null,-0.5e+3],"c":{"d":"x"}})",
         "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null,\n    -0.5e+3\n  ],\n  \"c\": {\n    \"d\": "
         "\"x\"\n  "
         "}\n}\n"},
        {R"({"e":[],"f":{}})", "{\n  \"e\": [],\n  \"f\": {}\n}\n"},
        {R"(["\"\\\u00e9 é"])", "[\n  \"\\\"\\\\\\u00e9 é\"\n]\n"},
        {R"({"a":1}{"b":2})", "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}\n"}, // glued objects
        {R"({"a":1,})", "{\n  \"a\": 1,\n  }\n", true},
        {R"({"a":1)", "{\n  \"a\": 1\n", true},
        {R"({"a":"cut)", "{\n  \"a\": \"cut\n", true},
        {R"({"a" 1})", "{\n  \"a\"1}\n", true},
        {R"([1,2}])", "[\n  1,\n  2}]\n", true},
        {R"([01])", "[\n  01]\n", true},
        {R"([nul])", "[\n  nul]\n", true},
        {R"(])", "]\n", true},
        {"hello\nworld", "hello\nworld\n", true},
        {std::string("[1]\0\0", 5), "[\n  1\n]\n\\x00\\x00\n", true},
        {"[\"a\xff\"]", "[\n  \"a\\xff\"\n]\n"},
        {"[\"a\u202eb\u009bc\"]", "[\n  \"a\\u202eb\\u009bc\"\n]\n"},
        {"[\"a\x01\"]", "[\n  \"a\\x01\"]\n", true},
    };
    for (const Example& e : examples) {
        const JsonPretty pretty = prettyJson(e.in);
        EXPECT_EQ(pretty.text, e.out) << e.in;
        EXPECT_EQ(pretty.broken, e.broken) << e.in;
        EXPECT_EQ(pretty.bytesLeftOut, 0U) << e.in;
    }
}

TEST(JsonPretty, ShortensLongStringsAtWholeCharactersAndSaysHowMuch) {
    JsonPrettyOptions options;
    options.maxStringCharacters = 3;
    EXPECT_EQ(prettyJson(R"("éééé")", options).text, "\"ééé…\" ⟨+1 characters⟩\n");
    EXPECT_EQ(prettyJson(R"("abc")", options).text, "\"abc\"\n");
    EXPECT_EQ(prettyJson(R"("ab\n\u0041\"")", options).text, "\"ab\\n…\" ⟨+2 characters⟩\n");
    EXPECT_EQ(prettyJson(R"(["abcd","abcde"])", options).shortenedStrings, 2U);
}

TEST(JsonPretty, CapsTheOutputAtAWholeLine) {
    std::string json = "[";
    for (int i = 0; i < 1000; ++i) {
        json += (i ? "," : "") + std::to_string(1000 + i);
    }
    json += "]";
    JsonPrettyOptions options;
    options.maxOutputBytes = 100;
    const JsonPretty pretty = prettyJson(json, options);
    EXPECT_EQ(pretty.text.size(), 98U); // "[\n" and 12 lines of 8 bytes
    EXPECT_EQ(pretty.text.substr(90), "  1011,\n");
    EXPECT_EQ(pretty.bytesLeftOut, json.size() - 1 - 12 * 5);
    EXPECT_FALSE(pretty.broken);
}

TEST(JsonPretty, CutsABrokenLineWithin) {
    JsonPrettyOptions options;
    options.maxOutputBytes = 10;
    const JsonPretty pretty = prettyJson(fmt::format("x{:y>1000}", ""), options);
    EXPECT_EQ(pretty.text, "xyyyyyyyyy\n");
    EXPECT_EQ(pretty.bytesLeftOut, 991U);
    const JsonPretty accents = prettyJson("xééééééééé", options);
    EXPECT_EQ(accents.text, "xéééé\n"); // never within a character, nor past the cap
    EXPECT_EQ(prettyJson("xyyy\u202Ez", options).text, "xyyy\\u202e\n");
    EXPECT_EQ(prettyJson("xyyyy\u202Ez", options).text, "xyyyy\n"); // nor within what stands for one
    EXPECT_LE(prettyJson("x" + std::string(1000, '\n') + "y", options).text.size(), 11U);
}

TEST(JsonPretty, AHugeStringIsALineToRead) {
    std::string json = R"({"content":")";
    json.append(3'000'000, 'a').append(R"(","after":1})");
    const JsonPretty pretty = prettyJson(json);
    EXPECT_LT(pretty.text.size(), 600U);
    EXPECT_NE(pretty.text.find("⟨+2\u202F999\u202F600 characters⟩"), std::string::npos);
    EXPECT_NE(pretty.text.find("\"after\": 1"), std::string::npos);
}

TEST(JsonPretty, DeepNestingNeitherCrashesNorIndentsForEver) {
    const std::string json = std::string(100'000, '[') + std::string(100'000, ']');
    JsonPrettyOptions options;
    options.maxOutputBytes = 64 << 20;
    const JsonPretty pretty = prettyJson(json, options);
    EXPECT_FALSE(pretty.broken);
    EXPECT_LT(pretty.text.size(), std::size_t{20} << 20);
}

TEST(JsonPretty, ABrokenDocumentEndsAtTheCapToo) {
    JsonPrettyOptions options;
    options.maxOutputBytes = 200;
    const JsonPretty pretty = prettyJson(fmt::format("[1,\n{:7>5000} x", ""), options);
    EXPECT_TRUE(pretty.broken);
    EXPECT_LE(pretty.text.size(), options.maxOutputBytes);
    EXPECT_GT(pretty.bytesLeftOut, 4900U);
}

/// Whatever the input: same document when it parses, valid UTF-8 always, `broken` as another parser says.
TEST(JsonPretty, AgreesWithAnotherParserOnDamagedDocuments) {
    const std::string whole = R"({"a":[1,-2.5e3,true,false,null,"é\n\"x"],"b":{"c":{},"d":[]},"e":"\u00e9"})";
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string json = whole;
        for (auto n = random() % 3; n > 0; --n) {
            json[random() % json.size()] = static_cast<char>(" \"{}[],:x0\\\xC3"[random() % 12]);
        }
        if (random() % 4 == 0) {
            json.resize(random() % json.size());
        }
        const JsonPretty pretty = prettyJson(json);
        const auto before = nlohmann::json::parse(json, nullptr, false);
        const auto after = nlohmann::json::parse(pretty.text, nullptr, false);
        if (!before.is_discarded()) {
            EXPECT_FALSE(pretty.broken) << json;
            EXPECT_EQ(before, after) << json;
        }
        EXPECT_NO_THROW((void)nlohmann::json(pretty.text).dump()) << json; // throws on invalid UTF-8
        EXPECT_EQ(pretty.bytesLeftOut, 0U);
    }
}

/// The first record of a file that begins with one; behind the first byte it is no part of JSON.
TEST(JsonPretty, AByteOrderMarkBeforeTheValueIsDropped) {
    const JsonPretty pretty = prettyJson("\xEF\xBB\xBF{\"a\":\"\"}");
    EXPECT_FALSE(pretty.broken);
    EXPECT_EQ(pretty.text, prettyJson("{\"a\":\"\"}").text);
    EXPECT_EQ(pretty.bytesLeftOut, 0U);
    EXPECT_FALSE(prettyJson("\xEF\xBB\xBF\"\"").broken);
    EXPECT_TRUE(prettyJson("{\xEF\xBB\xBF}").broken);
    EXPECT_TRUE(prettyJson("\xEF\xBB{}").broken);
}

} // namespace
} // namespace loadline
