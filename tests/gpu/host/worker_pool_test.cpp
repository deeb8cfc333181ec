// Every index once, however many threads and rounds.
#include "gpu/host/machine/worker_pool.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace loadline::gpu;

namespace {

TEST(WorkerPool, RunsEachIndexOnce) {
    for (const unsigned threads : {1U, 2U, 7U}) {
        WorkerPool pool(threads);
        EXPECT_EQ(pool.threads(), threads);
        for (const std::int64_t count : {0, 1, 2, 1000}) {
            std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
            std::vector<std::atomic<int>> working(threads);
            std::atomic<bool> twice = false;
            pool.run(count, [&](std::int64_t index, unsigned worker) {
                twice = twice || working[worker].fetch_add(1) != 0;
                ++seen[static_cast<std::size_t>(index)];
                --working[worker];
            });
            for (const std::atomic<int>& times : seen) {
                EXPECT_EQ(times, 1);
            }
            EXPECT_FALSE(twice);
        }
    }
}

TEST(WorkerPool, KeepsCountOverManyRoundsAndAfterSleep) {
    WorkerPool pool(4);
    std::atomic<std::int64_t> sum = 0;
    for (int round = 0; round < 3000; ++round) {
        if (round % 1000 == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the workers fall asleep
        }
        pool.run(5, [&](std::int64_t index, unsigned) { sum += index; });
    }
    EXPECT_EQ(sum, 3000 * 10);
}

} // namespace
