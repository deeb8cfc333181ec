// Ratios of two profiles: intervals between runs, means, the report.
#include "core/ask/write_text.h"
#include "core/cost/compare/comparison_report.h"
#include "core/cost/compare/comparison_study.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/profile/profile_shelf.h"
#include "core/cost/profile/time_bar.h"
#include "tests/core/cost/timed_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::Not;

ProfilePoint comparedAt(Kernel kernel, std::int64_t rowsM, double us, std::optional<double> between) {
    ProfilePoint point = test::densePoint(kernel, rowsM, us);
    point.betweenRuns = between;
    return point;
}

Profile comparedProfile(const std::string& name, std::vector<ProfilePoint> points) {
    Profile profile;
    profile.name = name;
    profile.device = "a device";
    profile.points = std::move(points);
    return profile;
}

std::string markdownOf(const ProfileComparison& comparison) {
    return ask::markdownOfReport(ask::comparisonReport(comparison, {}));
}

TEST(CompareProfiles, RatiosHaveTheIntervalOfBothRuns) {
    const Profile before =
        comparedProfile("before", {comparedAt(Kernel::Mma, 1, 10, 0.03), comparedAt(Kernel::Mma, 8, 20, 0.03),
                                   comparedAt(Kernel::Scalar, 1, 10, 0.03)});
    const Profile after =
        comparedProfile("after", {comparedAt(Kernel::Mma, 1, 5, 0.04), comparedAt(Kernel::Mma, 8, 20.4, 0.04),
                                  comparedAt(Kernel::CublasFp16, 8, 90, 0.04)});
    const auto comparison = compareProfiles(before, after);
    ASSERT_TRUE(comparison) << comparison.error().sentence();
    ASSERT_EQ(comparison->points.size(), 2U);
    EXPECT_EQ(comparison->notInBoth, 2U);
    const RatioBetween& halved = comparison->points[0].change;
    EXPECT_DOUBLE_EQ(halved.ratio, 0.5);
    EXPECT_DOUBLE_EQ(halved.low.value_or(0), 0.5 * std::exp(-0.05)); // 3-4-5
    EXPECT_DOUBLE_EQ(halved.high.value_or(0), 0.5 * std::exp(0.05));
    EXPECT_TRUE(halved.isChange());
    EXPECT_FALSE(comparison->points[1].change.isChange());
    const auto repeated = compareProfiles(before, before);
    EXPECT_DOUBLE_EQ(repeated->points[0].change.ratio, 1);
    EXPECT_NE(repeated->before, repeated->after);
}

TEST(CompareProfiles, MeansAreGeometricByM) {
    const Profile before =
        comparedProfile("a", {comparedAt(Kernel::Mma, 1, 10, 0.1), comparedAt(Kernel::Scalar, 1, 10, 0.1)});
    const Profile after =
        comparedProfile("b", {comparedAt(Kernel::Mma, 1, 20, 0.1), comparedAt(Kernel::Scalar, 1, 5, 0.1)});
    const auto comparison = compareProfiles(before, after);
    ASSERT_EQ(comparison->byM.size(), 1U);
    EXPECT_NEAR(comparison->byM.at(1).ratio, 1, 1e-12);
    EXPECT_NEAR(comparison->byM.at(1).high.value_or(0), std::exp(std::hypot(0.1, 0.1)), 1e-12)
        << "what is common to a run does not average out";
}

TEST(CompareProfiles, SaysWhereNothingIsKnownOfTheSpread) {
    const Profile bare = comparedProfile("bare", {comparedAt(Kernel::Mma, 1, 10, std::nullopt)});
    const Profile after = comparedProfile("after", {comparedAt(Kernel::Mma, 1, 5, 0.02)});
    const auto comparison = compareProfiles(bare, after);
    EXPECT_FALSE(comparison->points[0].change.low);
    EXPECT_FALSE(comparison->points[0].change.isChange());
    EXPECT_THAT(comparison->remarks, testing::Contains(HasSubstr("1 of 1 point have no interval")));
    Profile repeats = bare;
    for (int i = 0; i < 8; ++i) { // its repeats say how far its times are off
        repeats.points.push_back(comparedAt(Kernel::Scalar, i + 1, 10, std::nullopt));
        repeats.points.back().repeatUs = 10 * std::exp(0.1);
    }
    const auto known = compareProfiles(repeats, after);
    EXPECT_NEAR(known->points[0].change.high.value_or(0),
                0.5 * std::exp(std::hypot(0.1 / std::sqrt(2.0), 0.02)), 1e-9);
    const Profile other = comparedProfile("other", {comparedAt(Kernel::Mma, 2, 5, 0.02)});
    ASSERT_FALSE(compareProfiles(bare, other));
    EXPECT_THAT(compareProfiles(bare, other).error().sentence(), HasSubstr("no point in common"));
}

TEST(CompareProfiles, IntervalsOfQuartilesAreCalledSo) {
    Profile imported = comparedProfile("a", {comparedAt(Kernel::Mma, 1, 10, std::nullopt)});
    imported.points[0].p25Us = 9.9;
    imported.points[0].p75Us = 10.1;
    Profile other = imported;
    other.name = "b";
    EXPECT_THAT(markdownOf(*compareProfiles(imported, other)),
                HasSubstr("The interval is from quartile to quartile;"));
    other.points[0].betweenRuns = 0.03;
    EXPECT_THAT(markdownOf(*compareProfiles(imported, other)),
                HasSubstr("The interval is between runs (95 %), of a from quartile to quartile;"));
    imported.points[0].betweenRuns = 0.03;
    EXPECT_THAT(markdownOf(*compareProfiles(imported, other)),
                HasSubstr("The interval is between runs (95 %);"));
}

TEST(CompareProfiles, FlaggedPointsAreInNoMeanAndNoChange) {
    const Profile before =
        comparedProfile("a", {comparedAt(Kernel::Mma, 2, 10, 0.02), comparedAt(Kernel::Scalar, 2, 10, 0.02),
                              comparedAt(Kernel::SwapAb, 2, 10, 0.02), comparedAt(Kernel::Mma, 8, 10, 0.02)});
    Profile after = before;
    after.name = "b";
    after.points[1].timeUs = 40;
    after.points[1].flags = {"interrupted"};
    after.points[3].timeUs = 30;
    after.points[3].flags = {"interrupted", "noisy"};
    const auto comparison = compareProfiles(before, after);
    ASSERT_TRUE(comparison);
    EXPECT_NEAR(comparison->byM.at(2).ratio, 1, 1e-12);
    EXPECT_EQ(comparison->pointsByM.at(2), 2U);
    EXPECT_EQ(comparison->pointsByM.at(8), 0U);
    EXPECT_FALSE(comparison->byM.contains(8));
    const std::string text = markdownOf(*comparison);
    EXPECT_THAT(text, Not(HasSubstr("| slower |")));
    EXPECT_THAT(text, HasSubstr("4.00 (3.89 to 4.11) | flagged |"));
    EXPECT_THAT(text, HasSubstr("| 2 | 1.00 (0.97 to 1.03) | 2 |\n| 8 | all flagged | 0 |\n"));
    Profile modelled = before; // a model's flag is none
    modelled.points[0].flags = {unvalidatedFlag};
    EXPECT_FALSE(compareProfiles(before, modelled)->points[0].flagged);
}

TEST(CompareProfiles, AttentionIsComparedToo) {
    const auto timed = [](std::int64_t tokens, double us, std::vector<std::string> flags = {}) {
        return AttentionTiming{.call = {AttentionPhase::Decode, {64, 8, 64}, 1, tokens},
                               .timeUs = us,
                               .p25Us = us * 0.99,
                               .p75Us = us * 1.01,
                               .flags = std::move(flags)};
    };
    Profile before = comparedProfile("before", {});
    before.attention = {timed(8192, 1800), timed(1024, 244.9), timed(64, 20)};
    Profile after = comparedProfile("after", {});
    after.attention = {timed(1024, 292.9), timed(8192, 1810, {"noisy"})};
    const auto comparison = compareProfiles(before, after);
    ASSERT_TRUE(comparison) << comparison.error().sentence();
    ASSERT_EQ(comparison->attention.size(), 2U);
    EXPECT_EQ(comparison->attentionNotInBoth, 1U);
    const ComparedAttention& slower = comparison->attention[0];
    EXPECT_EQ(slower.call.tokens, 1024);
    EXPECT_DOUBLE_EQ(slower.change.ratio, 292.9 / 244.9);
    EXPECT_TRUE(slower.change.isChange());
    EXPECT_TRUE(comparison->attention[1].flagged);
    const std::string text = markdownOf(*comparison);
    EXPECT_THAT(
        text,
        HasSubstr(
            "| decode | 64/8 of 64 | 1 | 1\u202f024 | 245 µs | 293 µs | 1.20 (1.18 to 1.21) | slower |"));
    EXPECT_THAT(text, HasSubstr("1 attention call in one profile alone."));
    EXPECT_THAT(text, Not(HasSubstr("| Kernel |")));
    after.attention = {timed(16, 1)};
    EXPECT_FALSE(compareProfiles(before, after));
}

TEST(CompareProfiles, AnotherMethodIsNamed) {
    Profile before = comparedProfile("a", {comparedAt(Kernel::Mma, 2, 10, 0.02)});
    before.deviceFacts = {{"threads", "2"}, {"int8_activations", "false"}, {"memory_available_bytes", "5"}};
    before.methodFacts = {{"kernels", R"({"mma": "k-bit GEMM, fp32 activations"})"}};
    Profile after = before;
    after.name = "b";
    after.deviceFacts["memory_available_bytes"] = "6";
    EXPECT_THAT(compareProfiles(before, after)->remarks, testing::IsEmpty());
    after.deviceFacts["threads"] = "1";
    after.deviceFacts["int8_activations"] = "true";
    after.methodFacts["kernels"] = R"({"mma": "k-bit GEMM, int8 activations"})";
    const auto remarks = compareProfiles(before, after)->remarks;
    ASSERT_EQ(remarks.size(), 2U);
    EXPECT_EQ(remarks[0], "a and b were timed in different ways: threads 2 and 1; int8_activations false and "
                          "true. The ratios hold that difference too.");
    EXPECT_EQ(remarks[1],
              "Not the same code: mma was \"k-bit GEMM, fp32 activations\" and is \"k-bit GEMM, int8 "
              "activations\".");
}

TEST(CompareProfiles, TheTableIsMarkdownWhateverNamesHold) {
    Profile before = comparedProfile(
        "a|b", {comparedAt(Kernel::SwapAb, 1, 10, 0.03), comparedAt(Kernel::SwapAb, 8, 10, 0.03)});
    Profile after = before;
    after.name = "c";
    after.points[0].timeUs = 5;
    after.points[0].name = "mine | **v2**\n";
    after.points[1].name = after.points[0].name;
    after.points[1].flags = {"interrupted"};
    after.device = "another device";
    const std::string text = markdownOf(*compareProfiles(before, after));
    EXPECT_THAT(text, HasSubstr("| Kernel | Shape | M | Before | After | After / before | Change |\n"
                                "| --- | --- | ---: | ---: | ---: | ---: | --- |\n"));
    EXPECT_THAT(text, HasSubstr("mine \\| \\*\\*v2\\*\\*"));
    EXPECT_THAT(text, HasSubstr(", k = 4 | 2048x5120 | 1 | 10 µs | 5 µs | 0.50 (0.48 to 0.52) | faster |\n"));
    EXPECT_THAT(text, HasSubstr("1.00 (0.96 to 1.04) | flagged |\n"));
    EXPECT_THAT(text, HasSubstr("time of a\\|b"));
    EXPECT_THAT(text, HasSubstr(" is of "));
}

TEST(CompareProfiles, IsAStudyOfTwoProfiles) {
    const ask::Study study = ask::comparisonStudy();
    ask::Sources sources;
    const ask::Question question = ask::Question::of(ComparisonQuestion{"a", "b"});
    EXPECT_FALSE(study.compute(question, sources, {}));
    const auto profile = [](const char* name, double us) {
        return std::make_shared<const Profile>(comparedProfile(
            name, {comparedAt(Kernel::Mma, 1, us, 0.03), comparedAt(Kernel::Mma, 0, us, 0.03)}));
    };
    const auto open = [&](const std::string& name) -> Result<std::shared_ptr<const Profile>> {
        if (name == "a" || name == "b") {
            return profile(name.c_str(), name == "a" ? 10 : 5);
        }
        return Error{"there is no such profile", name, "another name"};
    };
    sources.put(std::make_shared<const ProfileShelf>(ProfileShelf{{"a", "b"}, open}));
    EXPECT_EQ(ask::fieldOf(study.fields(), "after").traits.choicesOf(sources).size(), 2U);
    const auto missing = study.compute(ask::Question::of(ComparisonQuestion{"a", "c"}), sources, {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().where, "c");
    const auto answer = study.compute(question, sources, {});
    ASSERT_TRUE(answer) << answer.error().sentence();
    const ask::Report report = study.report(*answer, question);
    ASSERT_EQ(report.plots.size(), 2U);
    for (const ask::Plot& plot : report.plots) {
        const ask::Table* rows = report.find(plot.marks.front().table);
        ASSERT_NE(rows, nullptr);
        EXPECT_EQ(rows->rows, 1U) << "a point that M does not change has no place on its axis";
        for (const std::string& key :
             {plot.marks.front().x, plot.marks.front().y, plot.marks.front().series}) {
            EXPECT_NE(std::ranges::find(rows->columns, key, &ask::Column::key), rows->columns.end()) << key;
        }
    }
    ask::Question named = question;
    EXPECT_TRUE(ask::readText(ask::fieldOf(study.fields(), "before"), "a.json", named.data()));
    EXPECT_EQ(named.as<ComparisonQuestion>().before, "a.json");
}

/// Lines in the ink of their kernel, read out with what the numbers are; no tab without rows.
TEST(CompareProfiles, PlotsNameTheirNumbers) {
    const auto comparison = compareProfiles(
        comparedProfile("a", {comparedAt(Kernel::Mma, 1, 10, 0.1), comparedAt(Kernel::Mma, 8, 20, 0.1),
                              comparedAt(Kernel::Scalar, 1, 10, 0.1)}),
        comparedProfile("b", {comparedAt(Kernel::Mma, 1, 8, 0.1), comparedAt(Kernel::Mma, 8, 21, 0.1),
                              comparedAt(Kernel::Scalar, 1, 5, 0.1)}));
    const ask::Report report = ask::comparisonReport(*comparison, {});
    for (const auto& part : report.parts) {
        const auto* table = std::get_if<ask::Table>(&part);
        EXPECT_TRUE(table == nullptr || table->rows > 0 || table->title.empty()) << table->title;
    }
    ASSERT_EQ(report.plots.size(), 2U);
    for (const ask::Plot& plot : report.plots) {
        ASSERT_EQ(plot.marks.size(), 2U) << plot.key;
        EXPECT_NE(plot.marks[0].ink, plot.marks[1].ink);
        EXPECT_NE(plot.marks[0].legend, plot.marks[1].legend);
        EXPECT_EQ(plot.table, "compared"); // of the CSV
        for (const ask::Mark& mark : plot.marks) {
            for (const ask::Column& column : report.find(mark.table)->columns) {
                const ask::Cell cell = column.at(0);
                EXPECT_TRUE(column.readOut != "{}" || !ask::numberOf(cell.value)) << column.key;
            }
        }
    }
    const ask::Plot& ratio = report.plots.front();
    EXPECT_NEAR(ratio.y.low.value_or(0), 0.5, 1e-9);
    EXPECT_NEAR(ratio.y.high.value_or(0), 1.1, 1e-9);
    const ask::Table& drawn = *report.find(ratio.marks.front().table);
    const auto words = std::ranges::find(drawn.columns, "words", &ask::Column::key);
    const std::string said = ask::plainText(words->at(0).value);
    EXPECT_NE(said.find("before"), std::string::npos) << said;
    EXPECT_NE(said.find("after"), std::string::npos) << said;
}

TEST(BetweenRuns, IsKeptInTheFileAndWidensTheBar) {
    Profile profile = comparedProfile("p", {comparedAt(Kernel::Mma, 1, 10, 0.25)});
    const auto back = profileFromJson(toJson(profile), "p.json");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(*back, profile);
    EXPECT_DOUBLE_EQ(barOf(profile.points[0]).high, 10 * std::exp(0.25));
    EXPECT_DOUBLE_EQ(relativeErrorOf(profile.points[0]), 0.25);
    EXPECT_FALSE(profileFromJson("{\"schema\": \"loadline.profile/1\", \"points\": [{\"kernel\": \"mma\", "
                                 "\"shape\": \"64x64\", \"rows_m\": 1, \"k_bits\": 4, \"time_us\": 1, "
                                 "\"between_runs\": -1}]}",
                                 "p.json"));
}

} // namespace
} // namespace loadline
