// The requests of a server's log as a workload to simulate.
#pragma once

#include "core/serverlog/server_log.h"
#include "core/workload/source/workload.h"

#include <string>

namespace loadline {

/// Latency of the requests that completed, the rate of all answers together, and what served them.
RecordedServer recordedServerOf(const ServerLog& log);
/// The most requests that the server takes at once; 0: not told.
std::int64_t recordedMaxSeqs(const ServerLog& log);

/// The requests whose arrival, prompt and output the log tells, at their times; the notes say how many were
/// left out. `key` names the file. The Error: it tells none of these, and which of them is missing.
Result<Workload> workloadOfLog(const ServerLog& log, const std::string& key);

} // namespace loadline
