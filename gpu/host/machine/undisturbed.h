// Times work in short pieces and tells which of them the threads ran through without a break.
#pragma once

#include "gpu/host/machine/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace loadline::gpu {

/// A piece of work: how long it took, and the share of that time in which the threads ran, the least of any.
struct TimedPiece {
    double us = 0;
    double ranShare = 1;
};

/// Share from which on nothing was taken from the threads but interrupts.
inline constexpr double leastRanShare = 0.98;
/// A piece is short against a scheduler's slice (3 ms), so that many pieces lie within one.
inline constexpr double mostPieceUs = 1000;

/// Times `body`, which works on the pool's threads.
template <typename Body>
TimedPiece timedPiece(WorkerPool& pool, Body&& body) {
    pool.beginWatch();
    const auto begin = std::chrono::steady_clock::now();
    body();
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    return {us, pool.endWatch()};
}

/// Times in ascending order, one of each piece through which all threads ran. Takes `wanted` of them, or as
/// many as come in `mostMs`; where none does, those of all pieces, and `disturbed` is true.
struct PieceTimes {
    std::vector<double> us;
    bool disturbed = false;
    [[nodiscard]] double quantile(double share) const; ///< precondition: not empty
};
PieceTimes timesOf(WorkerPool& pool, std::size_t wanted, double mostMs, const std::stop_token& stop,
                   const std::function<void(std::size_t piece)>& body);
/// Returns the times of work on threads that nobody watches: all pieces count.
PieceTimes timesOfOthers(std::size_t wanted, double mostMs, const std::stop_token& stop,
                         const std::function<void(std::size_t piece)>& body);

/// Returns the times of each of so many threads that work beside each other and never wait for each other;
/// body's first argument is the thread, 0 and up. Other programs then hold up one of the threads at a time.
std::vector<PieceTimes> timesOfEach(unsigned threads, std::size_t wanted, double mostMs,
                                    const std::stop_token& stop,
                                    const std::function<void(unsigned thread, std::size_t piece)>& body);

} // namespace loadline::gpu
