// Reads a file as a workload: a distribution file or a request trace, told apart by content.
#pragma once

#include "core/workload/source/workload.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

/// What a file holds, judged by its beginning (64 KiB are plenty).
enum class WorkloadContent : std::uint8_t {
    Distribution, ///< a file of the published shape
    Trace,        ///< a request trace (core/trace/trace.h)
    SessionLog,   ///< an agent's log: to be read as a corpus, then workloadOfSessions
    KernelTimes,  ///< a profile: no workload
    Unknown,
};
WorkloadContent workloadContentOf(std::string_view head);

/// From the text of a distribution file or trace; `key` and messages name `path`. What was left out of a
/// trace is in the notes. The Error: neither of them, or nothing in it could be used.
Result<Workload> workloadFromText(std::string_view text, const std::string& path);

/// The same from a regular file of at most maxWholeFileBytes.
Result<Workload> readWorkload(const std::string& path);

} // namespace loadline
