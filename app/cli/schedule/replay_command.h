// loadline replay
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runReplay(const Arguments& arguments);

} // namespace loadline::app
