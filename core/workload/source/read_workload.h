// Reads a file as a workload: a distribution file, a request trace, an archive of traces or a server's log
// (see contentOf).
#pragma once

#include "core/base/progress.h"
#include "core/workload/source/workload.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace loadline {

/// Reads the text of a distribution file or trace; `key` and messages name `path`. The notes list what was
/// left out of a trace. The Error: neither of them, or nothing in it could be used.
Result<Workload> workloadFromText(std::string_view text, const std::string& path);

/// How long reading may go on, and who sees how far it is.
struct WorkloadReading {
    unsigned threads = 0; ///< 0: all of the machine
    std::stop_token stop = {};
    Progress* progress = nullptr; ///< null: nobody
};

/// Reads a regular file of at most maxWholeFileBytes; of a server's log, of any size, its requests; of an
/// archive its traces (readTraceFiles).
Result<Workload> readWorkload(const std::string& path, const WorkloadReading& reading = {});

} // namespace loadline
