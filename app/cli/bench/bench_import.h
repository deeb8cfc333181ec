// bench --import: timings of others as a profile.
#pragma once

#include "app/cli/bench/bench_options.h"

namespace loadline::app {

/// Reads, puts them into another profile where asked to, and writes; returns the exit status.
int runImport(const BenchOptions& options);

} // namespace loadline::app
