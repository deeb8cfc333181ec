#include "gpu/host/machine/worker_pool.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <chrono>
#include <optional>

#if defined(__linux__)
#include <pthread.h>

#include <ctime>
#endif

namespace loadline::gpu {
namespace {

/// About 50 us: longer than the gap between two kernels of one measurement.
constexpr int spins = 1000;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

#if defined(__linux__)
/// Returns the nanoseconds of a clock; nothing if it cannot be read.
std::optional<std::int64_t> nsOfClock(clockid_t clock) {
    constexpr std::int64_t nsPerSecond = 1'000'000'000;
    timespec time = {};
    if (clock_gettime(clock, &time) != 0) {
        return std::nullopt;
    }
    return time.tv_sec * nsPerSecond + time.tv_nsec;
}
#endif

} // namespace

WorkerPool::WorkerPool(unsigned threads) {
    const unsigned wanted = threads == 0 ? defaultThreads() : threads;
    attendance_ = std::make_unique<Attendance[]>(wanted);
    workers_.reserve(wanted - 1);
    for (unsigned worker = 1; worker < wanted; ++worker) {
        workers_.emplace_back([this, worker] { work(worker); });
    }
}

WorkerPool::~WorkerPool() {
    stopping_ = true;
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& worker : workers_) {
        worker.join();
    }
}

void WorkerPool::waitWhile(const std::atomic<std::uint32_t>& value, std::uint32_t old, unsigned worker) {
    for (int i = 0; i < spins; ++i) {
        if (value.load(std::memory_order_acquire) != old) {
            return;
        }
        pause();
    }
    Attendance& mine = attendance_[worker];
    const std::int64_t began = nowNs();
    mine.asleepSinceNs = began;
    value.wait(old, std::memory_order_acquire);
    mine.sleptNs += std::max<std::int64_t>(0, nowNs() - std::max(began, watchBeganNs_.load()));
    mine.asleepSinceNs = 0;
}

std::vector<std::int64_t> WorkerPool::cpuNs() {
    std::vector<std::int64_t> all;
#if defined(__linux__)
    all.reserve(threads());
    const auto add = [&](std::optional<std::int64_t> ns) {
        if (ns) {
            all.push_back(*ns);
        }
    };
    add(nsOfClock(CLOCK_THREAD_CPUTIME_ID));
    for (std::thread& worker : workers_) {
        clockid_t clock = 0;
        add(pthread_getcpuclockid(worker.native_handle(), &clock) == 0 ? nsOfClock(clock) : std::nullopt);
    }
    if (all.size() != threads()) {
        all.clear();
    }
#endif
    return all;
}

void WorkerPool::beginWatch() {
    watching_ = false;
    run(2 * static_cast<std::int64_t>(threads()), [](std::int64_t, unsigned) {});
    cpuBeganNs_ = cpuNs();
    watchBeganNs_ = nowNs();
    for (unsigned worker = 0; worker < threads(); ++worker) {
        attendance_[worker].sleptNs = 0;
        attendance_[worker].lateNs = 0;
    }
    watching_ = true;
}

double WorkerPool::endWatch() {
    const std::int64_t ended = nowNs();
    watching_ = false;
    const std::vector<std::int64_t> cpu = cpuNs();
    const std::int64_t began = watchBeganNs_;
    const auto all = static_cast<double>(std::max<std::int64_t>(1, ended - began));
    double least = 1;
    for (unsigned worker = 0; worker < threads(); ++worker) {
        const Attendance& one = attendance_[worker];
        const std::int64_t since = one.asleepSinceNs;
        const std::int64_t slept = one.sleptNs + (since > 0 ? ended - std::max(since, began) : 0);
        const std::int64_t unknown = worker < cpu.size() && worker < cpuBeganNs_.size()
                                         ? ended - began - slept - (cpu[worker] - cpuBeganNs_[worker])
                                         : 0;
        const auto lost = static_cast<double>(std::max<std::int64_t>(unknown, one.lateNs));
        least = std::min(least, 1 - lost / all);
    }
    return std::max(0.0, least);
}

void WorkerPool::run(std::int64_t count, const Body& body) {
    if (workers_.empty() || count <= 1) {
        for (std::int64_t index = 0; index < count; ++index) {
            body(index, 0);
        }
        return;
    }
    body_ = &body;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<std::uint32_t>(workers_.size());
    const bool watched = watching_.load(std::memory_order_relaxed);
    if (watched) {
        roundBeganNs_ = nowNs();
    }
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    takeIndices(0);
    for (std::uint32_t busy = busy_.load(); busy != 0; busy = busy_.load(std::memory_order_acquire)) {
        waitWhile(busy_, busy, 0);
        if (watched && busy_.load(std::memory_order_acquire) == 0) {
            attendance_[0].lateNs += std::max<std::int64_t>(0, nowNs() - roundEndedNs_.load());
        }
    }
}

void WorkerPool::takeIndices(unsigned worker) {
    for (;;) {
        const std::int64_t index = next_.fetch_add(1, std::memory_order_relaxed);
        if (index >= count_) {
            return;
        }
        (*body_)(index, worker);
    }
}

void WorkerPool::work(unsigned worker) {
    for (std::uint32_t round = 0;; ++round) {
        waitWhile(round_, round, worker);
        if (stopping_) {
            return;
        }
        const bool watched = watching_.load(std::memory_order_relaxed);
        if (watched) {
            attendance_[worker].lateNs += std::max<std::int64_t>(0, nowNs() - roundBeganNs_.load());
        }
        takeIndices(worker);
        if (watched) {
            roundEndedNs_ = nowNs(); // that of the last one stays
        }
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            busy_.notify_all();
        }
    }
}

} // namespace loadline::gpu
