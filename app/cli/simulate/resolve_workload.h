// What --workload names, read.
#pragma once

#include "app/cli/terminal/interruption.h"
#include "core/base/result.h"
#include "core/workload/source/workload.h"

#include <string>
#include <vector>

namespace loadline::app {

struct WorkloadOption {
    std::string workload = "reference"; ///< "reference", a distribution file, a trace, session files
    std::string outputs = "recorded";   ///< key of OutputCounts; for session files
    bool operator==(const WorkloadOption&) const = default;
};

/// Reads it; session folders and logs as every command does, with progress and messages on standard error.
/// The Error: there is nothing of that name, it is none of these, or it holds no turn. After an interruption
/// the value means nothing: ask `interruption` first. `outputs`: files that will be written; to overwrite a
/// session file that is read is an Error.
Result<Workload> resolveWorkload(const WorkloadOption& option, unsigned threads,
                                 const Interruption& interruption,
                                 const std::vector<std::string>& outputs = {});

} // namespace loadline::app
