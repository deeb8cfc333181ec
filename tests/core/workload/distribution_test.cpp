// Distributions: the published one, files written and read again, files that are refused.
#include "core/workload/distribution/distribution.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace loadline {
namespace {

double sumOf(const BucketFrequencies& frequencies) {
    double sum = 0;
    for (const auto& [bucket, share] : frequencies.frequency) {
        sum += share;
    }
    return sum;
}

double meanOf(const BucketFrequencies& frequencies) {
    double mean = 0;
    for (const auto& [bucket, share] : frequencies.frequency) {
        mean += static_cast<double>(bucket) * share;
    }
    return mean;
}

TEST(PublishedReference, HasItsFigures) {
    const TokenDistribution& reference = publishedReference();
    EXPECT_EQ(reference.sessions, 397U);
    EXPECT_EQ(reference.input.turns, 24229U);
    EXPECT_EQ(reference.output.turns, 20946U);
    EXPECT_NEAR(sumOf(reference.input), 1, 1e-5);
    EXPECT_NEAR(sumOf(reference.output), 1, 1e-5);
    EXPECT_NEAR(meanOf(reference.input), 1298.46, 0.01);
    EXPECT_NEAR(meanOf(reference.output), 114.14, 0.01);
    EXPECT_NE(reference.description.find("bitsandbytes"), std::string::npos);
}

TEST(PublishedReference, EqualsThePublishedFile) {
    const std::filesystem::path path =
        std::filesystem::path(LOADLINE_SHARED_DATA) / "workload/token_distributions.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << path << " is not here";
    }
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const Result<TokenDistribution> published = distributionFromJson(text.str(), path.string());
    ASSERT_TRUE(published) << published.error().sentence();
    EXPECT_EQ(published->input, publishedReference().input);
    EXPECT_EQ(published->output, publishedReference().output);
    EXPECT_EQ(published->sessions, publishedReference().sessions);
}

TEST(Distribution, ComesFromHistogramsAndBackFromJson) {
    const std::vector<HistogramValue> in{{.value = 3}, {.value = 5}, {.value = 0}, {.value = 100}};
    const std::vector<HistogramValue> out{{.value = 1}, {.value = 1}, {.value = 7}};
    const TokenDistribution made = distributionOf(
        histogramOf(in, BinKind::PowerOfTwo), histogramOf(out, BinKind::PowerOfTwo), 2, "two \"sessions\"");
    EXPECT_EQ(made.input.turns, 3U);
    EXPECT_EQ(made.input.frequency, (std::map<Tokens, double>{{4, 2.0 / 3}, {128, 1.0 / 3}}));
    EXPECT_EQ(made.output.frequency, (std::map<Tokens, double>{{1, 2.0 / 3}, {8, 1.0 / 3}}));
    const Result<TokenDistribution> again = distributionFromJson(toJson(made), "made.json");
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(*again, made);
}

struct RefusedCase {
    const char* name;
    const char* json;
    const char* says;
};

class RefusedDistribution : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedDistribution, SaysWhatIsWrong) {
    const Result<TokenDistribution> read = distributionFromJson(GetParam().json, "some.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().what, std::string("not a distribution file: ") + GetParam().says);
    EXPECT_EQ(read.error().where, "some.json");
}

const RefusedCase refusedCases[] = {
    {"empty_text", "", "it is not JSON"},
    {"cut", R"({"sessions": 1)", "it is not JSON"},
    {"array", "[]", "it is not a JSON object"},
    {"nothing", "{}", "\"input_tokens_per_turn\" is missing"},
    {"unknown_key", R"({"tokens": 1})", "\"tokens\" is not a known key"},
    {"text_wanted", R"({"description": 1})", "\"description\" is not text"},
    {"negative_sessions", R"({"sessions": -1})", "\"sessions\" is not a whole number of 0 or more"},
    {"part_is_no_object", R"({"input_tokens_per_turn": 3})", "\"input_tokens_per_turn\" is not an object"},
    {"turns_missing", R"({"input_tokens_per_turn": {"freq": {"1": 1}}})",
     "\"input_tokens_per_turn.num_turns\" is missing"},
    {"freq_missing", R"({"input_tokens_per_turn": {"num_turns": 1}})",
     "\"input_tokens_per_turn.freq\" is missing"},
    {"freq_empty", R"({"input_tokens_per_turn": {"num_turns": 1, "freq": {}}})",
     "\"input_tokens_per_turn.freq\" is empty"},
    {"not_a_power", R"({"input_tokens_per_turn": {"num_turns": 1, "freq": {"3": 1}}})",
     "\"input_tokens_per_turn.freq.3\" is not a power of two from 1 to 2^40"},
    {"not_a_number", R"({"input_tokens_per_turn": {"num_turns": 1, "freq": {"": 1}}})",
     "\"input_tokens_per_turn.freq.\" is not a power of two from 1 to 2^40"},
    {"negative", R"({"input_tokens_per_turn": {"num_turns": 1, "freq": {"1": -0.5, "2": 1.5}}})",
     "\"input_tokens_per_turn.freq.1\" is not a frequency of 0 or more"},
    {"sum", R"({"input_tokens_per_turn": {"num_turns": 1, "freq": {"1": 0.5, "2": 0.25}}})",
     "\"input_tokens_per_turn.freq\" sums to 0.75, not to 1"},
    {"no_output", R"({"input_tokens_per_turn": {"num_turns": 1, "freq": {"1": 1}}})",
     "\"generated_tokens_per_turn\" is missing"},
};

INSTANTIATE_TEST_SUITE_P(Files, RefusedDistribution, testing::ValuesIn(refusedCases),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace loadline
