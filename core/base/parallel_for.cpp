#include "core/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace loadline {

unsigned defaultThreads() {
    return std::max(1U, std::thread::hardware_concurrency());
}

void parallelFor(std::size_t count, unsigned threads, std::stop_token stop,
                 const std::function<void(std::size_t, unsigned)>& body) {
    const auto wanted = threads == 0 ? defaultThreads() : threads;
    const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(count, 1, wanted));
    std::atomic<std::size_t> next = 0;
    const auto work = [&](unsigned worker) {
        while (!stop.stop_requested()) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count) {
                return;
            }
            body(index, worker);
        }
    };
    std::vector<std::jthread> pool;
    pool.reserve(workers - 1);
    for (unsigned worker = 1; worker < workers; ++worker) {
        pool.emplace_back(work, worker);
    }
    work(0);
}

} // namespace loadline
