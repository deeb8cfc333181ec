// Real session folders: totals of every root, by model and day, and where copied calls come from.
#include "tests/core/shared_sessions.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

using nlohmann::json;

json asExpected(const UsageTotals& totals) {
    if (totals.calls == 0) {
        return {{"calls", 0}};
    }
    return {{"calls", totals.calls},
            {"input_tokens", totals.usage.input},
            {"cache_creation_input_tokens", totals.usage.cacheWrite},
            {"cache_creation_5m", totals.usage.cacheWrite5m},
            {"cache_creation_1h", totals.usage.cacheWrite1h},
            {"cache_read_input_tokens", totals.usage.cacheRead},
            {"output_tokens", totals.usage.output},
            {"calls_final_output", totals.callsFinalOutput},
            {"output_tokens_of_final_calls", totals.outputOfFinalCalls},
            {"content_est_tokens", totals.contentEstimate}};
}

json asExpected(const std::map<std::string, UsageTotals>& groups) {
    json result = json::object();
    for (const auto& [name, totals] : groups) {
        result[name] = asExpected(totals);
    }
    return result;
}

UsageTotals ownTotalsOf(const Corpus& corpus) {
    UsageTotals sum;
    for (const Session& session : corpus.sessions) {
        sum += session.ownTotals;
    }
    return sum;
}

TEST(CorpusExpected, EqualsEveryRoot) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const json roots = test::expectedResults("expected_api_calls.json").at("roots");
    ASSERT_GT(roots.size(), 0U);
    UsageTotals sum;
    UsageTotals progressSum;
    for (const auto& [root, expected] : roots.items()) {
        SCOPED_TRACE(root);
        const Corpus corpus = test::readCorpus(test::sharedSessions() / "claude" / root);
        EXPECT_EQ(corpus.files.size(), expected.at("files").get<std::size_t>());
        const UsageTotals totals = totalsOf(corpus.calls);
        EXPECT_EQ(asExpected(totals), expected.at("totals_global_dedup"));
        EXPECT_EQ(asExpected(totalsByModel(corpus)), expected.at("by_model"));
        EXPECT_EQ(asExpected(totalsByUtcDay(corpus)), expected.at("by_utc_day"));
        EXPECT_EQ(asExpected(totalsOf(corpus.progressOnly)), expected.at("progress_only_calls"));
        EXPECT_EQ(ownTotalsOf(corpus), totals);
        sum += totals;
        progressSum += totalsOf(corpus.progressOnly);
    }
    // The roots share no call, so all of them together are their sum.
    const Corpus all = test::readCorpus(test::sharedSessions() / "claude");
    EXPECT_EQ(totalsOf(all.calls), sum);
    EXPECT_EQ(totalsOf(all.progressOnly), progressSum);
    EXPECT_EQ(ownTotalsOf(all), sum);
}

TEST(CorpusExpected, NamesTheOriginOfAResumedSession) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const Corpus corpus = test::readCorpus(test::sharedSessions() / "claude/entireio+cli");
    const auto fileOf = [&](std::string_view name) {
        return std::ranges::find_if(
            corpus.files, [&](const FileInCorpus& entry) { return entry.file->path.ends_with(name); });
    };
    const auto original = fileOf("e1bc91d1-2731-4b12-bf00-44f4dcddffd1.jsonl");
    const auto resumed = fileOf("b4dcf65c-8a8f-4be8-80c2-fcebbda55946.jsonl");
    ASSERT_NE(original, corpus.files.end());
    ASSERT_NE(resumed, corpus.files.end());
    ASSERT_EQ(original->calls.size(), 1U); // nothing of its own: it is the prefix of the other
    EXPECT_EQ(original->inheritedCalls, 0U);
    EXPECT_EQ(resumed->calls.size(), 24U);
    EXPECT_EQ(resumed->inheritedCalls, 1U);
    EXPECT_EQ(resumed->inherited.front(), 1);
    ASSERT_EQ(resumed->inheritedFrom.size(), 1U);
    EXPECT_EQ(&corpus.files[resumed->inheritedFrom.front()], &*original);
    EXPECT_EQ(corpus.sessions[resumed->session].inheritedCalls, 1U);
    EXPECT_TRUE(std::ranges::none_of(corpus.diagnostics, [](const PathDiagnostic& entry) {
        return entry.diagnostic.kind == DiagnosticKind::AmbiguousOrigin;
    }));
}

TEST(CorpusExpected, FollowsGrowingSnapshots) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const json expected = test::expectedResults("expected_live_and_derived.json");
    const std::filesystem::path live = test::sharedSessions() / "live";
    std::size_t folders = 0;
    for (const auto& folder : std::filesystem::recursive_directory_iterator(live)) {
        if (!std::filesystem::exists(folder.path() / "01.jsonl")) {
            continue;
        }
        ++folders;
        const Corpus corpus = test::readCorpus(folder.path());
        const std::string last = test::relativeToShared(corpus.files.back().file->path);
        EXPECT_EQ(asExpected(totalsOf(corpus.calls)), expected.at(last).at("totals"));
        EXPECT_EQ(corpus.sessions.size(), corpus.files.size());
        EXPECT_EQ(corpus.files.front().inheritedCalls, 0U);
        for (std::size_t f = 1; f < corpus.files.size(); ++f) { // each is a prefix of the next
            EXPECT_EQ(corpus.files[f].inheritedCalls, corpus.files[f - 1].calls.size());
        }
    }
    EXPECT_GT(folders, 0U);
}

} // namespace
} // namespace loadline
