// Block traces, archives and folders of them as a workload to simulate.
#pragma once

#include "core/base/progress.h"
#include "core/trace/read_block_traces.h"
#include "core/workload/source/workload.h"

#include <span>
#include <stop_token>
#include <string>

namespace loadline {

/// Conversations as sessions, sub-agents beside their main agents; other requests at their times, several
/// traces side by side from their starts. What was left out is in the notes. `key` names what was opened.
/// The Error: there is no request in it.
Result<Workload> workloadOfTraces(const BlockTraceFiles& read, const std::string& key);

/// Reads files, archives among them (readBlockTraces), into workloadOfTraces(). After a stop: of what was
/// read until then.
Result<Workload> readTraceFiles(std::span<const std::string> paths, const std::string& key, unsigned threads,
                                const std::stop_token& stop, Progress& progress);

} // namespace loadline
