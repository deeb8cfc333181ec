// The bootstrap: what is kept, what varies, and by how much.
#include "tests/core/workload/make_workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace loadline {
namespace {

TEST(Resampled, IsTheSameForTheSameSeed) {
    for (const Workload& workload :
         {referenceWorkload(), test::twoConversations(), test::tracedEvery(0.5, 50)}) {
        EXPECT_EQ(resampled(workload, 9), resampled(workload, 9)) << workload.key;
        EXPECT_NE(resampled(workload, 9), resampled(workload, 12)) << workload.key;
        EXPECT_EQ(resampled(workload, 9).source, workload.source);
        EXPECT_EQ(resampled(workload, 9).distribution.sessions, workload.distribution.sessions);
    }
}

TEST(Resampled, ADistributionVariesAsItsCountsSay) {
    const Workload reference = referenceWorkload();
    const double share = reference.distribution.input.frequency.at(32); // 0.167733 of 24,229
    const double expected = std::sqrt(share * (1 - share) / 24229);
    double squares = 0;
    constexpr int rounds = 100;
    for (int seed = 0; seed < rounds; ++seed) {
        const Workload again = resampled(reference, static_cast<std::uint64_t>(seed));
        EXPECT_EQ(again.distribution.input.turns, 24229U);
        double sum = 0;
        for (const auto& [bucket, part] : again.distribution.input.frequency) {
            sum += part;
        }
        EXPECT_NEAR(sum, 1, 1e-9);
        squares += std::pow(again.distribution.input.frequency.at(32) - share, 2);
    }
    // The relative error of a standard deviation of 100 is 7 %.
    EXPECT_NEAR(std::sqrt(squares / rounds), expected, 0.28 * expected);
}

TEST(Resampled, ConversationsStayWhole) {
    const Workload workload = test::twoConversations();
    std::set<std::size_t> sizes;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Workload again = resampled(workload, seed);
        std::map<std::string, std::vector<WorkloadSession>> conversations;
        std::set<std::string> ids;
        for (const WorkloadSession& session : again.sessions) {
            conversations[session.partOf()].push_back(session);
            EXPECT_TRUE(ids.insert(session.id).second) << session.id;
        }
        EXPECT_EQ(conversations.size(), 2U);
        for (const auto& [id, sessions] : conversations) {
            if (sessions.size() == 2) {
                EXPECT_EQ(sessions[0].turns, workload.sessions[0].turns);
                EXPECT_EQ(sessions[1].turns, workload.sessions[1].turns);
            } else {
                ASSERT_EQ(sessions.size(), 1U);
                EXPECT_EQ(sessions[0].turns, workload.sessions[2].turns);
            }
        }
        sizes.insert(again.sessions.size());
    }
    EXPECT_EQ(sizes, (std::set<std::size_t>{2, 3, 4})); // b twice, one of each, a twice
}

TEST(Resampled, ATraceKeepsNeighboursAndTheirGaps) {
    std::vector<TraceRequest> bursts(1000);
    for (int i = 0; i < 1000; ++i) { // ten, one a second, then a pause
        const int burst = i / 10;
        bursts[static_cast<std::size_t>(i)] = {.arrivalS = 100.0 * burst + i, .input = i + 1, .output = 1};
    }
    const auto trace = workloadOfTrace(bursts, "bursts", "", "");
    ASSERT_TRUE(trace);
    const Workload again = resampled(*trace, 4);
    ASSERT_EQ(again.requests.size(), 1000U);
    EXPECT_EQ(again.requests.front().arrivalS, 0);
    EXPECT_TRUE(std::ranges::is_sorted(again.requests, {}, &TraceRequest::arrivalS));
    int together = 0;
    for (std::size_t i = 1; i < again.requests.size(); ++i) {
        const TraceRequest& before = again.requests[i - 1];
        const TraceRequest& now = again.requests[i];
        if (now.input == before.input + 1) {
            ++together;
            const double gap = before.input % 10 == 0 ? 101 : 1;
            EXPECT_DOUBLE_EQ(now.arrivalS - before.arrivalS, gap);
        }
    }
    EXPECT_GE(together, 890); // blocks of ten: 9 of 10 pairs
    EXPECT_LE(together, 910);
}

TEST(Resampled, ATraceOfOneRequestIsThatRequest) {
    const Workload trace = test::tracedEvery(1, 1);
    EXPECT_EQ(resampled(trace, 1).requests, trace.requests);
}

} // namespace
} // namespace loadline
