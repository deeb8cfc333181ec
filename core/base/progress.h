// How far a long function is: written by its threads, read by whoever shows it.
#pragma once

#include <atomic>
#include <cstdint>

namespace loadline {

/// Counters of one long operation. Writers add; readers may see them a moment apart, never torn.
struct Progress {
    std::atomic<std::uint64_t> bytesDone = 0;
    std::atomic<std::uint64_t> bytesTotal = 0; ///< 0 while not known yet
    std::atomic<std::uint64_t> filesDone = 0;
    std::atomic<std::uint64_t> filesTotal = 0;
};

/// How far a long computation is, in steps of about equal length; shared with whoever wants to know.
struct WorkProgress {
    std::atomic<std::uint64_t> done = 0;
    std::atomic<std::uint64_t> planned = 0; ///< 0 while not known; may grow

    /// 0 to 1; 0 while nothing is planned.
    [[nodiscard]] double share() const {
        const std::uint64_t all = planned.load();
        return all == 0 ? 0 : static_cast<double>(done.load()) / static_cast<double>(all);
    }
};

} // namespace loadline
