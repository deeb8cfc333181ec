#include "gpu/host/machine/worker_pool.h"

#include "core/base/parallel_for.h"

namespace loadline::gpu {
namespace {

/// About 50 us: longer than the gap between two kernels of one measurement.
constexpr int spins = 1000;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

template <typename T>
void waitWhile(const std::atomic<T>& value, T old) {
    for (int i = 0; i < spins; ++i) {
        if (value.load(std::memory_order_acquire) != old) {
            return;
        }
        pause();
    }
    value.wait(old, std::memory_order_acquire);
}

} // namespace

WorkerPool::WorkerPool(unsigned threads) {
    const unsigned wanted = threads == 0 ? defaultThreads() : threads;
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
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    takeIndices(0);
    for (std::uint32_t busy = busy_.load(); busy != 0; busy = busy_.load(std::memory_order_acquire)) {
        waitWhile(busy_, busy);
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
        waitWhile(round_, round);
        if (stopping_) {
            return;
        }
        takeIndices(worker);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            busy_.notify_all();
        }
    }
}

} // namespace loadline::gpu
