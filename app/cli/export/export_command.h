// loadline export
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runExport(const Arguments& arguments);

} // namespace loadline::app
