// JSON of others: what is nested deeper than the stack holds is refused, everywhere it is read.
#include "core/base/file/read_json.h"

#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile_json.h"
#include "core/simulate/request/engine_words.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace loadline {
namespace {

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ReadJson, TakesWhatIsNestedAsDeepAsItSaysAndNoDeeper) {
    EXPECT_FALSE(jsonFrom(nested(mostNested)).is_discarded());
    EXPECT_TRUE(jsonFrom(nested(mostNested + 1)).is_discarded());
    EXPECT_FALSE(orderedJsonFrom(nested(mostNested)).is_discarded());
    EXPECT_TRUE(orderedJsonFrom(nested(mostNested + 1)).is_discarded());
}

TEST(ReadJson, TakesNoMoreValuesThanMemoryHolds) {
    EXPECT_TRUE(jsonFrom("[" + repeated("{},", mostJsonValues / 2) + "0]").is_discarded());
    EXPECT_FALSE(jsonFrom("[" + repeated("{},", 1000) + "0]").is_discarded());
    EXPECT_FALSE(jsonFrom("\"" + std::string(mostJsonValues + 1, ',') + "\"").is_discarded()); // one value
}

TEST(ReadJson, TakesNoNulForTheEnd) {
    using namespace std::string_literals;
    EXPECT_TRUE(jsonFrom("15\0"s).is_discarded());
    EXPECT_TRUE(jsonFrom("{}\0 and what would be passed over"s).is_discarded());
    EXPECT_TRUE(orderedJsonFrom("{}\0"s).is_discarded());
}

TEST(ReadJson, CountsNoBracketsInTextAndNoneThatAreClosed) {
    EXPECT_FALSE(jsonFrom("[\"\\\"" + std::string(5000, '[') + "\"]").is_discarded());
    EXPECT_FALSE(jsonFrom("[" + repeated("[],{}, ", 5000) + "0]").is_discarded());
    EXPECT_TRUE(jsonFrom("[\"open" + std::string(5000, ']')).is_discarded());
    EXPECT_TRUE(jsonFrom("").is_discarded());
}

/// Each of these ended the program: writing or walking a value takes stack for each level.
TEST(ReadJson, DeepDocumentsAreSentences) {
    const std::string deep = nested(200'000);
    const auto profile =
        profileFromJson(R"({"schema": "loadline.profile/1", "device": {"a": )" + deep + "}}", "p.json");
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().where, "p.json");
    EXPECT_FALSE(benchEventFromJson(R"({"event": "device", "facts": {"a": )" + deep + "}}"));
    EXPECT_FALSE(engineWordsIn("{\"a\": " + deep + "}"));
    EXPECT_FALSE(engineWordsIn(repeated("{\"a\": ", 50'000) + "1" + std::string(50'000, '}')));
}

} // namespace
} // namespace loadline
