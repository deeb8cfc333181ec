// Work timed in short pieces beside other programs: those during which one of them ran do not count.
#include "gpu/host/machine/undisturbed.h"

#include "core/base/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace loadline::gpu {
namespace {

/// Threads that leave nothing of any processor idle.
class Hogs {
public:
    explicit Hogs(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            threads_.emplace_back([this] {
                while (!ended_.load(std::memory_order_relaxed)) {
                }
            });
        }
    }
    ~Hogs() {
        ended_ = true;
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }
    Hogs(const Hogs&) = delete;
    Hogs& operator=(const Hogs&) = delete;
    Hogs(Hogs&&) = delete;
    Hogs& operator=(Hogs&&) = delete;

private:
    std::atomic<bool> ended_ = false;
    std::vector<std::thread> threads_;
};

/// Some 100 us of arithmetic on each thread.
void arithmeticOn(WorkerPool& pool) {
    pool.run(pool.threads(), [](std::int64_t, unsigned) {
        volatile double sum = 0;
        for (int i = 0; i < 30'000; ++i) {
            sum = sum + 1.0;
        }
    });
}

TEST(Undisturbed, PiecesBesideABusyMachineTakeAsLongAsAlone) {
    WorkerPool pool(2);
    const Hogs hogs(3 * defaultThreads());
    std::size_t longest = 0;
    std::vector<double> all;
    const PieceTimes kept = timesOf(pool, 40, 3000, {}, [&](std::size_t) {
        const auto begin = std::chrono::steady_clock::now();
        arithmeticOn(pool);
        all.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    });
    std::sort(all.begin(), all.end());
    longest = all.size();
    ASSERT_GT(longest, 0U);
    if (kept.disturbed) {
        GTEST_SKIP() << "no piece of " << longest << " was left alone";
    }
    // An interrupted piece takes a slice of some ms longer; none of those is among the kept.
    EXPECT_LT(kept.us.back(), kept.us.front() + 2000);
    EXPECT_LE(kept.us.back(), all.back() + 50);
}

TEST(Undisturbed, EndsInTimeWhereNoPieceIsLeftAlone) {
    WorkerPool pool(2);
    const auto begin = std::chrono::steady_clock::now();
    const PieceTimes times = timesOf(pool, 1'000'000, 30, {}, [&](std::size_t) { arithmeticOn(pool); });
    EXPECT_FALSE(times.us.empty());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_TRUE(std::is_sorted(times.us.begin(), times.us.end()));
}

TEST(Watch, SeesAThreadThatDoesNotRun) {
    WorkerPool pool(2);
    const auto shareOf = [&](const WorkerPool::Body& body) {
        double best = 0; // other programs may run beside this test
        for (int i = 0; i < 200 && best < leastRanShare; ++i) {
            pool.beginWatch();
            pool.run(2, body);
            best = std::max(best, pool.endWatch());
        }
        return best;
    };
    const auto spinFor = [](std::chrono::microseconds time) {
        const auto until = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < until) {
        }
    };
    // As if another program had the processor for most of the time: asleep within its work.
    EXPECT_LT(shareOf([&](std::int64_t, unsigned) {
                  spinFor(std::chrono::microseconds(100));
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
              }),
              leastRanShare);
    // One that waits for the other is no thread that was held up.
    EXPECT_GT(shareOf([&](std::int64_t index, unsigned) {
                  spinFor(std::chrono::microseconds(index == 0 ? 2000 : 10));
              }),
              0.2);
}

} // namespace
} // namespace loadline::gpu
