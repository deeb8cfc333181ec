// loadline schedule
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runSchedule(const Arguments& arguments);

} // namespace loadline::app
