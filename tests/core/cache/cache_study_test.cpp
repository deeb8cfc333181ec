// The answer of `loadline cache` and its report: what they hold, and for how long.
#include "core/ask/write_json.h"
#include "core/ask/write_text.h"
#include "core/cache/study/cache_report.h"
#include "tests/core/cache/growing_prompts.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>

namespace loadline {
namespace {

/// Three conversations of twelve requests, one block of 100 tokens more each.
CacheInput growingInput() {
    BlockTraceBuilder builder(100, true);
    for (int chain = 0; chain < 3; ++chain) {
        builder.beginScope();
        builder.beginChain("chain_" + std::to_string(chain), false, 1000.0 * chain);
        test::addGrowingPrompts(builder, 12, 60);
    }
    CacheInput input;
    input.paths = {"made.jsonl"};
    input.requests.trace = builder.finish();
    input.requests.files.emplace().formats = {"made"};
    return input;
}

TEST(CacheStudy, AReportOutlivesAnswerAndQuestion) {
    auto question = std::make_shared<const CacheQuestion>(CacheQuestion{.ttlsS = {30, 300}});
    auto answer =
        std::make_shared<const CacheAnswer>(std::move(*cacheAnswerOf(growingInput(), *question, {})));
    ask::Report report = ask::cacheReport(*answer, *question);
    report.keeps = {answer, question};
    answer.reset();
    question.reset();
    const auto document = nlohmann::json::parse(jsonOfReport(report));
    EXPECT_EQ(document["requests"], 36);
    EXPECT_EQ(document["ttl"]["30"], 0.0);
    EXPECT_GT(document["ttl"]["300"], 0.5);
    EXPECT_EQ(document["tiers"]["sharing"]["at_once"], 1);
    EXPECT_TRUE(document["breaks"].empty());
    EXPECT_TRUE(document["by"].is_null());
    EXPECT_TRUE(textOfReport(report).starts_with(report.headline + "\n")) << textOfReport(report);
}

TEST(CacheStudy, AnAnswerThatIsMovedPointsIntoItself) {
    CacheQuestion question;
    question.machine.sessions = 2;
    const CacheAnswer answer = std::move(*cacheAnswerOf(growingInput(), question, {}));
    ASSERT_TRUE(answer.tiers && answer.asked);
    EXPECT_EQ(answer.tiers->sharing.sessions, 2U);
    EXPECT_EQ(answer.tiers->sharing.shared, answer.sharing().shared);
}

TEST(CacheStudy, LengthsTellNoReuse) {
    CacheInput input = growingInput();
    input.requests.trace = BlockTraceBuilder(0, false).finish();
    const CacheQuestion question;
    const Result<CacheAnswer> answer = cacheAnswerOf(std::move(input), question, {});
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->tiers);
    const auto document = nlohmann::json::parse(jsonOfReport(ask::cacheReport(*answer, question)));
    for (const char* key : {"composition", "unlimited", "ttl", "shared", "tiers", "token_cost"}) {
        EXPECT_TRUE(document.contains(key) && document[key].is_null()) << key;
    }
}

TEST(CacheStudy, TiersThatCannotBeReadAreAnError) {
    CacheQuestion question;
    question.machine.tiers = "none";
    EXPECT_FALSE(cacheAnswerOf(growingInput(), question, {}));
}

} // namespace
} // namespace loadline
