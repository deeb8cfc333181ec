// Queues that grow, and queues that have a mean.
#include "core/simulate/run/queue_watch.h"

#include "tests/core/simulate/exact_runs.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

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

} // namespace
} // namespace loadline
