// Fields of a made-up question: texts, ranges, choices, options.
#include "core/ask/field.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

namespace loadline::ask {
namespace {

enum class MadeOrder : std::uint8_t { First, Largest };

struct MadeBelow {
    std::optional<std::int64_t> limit;
    bool operator==(const MadeBelow&) const = default;
};

struct MadeQuestion {
    std::int64_t users = 8;
    double seconds = 300;
    bool cache = true;
    MadeOrder order = MadeOrder::First;
    std::uint64_t seed = 1;
    std::string name = "all";
    MadeBelow below = {};
    double low = 0, high = 1;
    bool operator==(const MadeQuestion&) const = default;
};

constexpr std::array<Choice, 2> madeOrders = {{{"first", "first", "", "first come"}, {"largest", "largest"}}};

std::string madeSpanText(const MadeQuestion& q) {
    return std::to_string(static_cast<int>(q.low)) + ":" + std::to_string(static_cast<int>(q.high));
}

bool readMadeSpan(MadeQuestion& q, std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto low = parseNumber<double>(text.substr(0, colon));
    const auto high = parseNumber<double>(text.substr(std::min(colon, text.size() - 1) + 1));
    if (colon == std::string_view::npos || !low || !high) {
        return false;
    }
    q.low = *low;
    q.high = *high;
    return true;
}

std::optional<double> madeLimit(const void* question, const Sources& sources) {
    const auto* known = sources.get<MadeBelow>();
    return known == nullptr ? std::nullopt
                            : std::optional(static_cast<double>(
                                  static_cast<const MadeQuestion*>(question)->users + *known->limit));
}

Fields madeFields() {
    using Q = MadeQuestion;
    static const std::array rows = {
        Field{.key = "users",
              .access = bound<&Q::users>(),
              .words = {"users", "How many users (8)"},
              .range = {1, 4096}},
        Field{.key = "ttl-s",
              .access = bound<&Q::seconds>(),
              .words = {"time to live", "", "the time to live"},
              .range = {0, 1e9},
              .slider = {.unit = "s"}},
        Field{.key = "cache", .access = bound<&Q::cache>(), .words = {"cache"}},
        Field{.key = "order", .access = bound<&Q::order>(madeOrders), .words = {"order"}},
        Field{.key = "seed", .access = bound<&Q::seed>(), .words = {"seed"}},
        Field{.key = "name", .access = bound<&Q::name>(), .words = {"name"}},
        Field{.key = "limit",
              .access = bound<&Q::below, &MadeBelow::limit>(),
              .words = {"limit"},
              .range = {0, 100},
              .slider = {.standIn = madeLimit}},
        Field{.key = "span",
              .access = inWords<Q>(),
              .words = {"span"},
              .traits = {.text = {.form = "A:B",
                                  .text = textBy<madeSpanText, Q>,
                                  .read = readBy<readMadeSpan, Q>}}},
    };
    return rows;
}

TEST(Fields, TextsReadBackEqual) {
    MadeQuestion changed{.users = 9,
                         .seconds = 0.1,
                         .cache = false,
                         .order = MadeOrder::Largest,
                         .seed = std::numeric_limits<std::uint64_t>::max(),
                         .name = "a b",
                         .below = {42},
                         .low = 2,
                         .high = 5};
    MadeQuestion read;
    for (const Field& field : madeFields()) {
        EXPECT_TRUE(readText(field, textOf(field, &changed), &read)) << field.key;
        EXPECT_EQ(textOf(field, &read), textOf(field, &changed)) << field.key;
    }
    EXPECT_EQ(read, changed);
}

TEST(Fields, WhatIsNoValueChangesNothing) {
    const MadeQuestion before;
    MadeQuestion question;
    for (const auto& [key, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{"users", "0"},
                                                                    {"users", "8x"},
                                                                    {"users", "4097"},
                                                                    {"users", "none"},
                                                                    {"ttl-s", "-1"},
                                                                    {"ttl-s", "nan"},
                                                                    {"cache", "yes"},
                                                                    {"order", "last"},
                                                                    {"seed", "-1"},
                                                                    {"seed", "18446744073709551616"},
                                                                    {"limit", "101"},
                                                                    {"span", "3"}}) {
        EXPECT_FALSE(readText(fieldOf(madeFields(), key), text, &question)) << key << ' ' << text;
        EXPECT_EQ(question, before) << key;
    }
}

TEST(Fields, NoneIsAValueOfWhatMayBeNone) {
    MadeQuestion question{.below = {5}};
    const Field& limit = fieldOf(madeFields(), "limit");
    EXPECT_EQ(numberOf(limit, &question), 5);
    EXPECT_TRUE(readText(limit, "none", &question));
    EXPECT_FALSE(question.below.limit);
    EXPECT_EQ(textOf(limit, &question), "none");
    EXPECT_TRUE(inputOf(limit, &question).isEmpty());
    setNumber(limit, 7.4, &question);
    EXPECT_EQ(question.below.limit, 7);
    setNumber(limit, std::nullopt, &question);
    EXPECT_FALSE(question.below.limit);
    setNumber(fieldOf(madeFields(), "users"), std::nullopt, &question);
    EXPECT_EQ(question.users, 8);
}

TEST(Fields, NoneMayStandForANumberThatSourcesKnow) {
    MadeQuestion question;
    const Field& limit = fieldOf(madeFields(), "limit");
    EXPECT_FALSE(standInOf(limit, &question, {})) << "not known yet";
    Sources sources;
    sources.put(std::make_shared<const MadeBelow>(MadeBelow{30}));
    EXPECT_EQ(standInOf(limit, &question, sources), 38);
    EXPECT_FALSE(standInOf(fieldOf(madeFields(), "users"), &question, sources)) << "it has none";
    question.below.limit = 5;
    EXPECT_FALSE(standInOf(limit, &question, sources)) << "it is set";
}

TEST(Fields, TellTheirOptions) {
    const MadeQuestion defaults;
    const auto of = [](std::string_view key) -> const Field& { return fieldOf(madeFields(), key); };
    EXPECT_EQ(optionOf(of("users"), &defaults), "--users");
    EXPECT_EQ(optionOf(of("cache"), &defaults), "--no-cache");
    EXPECT_EQ(formOf(of("users")), "N");
    EXPECT_EQ(takesOf(of("users")), "1..4096");
    EXPECT_EQ(formOf(of("order")), "first|largest");
    EXPECT_EQ(formOf(of("limit")), "N|none");
    EXPECT_EQ(takesOf(of("limit")), "0..100 or none");
    EXPECT_EQ(formOf(of("span")), "A:B");
    EXPECT_EQ(inputKeyOf(of("ttl-s")), "ttl_s");
    EXPECT_EQ(wordOf(of("order"), &defaults), "first come");
    EXPECT_EQ(wordOf(of("cache"), &defaults), "on");
    EXPECT_EQ(nameOfChange(of("users")), "Change the users");
}

TEST(Fields, OutOfRangeIsAProblemWithItsUnit) {
    MadeQuestion question{.seconds = -1};
    const auto problem = problemOf(fieldOf(madeFields(), "ttl-s"), &question);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->what, "the time to live is -1");
    EXPECT_EQ(problem->remedy, "choose 0 to 1\u202f000\u202f000\u202f000 s");
    question.seconds = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(problemOf(fieldOf(madeFields(), "ttl-s"), &question));
    EXPECT_FALSE(problemOf(fieldOf(madeFields(), "users"), &question));
}

TEST(Questions, AreEqualByTheirStructs) {
    Question one = Question::of(MadeQuestion());
    Question other = one;
    EXPECT_EQ(one, other);
    EXPECT_TRUE(readText(fieldOf(madeFields(), "users"), "9", other.data()));
    EXPECT_NE(one, other);
    EXPECT_EQ(one.as<MadeQuestion>().users, 8) << "copies are independent";
    EXPECT_NE(one, Question::of(MadeBelow()));
    EXPECT_NE(one, Question());
}

TEST(Questions, SourcesAreHeldByTheirType) {
    Sources sources;
    EXPECT_EQ(sources.get<MadeQuestion>(), nullptr);
    const auto held = std::make_shared<const MadeQuestion>();
    sources.put(held);
    EXPECT_EQ(sources.get<MadeQuestion>(), held.get());
    Sources same;
    same.put(held);
    EXPECT_EQ(sources, same);
    same.put(std::make_shared<const MadeQuestion>());
    EXPECT_FALSE(sources == same) << "another object";
    same.put(std::shared_ptr<const MadeQuestion>());
    EXPECT_EQ(same, Sources());
}

} // namespace
} // namespace loadline::ask
