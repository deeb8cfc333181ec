// Measuring for a person: in a child process, watched, so that no crash, hang or signal loses the points.
#pragma once

#include "app/cli/bench/bench_options.h"

namespace loadline::app {

/// Shows progress, then the table or the document. However the child ends, its points become a profile: in
/// --out, and where a run that is not complete has none, or it cannot be written, in the folder of profiles.
int measureWatched(const BenchOptions& options);

} // namespace loadline::app
