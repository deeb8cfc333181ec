// Processor time against wall time.
#include "gpu/host/machine/undisturbed.h"

#include "core/base/statistics.h"

#include <thread>

namespace loadline::gpu {

double PieceTimes::quantile(double share) const {
    return quantileOfSorted(us, share);
}

namespace {

using Body = std::function<void(std::size_t piece)>;

/// Time: gives a TimedPiece of the body at a piece.
template <typename Time>
PieceTimes piecesBy(std::size_t wanted, double mostMs, const std::stop_token& stop, Time time) {
    PieceTimes times;
    std::vector<double> all;
    double spentUs = 0;
    for (std::size_t piece = 0; times.us.size() < wanted; ++piece) {
        if (!all.empty() && (spentUs >= mostMs * 1000 || stop.stop_requested())) {
            break;
        }
        const TimedPiece timed = time(piece);
        spentUs += timed.us;
        all.push_back(timed.us);
        if (timed.ranShare >= leastRanShare) {
            times.us.push_back(timed.us);
        }
    }
    if (times.us.empty()) {
        times = {std::move(all), true};
    }
    std::sort(times.us.begin(), times.us.end());
    return times;
}

} // namespace

PieceTimes timesOf(WorkerPool& pool, std::size_t wanted, double mostMs, const std::stop_token& stop,
                   const Body& body) {
    return piecesBy(wanted, mostMs, stop,
                    [&](std::size_t piece) { return timedPiece(pool, [&] { body(piece); }); });
}

PieceTimes timesOfOthers(std::size_t wanted, double mostMs, const std::stop_token& stop, const Body& body) {
    return piecesBy(wanted, mostMs, stop, [&](std::size_t piece) {
        const auto begin = std::chrono::steady_clock::now();
        body(piece);
        return TimedPiece{
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count(), 1};
    });
}

std::vector<PieceTimes> timesOfEach(unsigned threads, std::size_t wanted, double mostMs,
                                    const std::stop_token& stop,
                                    const std::function<void(unsigned thread, std::size_t piece)>& body) {
    std::vector<PieceTimes> all(threads);
    std::vector<std::thread> running;
    running.reserve(threads);
    for (unsigned thread = 0; thread < threads; ++thread) {
        running.emplace_back([&, thread] {
            WorkerPool alone(1); // watches the calling thread
            body(thread, 0);     // first touch
            all[thread] =
                timesOf(alone, wanted, mostMs, stop, [&](std::size_t piece) { body(thread, piece + 1); });
        });
    }
    for (std::thread& one : running) {
        one.join();
    }
    return all;
}

} // namespace loadline::gpu
