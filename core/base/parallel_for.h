// The only place where core starts threads: run a body over 0..n-1 and join before returning.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace loadline {

/// Threads to use when the caller did not say: the machine's, at least 1.
unsigned defaultThreads();

/// Calls body(index, worker) once for each index in [0, count), on `threads` threads (0: defaultThreads()),
/// indices handed out in order; `worker` is in [0, threads) and never runs two bodies at once. No new index
/// is handed out after stop is requested. The calling thread works too. The body must not throw.
void parallelFor(std::size_t count, unsigned threads, std::stop_token stop,
                 const std::function<void(std::size_t index, unsigned worker)>& body);

} // namespace loadline
