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

} // namespace loadline
