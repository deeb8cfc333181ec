// A session that several processes continue at once: one file, whose parents tell the branches.
#include "core/cache/provider/session_cache.h"
#include "core/session/corpus/corpus.h"
#include "core/workload/timeline/prompt_turns.h"
#include "tests/core/everything_selected.h"
#include "tests/core/session/files_fixture.h"
#include "tests/core/session/record_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::ElementsAre;

std::string chained(const std::string& parent) {
    return ",'parentUuid':" + (parent.empty() ? "null" : "'" + parent + "'") +
           ",'sessionId':'s1','version':'2.1.0'";
}

std::string promptAt(int s, const std::string& uuid, const std::string& parent) {
    return userLine(uuid, "'go on'", chained(parent), fmt::format("2026-01-01T00:00:{:02}Z", s));
}

std::string callAt(int s, const std::string& uuid, const std::string& parent, int write, int read) {
    return record(
        fmt::format("{{'type':'assistant','uuid':'{0}','requestId':'r-{0}','timestamp':'2026-01-01T00:00:{1:"
                    "02}Z'{2},'message':{{'id':'m-{0}','model':'opus','stop_reason':'end_turn','content':[],"
                    "'usage':{{'input_tokens':0,'cache_creation_input_tokens':{3},"
                    "'cache_read_input_tokens':{4},'output_tokens':64}}}}}}",
                    uuid, s, chained(parent), write, read));
}

/// One call of 200 blocks of 64 tokens. From there two branches by turns, each of three calls, which read
/// what their own branch had left: 10 blocks more each in the first, 50 in the second.
class Branches : public Files {
protected:
    Branches() {
        std::string lines = promptAt(0, "u0", "") + callAt(1, "a0", "u0", 200 * 64, 0) +
                            promptAt(2, "ux", "a0") + promptAt(3, "uy", "a0");
        std::string x = "ux";
        std::string y = "uy";
        for (int i = 0; i < 3; ++i) {
            const std::string n = std::to_string(i);
            lines += callAt(5 + 10 * i, "x" + n, x, 10 * 64, (200 + 10 * i) * 64) +
                     callAt(9 + 10 * i, "y" + n, y, 50 * 64, (200 + 50 * i) * 64);
            x = "x" + n;
            y = "y" + n;
        }
        write("p/s1.jsonl", lines);
        corpus_ = buildCorpus(read());
    }

    Corpus corpus_;
};

TEST_F(Branches, EachCallGoesOnFromItsParent) {
    const auto lanes = laneCallsOf(corpus_, test::everythingOf(corpus_));
    ASSERT_EQ(lanes.size(), 1U);
    std::vector<std::size_t> before;
    for (const LaneCall& call : lanes[0].calls) {
        before.push_back(call.before);
    }
    EXPECT_THAT(before, ElementsAre(noCallBefore, 0, 0, 1, 2, 3, 4));
}

TEST_F(Branches, BlocksAreThoseOfTheBranch) {
    const BlockTrace trace =
        rebuiltTraceOf(corpus_, laneCallsOf(corpus_, test::everythingOf(corpus_)), 64).trace;
    EXPECT_EQ(trace.blocksOfScope.at(0), 200U + 3 * 10 + 3 * 50) << "each branch's own, and the trunk once";
    EXPECT_EQ(trace.requests.size(), 7U);
}

TEST_F(Branches, TurnsArePromptsAmongTheAncestors) {
    const auto turns = promptTurnsOf(corpus_, 0);
    ASSERT_EQ(turns.size(), 3U);
    EXPECT_EQ(turns[0].totals.calls, 1U);
    EXPECT_EQ(turns[1].totals.calls, 3U);
    EXPECT_EQ(turns[1].totals.usage.cacheWrite, 3 * 10 * 64);
    EXPECT_EQ(turns[2].totals.calls, 3U);
    EXPECT_EQ(turns[2].totals.usage.cacheWrite, 3 * 50 * 64);
}

} // namespace
} // namespace loadline
