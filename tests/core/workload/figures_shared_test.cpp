// Figures of the shared data's repositories against their expected results, to the last token.
#include "core/cache/composition/composition.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/timeline/evidence.h"
#include "core/workload/timeline/prompt_turns.h"
#include "tests/core/shared_sessions.h"

#include <gtest/gtest.h>

#include <map>

namespace loadline {
namespace {

using nlohmann::json;

Corpus corpusIn(const std::string& root) {
    return test::readCorpus(test::sharedSessions() / "claude" / root);
}

json jsonOf(const UsageTotals& totals) {
    return {{"calls", totals.calls},
            {"input_tokens", totals.usage.input},
            {"cache_creation_input_tokens", totals.usage.cacheWrite},
            {"cache_read_input_tokens", totals.usage.cacheRead},
            {"output_tokens", totals.usage.output},
            {"calls_final_output", totals.callsFinalOutput},
            {"output_tokens_of_final_calls", totals.outputOfFinalCalls}};
}

/// Of `expected`, the fields that jsonOf writes.
json comparable(const json& expected) {
    json fields;
    const json names = jsonOf({});
    for (const auto& [name, value] : names.items()) {
        fields[name] = expected.at(name);
    }
    return fields;
}

class SharedFigures : public testing::Test {
protected:
    void SetUp() override { LOADLINE_NEED_SHARED_SESSIONS(); }
};

TEST_F(SharedFigures, CompositionByModelAndDay) {
    const json roots = test::expectedResults("expected_api_calls.json")["roots"];
    ASSERT_FALSE(roots.empty());
    for (const auto& [root, expected] : roots.items()) {
        const Corpus corpus = corpusIn(root);
        const Selection selection = select(corpus, {}, TurnMethod::ApiCall);
        const std::pair<CompositionGroup, const char*> groups[] = {{CompositionGroup::Model, "by_model"},
                                                                   {CompositionGroup::Day, "by_utc_day"}};
        for (const auto& [group, field] : groups) {
            const Composition composition = compositionOf(corpus, selection, group);
            EXPECT_EQ(jsonOf(composition.all.totals), comparable(expected["totals_global_dedup"])) << root;
            EXPECT_EQ(composition.rows.size(), expected[field].size()) << root;
            for (const CompositionRow& row : composition.rows) {
                ASSERT_TRUE(expected[field].contains(row.key)) << root << " " << row.key;
                EXPECT_EQ(jsonOf(row.totals), comparable(expected[field][row.key])) << root << " " << row.key;
            }
        }
    }
}

TEST_F(SharedFigures, HistogramsOfThePublishedMethod) {
    const json files = test::expectedResults("expected_turns_per_line.json")["files"];
    const json roots = test::expectedResults("expected_api_calls.json")["roots"];
    for (const auto& [root, unused] : roots.items()) {
        std::map<Tokens, std::uint64_t> input;
        std::map<Tokens, std::uint64_t> output;
        std::uint64_t turns = 0;
        for (const auto& [path, file] : files.items()) {
            if (path.starts_with("claude/" + root + "/")) {
                turns += file["tolerant"]["turns"].get<std::uint64_t>();
                for (const auto& [bucket, n] : file["input_hist"].items()) {
                    input[std::stoll(bucket)] += n.get<std::uint64_t>();
                }
                for (const auto& [bucket, n] : file["output_hist"].items()) {
                    output[std::stoll(bucket)] += n.get<std::uint64_t>();
                }
            }
        }
        const Corpus corpus = corpusIn(root);
        const DistributionFigure figure = distributionFigure(corpus, select(corpus, {}, TurnMethod::PerLine),
                                                             {}, {.method = TurnMethod::PerLine});
        const auto countsOf = [](const Histogram& histogram) {
            std::map<Tokens, std::uint64_t> counts;
            for (const Bin& bin : histogram.bins) {
                if (bin.count > 0) {
                    counts[bin.label] = bin.count;
                }
            }
            return counts;
        };
        EXPECT_GT(turns, 0U) << root;
        EXPECT_EQ(figure.turns, turns) << root;
        EXPECT_EQ(countsOf(figure.input), input) << root;
        EXPECT_EQ(countsOf(figure.output), output) << root;
    }
}

TEST_F(SharedFigures, EverySessionAddsUp) {
    const json roots = test::expectedResults("expected_api_calls.json")["roots"];
    for (const auto& [root, unused] : roots.items()) {
        const Corpus corpus = corpusIn(root);
        const Selection selection = select(corpus, {}, TurnMethod::ApiCall);
        for (SessionIndex s = 0; s < corpus.sessions.size(); ++s) {
            const Session& session = corpus.sessions[s];
            const Timeline timeline = timelineOf(corpus, selection, s);
            EXPECT_EQ(timeline.totals, session.totals) << session.key;
            EXPECT_EQ(timeline.calls.size() + timeline.callsWithoutTime, session.totals.calls) << session.key;
            EXPECT_EQ(timeline.split.totalMs(),
                      isKnown(timeline.first) ? timeline.last.ms - timeline.first.ms : 0);
            UsageTotals sum;
            for (const SessionPromptTurn& turn : promptTurnsOf(corpus, s)) {
                sum += turn.totals;
                sum += turn.subAgents;
            }
            EXPECT_EQ(sum, session.totals) << session.key;
            if (!timeline.calls.empty()) {
                EXPECT_FALSE(detailsOf(timeline.calls.back(), timeline, corpus).empty());
            }
        }
    }
}

} // namespace
} // namespace loadline
