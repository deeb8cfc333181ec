// loadline bench: time kernels on a device of this machine, or read the timings of others.
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

/// Measures, with --list names the devices, with --import converts. It never touches a device's settings.
int runBench(const Arguments& arguments);

} // namespace loadline::app
