// List prices: what is read, which model they are of, what a call costs.
#include "core/session/price/price_list.h"

#include "core/session/corpus/price_words.h"
#include "tests/core/session_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace loadline {
namespace {

using test::SessionBuilder;
using test::used;

constexpr const char* twoModels = R"({"unit": "USD per million tokens", "source": "made up", "note": "x",
  "models": {
    "claude-opus-9-20260101": {"input": 5, "output": 25, "cache_read": 0.5, "cache_write_5m": 6.25,
                               "cache_write_1h": 10},
    "long": {"input": 3, "output": 15, "cache_read": 0.3, "cache_write_5m": 3.75, "cache_write_1h": 6,
             "above_200k": {"input": 6, "output": 22.5, "cache_read": 0.6, "cache_write_5m": 7.5,
                            "cache_write_1h": 12}},
    "plain": {"input": 2, "output": 8}}})";

PriceList made() {
    return *pricesFromJson(twoModels, "made.json");
}

Usage callOf(Tokens input, Tokens write, Tokens write1h, Tokens read, Tokens output) {
    return {.input = input,
            .cacheWrite = write,
            .cacheWrite5m = 0,
            .cacheWrite1h = write1h,
            .cacheRead = read,
            .output = output};
}

TEST(PriceList, PricesEachKindOfToken) {
    const PriceList list = made();
    EXPECT_EQ(list.source, "made up");
    const ModelPrices& opus = *pricesOf(list, "claude-opus-9-20260101");
    // 1000 * 5 + 2000 * 6.25 + 3000 * 10 + 100000 * 0.5 + 400 * 25 per million
    EXPECT_DOUBLE_EQ(costUsd(opus, callOf(1000, 5000, 3000, 100'000, 400)), 0.1075);
    EXPECT_DOUBLE_EQ(costUsd(opus, callOf(0, 0, 3000, 0, 0)), 0) << "a part is no more than the whole";
    EXPECT_EQ(costUsd(opus, {}), 0);
}

TEST(PriceList, PricesWhatLiesBeyondALongCallsTokensByKind) {
    const ModelPrices& prices = *pricesOf(made(), "long");
    EXPECT_DOUBLE_EQ(costUsd(prices, callOf(200'000, 0, 0, 200'000, 0)), 0.6 + 0.06);
    EXPECT_DOUBLE_EQ(costUsd(prices, callOf(200'001, 0, 0, 0, 0)), 0.6 + 6e-6);
    EXPECT_DOUBLE_EQ(costUsd(prices, callOf(0, 0, 0, 300'000, 0)), 0.06 + 0.06);
}

TEST(PriceList, WithoutItsOwnPriceAKindCostsAsTheOneBefore) {
    const ModelPrices& plain = *pricesOf(made(), "plain");
    EXPECT_DOUBLE_EQ(costUsd(plain, callOf(1'000'000, 2'000'000, 1'000'000, 1'000'000, 0)), 2 + 2 + 2 + 2);
}

TEST(PriceList, FindsAModelUnderItsOtherNames) {
    const PriceList list = made();
    const ModelPrices* const opus = pricesOf(list, "claude-opus-9-20260101");
    for (const char* name : {"claude-opus-9", "claude-opus-9-20260303", "claude-opus-9[1m]",
                             "us.anthropic.claude-opus-9-20260101-v1:0", "anthropic/claude-opus-9:beta",
                             "claude-opus-9@20260101", "anthropic.claude-opus-9-v2"}) {
        EXPECT_EQ(pricesOf(list, name), opus) << name;
    }
    for (const char* name :
         {"", "claude-opus", "claude-opus-99", "claude-sonnet-9", "longer", "claude-", "[1m]"}) {
        EXPECT_EQ(pricesOf(list, name), nullptr) << name;
    }
}

TEST(PriceList, OfTwoReleasesThatAskDifferentlyNoneIsGuessed) {
    PriceList list = made();
    list.models["claude-opus-9-20260202"] = {.each = {.input = 1}, .beyond = {}};
    EXPECT_EQ(pricesOf(list, "claude-opus-9"), nullptr);
    EXPECT_NE(pricesOf(list, "claude-opus-9-20260202"), nullptr);
    list.models["claude-opus-9"] = {.each = {.input = 7}, .beyond = {}};
    EXPECT_EQ(pricesOf(list, "claude-opus-9")->each.input, 7);
}

TEST(PriceList, LaidOverAnotherGoesBefore) {
    PriceList over;
    over.source = "mine.json";
    over.models["plain"] = {.each = {.input = 1}, .beyond = {}};
    over.models["mine"] = {.each = {.input = 9}, .beyond = {}};
    const PriceList both = laidOver(made(), over);
    EXPECT_EQ(both.models.size(), 4U);
    EXPECT_EQ(both.models.at("plain").each.input, 1);
    EXPECT_EQ(both.source, "mine.json; else made up");
}

TEST(PriceList, SaysWhatIsWrong) {
    for (const auto& [json, what] :
         {std::pair("", "it is not JSON"), std::pair("[]", "it is not a JSON object"),
          std::pair("{}", "\"models\" is missing"), std::pair(R"({"models": []})", "\"models\" is no object"),
          std::pair(R"({"unit": "EUR", "models": {}})", "its \"unit\" is \"EUR\""),
          std::pair(R"({"models": {"a": 3}})", "a: it is not an object"),
          std::pair(R"({"models": {"a": {"input": 3}}})", "a: \"output\" is missing"),
          std::pair(R"({"models": {"a": {"input": -1, "output": 3}}})", "a: \"input\" is not a price"),
          std::pair(R"({"models": {"a": {"input": 1, "output": 1e300}}})", "a: \"output\" is not a price"),
          std::pair(R"({"models": {"a": {"input": 1, "output": 2, "read": 3}}})", "a: "),
          std::pair(R"({"models": {"a": {"input": 1, "output": 2, "above_200k": {"input": 1}}}})",
                    "a: \"above_200k.output\" is missing")}) {
        const auto read = pricesFromJson(json, "p.json");
        ASSERT_FALSE(read) << json;
        EXPECT_NE(read.error().what.find(what), std::string::npos) << json << ": " << read.error().what;
        EXPECT_EQ(read.error().where, "p.json");
        EXPECT_FALSE(read.error().remedy.empty());
    }
}

TEST(PriceList, WritesToClaudesCacheCostMultiplesOfTheInputUnlessStated) {
    const auto list = pricesFromJson(R"({"models": {
        "claude-x-1": {"input": 4, "output": 20, "cache_read": 0.4, "above_200k": {"input": 8, "output": 30}},
        "claude-x-2": {"input": 4, "output": 20, "cache_write_5m": 4.5},
        "other": {"input": 4, "output": 20, "cache_read": 0.4}}})",
                                     "p.json");
    ASSERT_TRUE(list);
    const auto writes = [&](const char* model) {
        const TokenPrices& each = list->models.at(model).each;
        return std::pair(each.cacheWrite5m, each.cacheWrite1h);
    };
    EXPECT_EQ(writes("claude-x-1"), std::pair(5.0, 8.0));
    EXPECT_EQ(list->models.at("claude-x-1").beyond->cacheWrite5m, 10);
    EXPECT_EQ(writes("claude-x-2"), std::pair(4.5, 8.0));
    EXPECT_EQ(writes("other"), std::pair(4.0, 4.0));
}

Corpus corpusWithPrices() {
    SessionBuilder a("a.jsonl", "a");
    a.call("m1", 1, callOf(1000, 5000, 3000, 100'000, 400), "claude-opus-9")
        .call("m2", 2, callOf(1'000'000, 0, 0, 0, 0), "plain")
        .call("m3", 3, callOf(10, 0, 0, 0, 10), "secret")
        .progressCall("m4", 4, used(5, 0, 0, 0));
    SessionBuilder b("b.jsonl", "b");
    b.call("m2", 2, callOf(1'000'000, 0, 0, 0, 0), "plain"); // a copy
    SessionFiles files;
    files.files = {a.done(), b.done()};
    return buildCorpus(std::move(files), made());
}

TEST(PricedCorpus, CountsACallsCostOnceAndSaysWhatHasNone) {
    const Corpus corpus = corpusWithPrices();
    const UsageTotals all = totalsOf(corpus.calls);
    EXPECT_DOUBLE_EQ(all.costUsd, 0.1075 + 2);
    EXPECT_EQ(all.callsUnpriced, 1U);
    EXPECT_DOUBLE_EQ(totalsByModel(corpus).at("plain").costUsd, 2);
    EXPECT_EQ(totalsByModel(corpus).at("secret").callsUnpriced, 1U);
    EXPECT_EQ(totalsOf(corpus.progressOnly).callsUnpriced, 1U); // "opus"
    EXPECT_DOUBLE_EQ(totalsOfFile(corpus, corpus.files[1]).costUsd, 2);
    EXPECT_DOUBLE_EQ(corpus.sessions[0].totals.costUsd, 0.1075 + 2);
    EXPECT_EQ(costNote(corpus, all),
              "At list prices (made up), not what was paid by contract or subscription; "
              "1 of 3 calls have no price.");
    EXPECT_EQ(unpricedModels(corpus), std::vector<std::string>{"secret"});
    EXPECT_EQ(priceSentence(corpus), "Costs are at list prices (made up), not what was paid by contract or "
                                     "subscription; no price is known of secret.");
}

TEST(PricedCorpus, SaysAtLeastWhereSomethingIsMissing) {
    UsageTotals totals;
    EXPECT_EQ(costText(totals), "");
    totals.add({.output = 1}, OutputQuality::Final, 0, unpriced);
    EXPECT_EQ(costText(totals), "");
    totals.add({.output = 1}, OutputQuality::Final, 0, {1204.6});
    EXPECT_EQ(costText(totals), "≥ $1\u202f204.60");
    UsageTotals exact;
    exact.add({.output = 1}, OutputQuality::Final, 0, {0.0042});
    EXPECT_EQ(costText(exact), "$0.0042");
    exact.add({.output = 1}, OutputQuality::LowerBound, 0, {1});
    EXPECT_EQ(costText(exact), "≥ $1.00");
}

Corpus corpusWithExtras(const PriceList& prices) {
    Usage fast = callOf(1000, 0, 0, 0, 0);
    fast.fast = true;
    Usage searched = callOf(1000, 0, 0, 0, 0);
    searched.webSearches = 3;
    Usage again = callOf(1000, 0, 0, 0, 0);
    again.earlierTries = 1;
    SessionBuilder a("a.jsonl", "a");
    a.call("m1", 1, fast, "plain").call("m2", 2, searched, "long").call("m3", 3, again, "long");
    SessionBuilder b("b.jsonl", "b");
    b.call("m4", 4, callOf(1000, 0, 0, 0, 0), "plain");
    SessionFiles files;
    files.files = {a.done(), b.done()};
    return buildCorpus(std::move(files), prices);
}

TEST(PricedCorpus, FastModeSearchesAndEarlierTriesMakeCostsLowerBounds) {
    const Corpus corpus = corpusWithExtras(made());
    const UsageTotals all = totalsOf(corpus.calls);
    EXPECT_EQ(all.costUsd, 0.010);
    EXPECT_EQ(all.callsPartlyUnpriced, 3U);
    EXPECT_EQ(all.callsFast, 1U);
    EXPECT_EQ(all.usage.webSearches, 3U);
    EXPECT_EQ(all.usage.earlierTries, 1U);
    EXPECT_EQ(costText(all), "≥ $0.01");
    EXPECT_TRUE(corpus.sessions[0].totals.costIsLeast());
    EXPECT_FALSE(corpus.sessions[1].totals.costIsLeast());
    EXPECT_EQ(costText(corpus.sessions[1].totals), "$0.002");
    EXPECT_EQ(costNote(corpus, all),
              "At list prices (made up), not what was paid by contract or subscription; not in it: the "
              "surcharge of fast mode (1 call), 3 web searches and 1 earlier try of a call.");
    EXPECT_EQ(priceSentence(corpus),
              "Costs are at list prices (made up), not what was paid by contract or subscription. They are "
              "lower bounds without the surcharge of fast mode (1 call), 3 web searches and 1 earlier try of "
              "a call, whose price is not known.");
}

TEST(PricedCorpus, FastModeHasThePriceThatAListStates) {
    PriceList prices = made();
    prices.models["plain-fast"] = {.each = {.input = 12}, .beyond = {}};
    const Corpus corpus = corpusWithExtras(prices);
    const UsageTotals plain = totalsByModel(corpus).at("plain");
    EXPECT_EQ(plain.costUsd, 0.014);
    EXPECT_FALSE(plain.costIsLeast());
}

TEST(PricedCorpus, SumsAreExactDecimals) {
    UsageTotals totals;
    for (int i = 0; i < 3; ++i) {
        totals.add({.output = 1}, OutputQuality::Final, 0, {0.01});
    }
    EXPECT_EQ(totals.costUsd, 0.03);
    UsageTotals sum;
    for (int i = 0; i < 100'000; ++i) {
        sum += totals;
    }
    EXPECT_EQ(sum.costUsd, 3000);
    EXPECT_EQ(costUsd(*pricesOf(made(), "plain"), callOf(3, 0, 0, 0, 0)), 6e-6);
}

} // namespace
} // namespace loadline
