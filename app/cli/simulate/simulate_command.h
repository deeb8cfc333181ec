// loadline simulate
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runSimulate(const Arguments& arguments);

} // namespace loadline::app
