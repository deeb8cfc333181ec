// loadline sweep
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runSweep(const Arguments& arguments);

} // namespace loadline::app
