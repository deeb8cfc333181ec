// The Distributions page as a value: bins, quality, brush, table and sentences.
#include "core/workload/distribution/distribution_figure.h"

#include "core/text/number_format.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace loadline {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::Not;

DistributionFigure figureOf(const Corpus& corpus, const DistributionOptions& options,
                            const Scope& scope = {}) {
    return distributionFigure(corpus, select(corpus, scope, options.method), scope, options);
}

/// 100 calls that add 10 tokens and give 20, the last `long_` of which add 1000 times as much.
Corpus hundredCalls(int longOnes, OutputQuality quality = OutputQuality::Final) {
    SessionBuilder main("s.jsonl", "s");
    main.prompt(0);
    for (int i = 0; i < 100; ++i) {
        const Tokens input = i < 100 - longOnes ? 10 : 10'000;
        main.call("m" + std::to_string(i), i + 1, used(1, input - 1, 50'000, 20), "opus",
                  i % 5 == 0 ? quality : OutputQuality::Final);
    }
    return corpusOf({main});
}

TEST(DistributionFigure, CountsQualityAndSessions) {
    const DistributionFigure figure = figureOf(hundredCalls(5, OutputQuality::LowerBound), {});
    EXPECT_EQ(figure.turns, 100U);
    EXPECT_EQ(figure.sessions, 1U);
    EXPECT_EQ(figure.inexactOutputTurns, 20U);
    EXPECT_EQ(figure.brushedTurns, 100U);
    EXPECT_EQ(figure.input.summary.sum, 95 * 10 + 5 * 10'000);
    ASSERT_EQ(figure.output.bins.size(), 1U);
    EXPECT_EQ(figure.output.bins[0].countInexact, 20U);
    EXPECT_EQ(figure.input.bins.front().countInexact, 0U); // input is exact, whatever the output is
    EXPECT_EQ(figure.methodChange, "");
}

TEST(DistributionFigure, SentenceNamesTheTailThatCarriesTheMean) {
    const std::string tail = figureOf(hundredCalls(5), {}).sentence;
    EXPECT_THAT(tail, HasSubstr("Half of the 100 API calls add 10 new prompt tokens or fewer"));
    EXPECT_THAT(tail, HasSubstr("the mean is 510 because the largest 10 %, above 10, hold 98.2 % of them"));
    EXPECT_THAT(tail, HasSubstr("half give 20 or fewer; the mean is 20."));
    EXPECT_THAT(tail, Not(HasSubstr("≥")));
    EXPECT_THAT(figureOf(hundredCalls(0), {}).sentence, Not(HasSubstr("because")));
}

TEST(DistributionFigure, SentenceSaysThatInputIsEstimatedWhereNoCacheIsRecorded) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(20'000, 0, 0, 5)).call("m2", 20, used(23'000, 0, 0, 5));
    main.call("m3", 30, used(26'000, 0, 0, 5));
    const DistributionFigure alone = figureOf(corpusOf({main}), {});
    EXPECT_EQ(alone.aboutInputTurns, 3U);
    EXPECT_THAT(alone.sentence,
                HasSubstr("Half of the 3 API calls add about 3 k new prompt tokens or fewer; the "
                          "mean is about 8.67 k. The logs of these API calls record no cache: "
                          "what the call before had not sent counts as new. Output"));
    SessionBuilder other("q/t.jsonl", "t");
    other.prompt(0).call("o1", 10, used(2, 900, 20'000, 5));
    EXPECT_THAT(figureOf(corpusOf({main, other}), {}).sentence,
                HasSubstr("The logs of 3 of the 4 API calls record no cache"));
    EXPECT_THAT(figureOf(corpusOf({other}), {}).sentence, Not(HasSubstr("about")));
}

TEST(DistributionFigure, SentenceRoundsAsTheChartDoes) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(634, 0, 0, 1)).call("m2", 20, used(635, 0, 0, 2));
    const DistributionFigure figure = figureOf(corpusOf({main}), {});
    EXPECT_THAT(figure.sentence, HasSubstr("add " + formatCount(634.5) + " new prompt tokens or fewer"));
    EXPECT_THAT(figure.sentence, HasSubstr("half give 1.5 or fewer; the mean is 1.5."));
}

TEST(DistributionFigure, SentenceSaysThatOutputIsALowerBound) {
    const std::string sentence = figureOf(hundredCalls(0, OutputQuality::StartOnly), {}).sentence;
    EXPECT_THAT(sentence, HasSubstr("half give ≥ 20 or fewer, the mean is ≥ 20"));
    EXPECT_THAT(sentence,
                HasSubstr("20.0 % of the API calls record only a lower bound (20.0 % a mere placeholder)"));
}

TEST(DistributionFigure, TheBrushMarksTurns) {
    const Corpus corpus = hundredCalls(5);
    Scope scope;
    scope.turnInput = TokenRange{5000, 20'000};
    const DistributionFigure figure = figureOf(corpus, {}, scope);
    EXPECT_EQ(figure.turns, 100U);
    EXPECT_EQ(figure.brushedTurns, 5U);
    EXPECT_EQ(figure.input.bins.front().countHit, 0U);
    EXPECT_EQ(figure.input.bins.back().countHit, 5U);
    EXPECT_THAT(figure.sentence, HasSubstr("Selected: 5 of 100 API calls."));
}

TEST(DistributionFigure, MethodsAreComparedInNumbers) {
    SessionBuilder main("s.jsonl", "s");
    main.user(UserKind::Human, 0, 40, 300).call("m1", 1, used(10, 90, 0, 100));
    main.user(UserKind::ToolResult, 2, 0, 300).call("m2", 3, used(10, 90, 0, 100));
    const Corpus corpus = corpusOf({main});
    const DistributionFigure perLine = figureOf(corpus, {.method = TurnMethod::PerLine});
    EXPECT_THAT(perLine.methodChange, HasSubstr("output 3 times: 600 instead of 200"));
    EXPECT_THAT(perLine.methodChange, HasSubstr("input 0.05 times: 10 instead of 200"));
    EXPECT_EQ(perLine.input.zeros, 1U);
    EXPECT_THAT(perLine.sentence, HasSubstr("user record"));
    const DistributionFigure prompt = figureOf(corpus, {.method = TurnMethod::Prompt});
    EXPECT_EQ(prompt.turns, 1U);
    EXPECT_THAT(prompt.methodChange, HasSubstr("1 turn instead of 2 API calls, and the same tokens"));
}

TEST(DistributionFigure, NothingInScope) {
    const Corpus corpus = hundredCalls(0);
    Scope scope;
    scope.models = {"no such model"};
    const DistributionFigure figure = figureOf(corpus, {}, scope);
    EXPECT_EQ(figure.turns, 0U);
    EXPECT_EQ(figure.sentence, "No API calls are in scope.");
    EXPECT_TRUE(tableOf(figure).rows.empty());
}

TEST(BarHeight, SharesSumToOneAndCumulativeEndsThere) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Corpus corpus = randomSession(seed, 150);
        for (const BinKind bins : {BinKind::PowerOfTwo, BinKind::FineLog}) {
            for (const TurnMethod method : {TurnMethod::PerLine, TurnMethod::ApiCall, TurnMethod::Prompt}) {
                const DistributionFigure figure = figureOf(corpus, {.method = method, .bins = bins});
                for (const Histogram* histogram : {&figure.input, &figure.output}) {
                    double sum = 0;
                    for (std::size_t i = 0; i < histogram->bins.size(); ++i) {
                        EXPECT_EQ(barHeight(*histogram, i, Measure::Count),
                                  static_cast<double>(histogram->bins[i].count));
                        sum += barHeight(*histogram, i, Measure::Share);
                        EXPECT_NEAR(barHeight(*histogram, i, Measure::Cumulative), sum, 1e-12);
                    }
                    EXPECT_NEAR(sum, histogram->bins.empty() ? 0 : 1, 1e-12);
                }
            }
        }
    }
}

TEST(DistributionSentence, AReferenceOverOtherTurnsSaysSo) {
    const Corpus corpus = hundredCalls(5);
    const auto sentence = [&](TurnMethod method, bool reference) {
        return figureOf(corpus, {.method = method, .reference = reference}).sentence;
    };
    EXPECT_THAT(sentence(TurnMethod::ApiCall, true),
                testing::HasSubstr("The reference counts per line, these bars API calls."));
    EXPECT_THAT(sentence(TurnMethod::ApiCall, false), testing::Not(testing::HasSubstr("reference")));
    EXPECT_THAT(sentence(TurnMethod::PerLine, true), testing::Not(testing::HasSubstr("these bars")));
}

TEST(DistributionTable, TheReferenceIsThereWhenAsked) {
    const Corpus corpus = hundredCalls(5);
    const Table without = tableOf(figureOf(corpus, {}));
    const Table with = tableOf(figureOf(corpus, {.reference = true}));
    EXPECT_EQ(with.columns.size(), without.columns.size() + 1);
    ASSERT_FALSE(with.rows.empty());
    for (const std::vector<Cell>& row : with.rows) {
        ASSERT_EQ(row.size(), with.columns.size());
        const Tokens low = std::get<std::int64_t>(row[1]);
        const BucketFrequencies& published = std::get<std::string>(row[0]) == "input"
                                                 ? publishedReference().input
                                                 : publishedReference().output;
        const auto expected = published.frequency.find(powerOfTwoBucket(low));
        EXPECT_EQ(std::get<double>(row.back()), expected == published.frequency.end() ? 0 : expected->second);
    }
    EXPECT_EQ(tableOf(figureOf(corpus, {.bins = BinKind::FineLog, .reference = true})).columns,
              without.columns);
}

} // namespace
} // namespace loadline
