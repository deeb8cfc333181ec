// Threads that stay: a kernel of tens of microseconds cannot wait for threads to start.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace loadline::gpu {

/// Runs a body over indices on a fixed number of threads; idle threads spin for a moment, then sleep. One
/// caller at a time.
class WorkerPool {
public:
    using Body = std::function<void(std::int64_t index, unsigned worker)>;

    /// `threads` work, the calling one included; 0: one per core.
    explicit WorkerPool(unsigned threads = 0);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    WorkerPool(WorkerPool&&) = delete;
    WorkerPool& operator=(WorkerPool&&) = delete;

    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

    /// body(index, worker) once for each index in [0, count), handed out in order; returns when all are done.
    /// `worker` is below threads() and never runs two bodies at once. The body must not throw.
    void run(std::int64_t count, const Body& body);

    /// Notes from here on whether all threads run; they are awake when this returns. Not within run().
    void beginWatch();
    /// Returns the least share of the time since beginWatch() in which a thread ran, without the time that it
    /// waited for others: below 1, other programs had its processor.
    [[nodiscard]] double endWatch();

private:
    /// A thread's times since beginWatch().
    struct alignas(64) Attendance {
        std::atomic<std::int64_t> sleptNs = 0; ///< waiting for others
        std::atomic<std::int64_t> lateNs = 0;  ///< from when there was work, or an end, until it went on
        std::atomic<std::int64_t> asleepSinceNs = 0; ///< 0: awake
    };

    void work(unsigned worker);
    void takeIndices(unsigned worker);
    void waitWhile(const std::atomic<std::uint32_t>& value, std::uint32_t old, unsigned worker);
    /// Processor time that each thread has used, the calling one first; empty where the system does not tell.
    std::vector<std::int64_t> cpuNs();

    std::vector<std::thread> workers_;
    const Body* body_ = nullptr;
    std::int64_t count_ = 0;
    std::atomic<std::int64_t> next_ = 0;
    std::atomic<std::uint32_t> round_ = 0; ///< counts runs; workers wait for the next
    std::atomic<std::uint32_t> busy_ = 0;  ///< workers that have not finished the round
    std::atomic<bool> stopping_ = false;

    std::atomic<bool> watching_ = false;
    std::atomic<std::int64_t> watchBeganNs_ = 0, roundBeganNs_ = 0, roundEndedNs_ = 0;
    std::vector<std::int64_t> cpuBeganNs_;
    std::unique_ptr<Attendance[]> attendance_; ///< by worker
};

} // namespace loadline::gpu
