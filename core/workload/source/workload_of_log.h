// The requests of a server's log as a workload to simulate.
#pragma once

#include "core/serverlog/server_log.h"
#include "core/workload/source/workload.h"

#include <string>

namespace loadline {

/// Of the requests that completed: seconds from arrival to end, as far as both are told; n 0: of none.
Quantiles recordedLatencyS(const ServerLog& log);

/// The requests whose arrival, prompt and output the log tells, at their times; the notes say how many were
/// left out. `key` names the file. The Error: it tells none of these, and which of them is missing.
Result<Workload> workloadOfLog(const ServerLog& log, const std::string& key);

} // namespace loadline
