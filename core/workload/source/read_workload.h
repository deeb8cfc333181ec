// Reads a file as a workload: a distribution file, a request trace or a server's log (see contentOf).
#pragma once

#include "core/workload/source/workload.h"

#include <string>
#include <string_view>

namespace loadline {

/// From the text of a distribution file or trace; `key` and messages name `path`. What was left out of a
/// trace is in the notes. The Error: neither of them, or nothing in it could be used.
Result<Workload> workloadFromText(std::string_view text, const std::string& path);

/// The same from a regular file of at most maxWholeFileBytes; or of a server's log, of any size, its requests.
Result<Workload> readWorkload(const std::string& path);

} // namespace loadline
