// Queues that grow, and queues that have a mean.
#include "core/simulate/run/queue_watch.h"

#include "tests/core/simulate/exact_runs.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace loadline {
namespace {

TEST(QueueWatch, TellsAQueueThatGrowsFromOneThatSettles) {
    QueueWatch grows;
    QueueWatch settles;
    QueueWatch empties;
    for (int i = 0; i < 400; ++i) {
        grows.arrived();
        settles.arrived();
        empties.arrived();
        if (i % 2 == 0) {
            grows.began();
        }
        if (settles.waiting() > 100) {
            settles.began();
        }
    }
    while (empties.waiting() > 0) {
        empties.began();
    }
    EXPECT_TRUE(grows.grows());
    EXPECT_EQ(grows.waiting(), 200U);
    EXPECT_FALSE(settles.grows());
    EXPECT_FALSE(empties.grows());
    EXPECT_FALSE(QueueWatch().grows());
}

TEST(QueueWatch, SaysWhereTurnsQueueUp) {
    SimulationInputs inputs = madeInputs();
    inputs.policy = {};
    inputs.arrivals.kind = ArrivalKind::Poisson;
    inputs.length = {std::nullopt, 600};
    inputs.arrivals.ratePerS = 1e6; // all come at once
    const auto most = exact(inputs);
    ASSERT_TRUE(most) << most.error().what;
    EXPECT_TRUE(most->queueGrows());
    EXPECT_GT(most->waitingTurns, 100U);
    EXPECT_NE(queueSentenceOf(*most).find(" wait at the end of a run"), std::string::npos);
    const double servedPerS = 600 / most->simulatedS;
    inputs.length.turns = 2000;
    for (const auto& [load, grows] : {std::pair(0.5, false), std::pair(0.8, false), std::pair(2.0, true)}) {
        inputs.arrivals.ratePerS = load * servedPerS;
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const auto run = exact(inputs, seed);
            ASSERT_TRUE(run);
            EXPECT_EQ(run->queueGrows(), grows) << load << ' ' << seed << ' ' << run->waitingTurns;
            EXPECT_EQ(queueSentenceOf(*run).empty(), !grows);
        }
    }
    inputs.arrivals.kind = ArrivalKind::Closed; // who waits is asked to wait
    inputs.arrivals.users = 900;
    const auto closed = exact(inputs);
    ASSERT_TRUE(closed);
    EXPECT_FALSE(closed->queueGrows());
}

/// A trace goes on to its last answer, so nobody waits in the end.
TEST(QueueWatch, TellsATraceThatComesFasterThanItIsAnswered) {
    const auto traced = [](double gapS) {
        std::vector<TraceRequest> requests(600);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            requests[i].arrivalS = gapS * static_cast<double>(i);
            requests[i].input = 400;
            requests[i].output = 60;
        }
        SimulationInputs inputs = tracedInputs(std::move(requests));
        inputs.length = {};
        return inputs;
    };
    const auto together = exact(traced(1e-9));
    ASSERT_TRUE(together);
    const double servedS = together->simulatedS / 600; // a turn
    const auto faster = exact(traced(servedS / 2));
    ASSERT_TRUE(faster);
    EXPECT_EQ(faster->turns, 600U);
    EXPECT_EQ(faster->waitingTurns, 0U);
    EXPECT_TRUE(faster->queueGrows());
    EXPECT_FALSE(faster->waitsGrow()) << "its latencies are of the trace, not of how long a run was";
    EXPECT_EQ(queueSentenceOf(*faster),
              "Turns come faster than they are answered: TTFT grows through the trace.");
    const auto slower = exact(traced(2 * servedS));
    ASSERT_TRUE(slower);
    EXPECT_FALSE(slower->queueGrows());
    EXPECT_EQ(queueSentenceOf(*slower), "");
}

} // namespace
} // namespace loadline
