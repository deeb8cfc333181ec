// Reads the workload that --workload names.
#pragma once

#include "app/cli/terminal/interruption.h"
#include "core/base/result.h"
#include "core/workload/source/source.h"
#include "core/workload/source/workload.h"

#include <string>
#include <vector>

namespace loadline::app {

/// Reads it; session folders and logs as every command does, with progress and messages on standard error.
/// The Error: there is nothing of that name, it is none of these, or it holds no turn. After an interruption
/// the value means nothing: ask `interruption` first. `files` will be written; to overwrite a session file
/// that is read is an Error.
Result<Workload> resolveWorkload(const Source& source, OutputCounts outputs, unsigned threads,
                                 const Interruption& interruption,
                                 const std::vector<std::string>& files = {});

} // namespace loadline::app
