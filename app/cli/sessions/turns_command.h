// loadline turns
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runTurns(const Arguments& arguments);

} // namespace loadline::app
