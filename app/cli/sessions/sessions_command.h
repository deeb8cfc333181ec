// loadline sessions
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runSessions(const Arguments& arguments);

} // namespace loadline::app
