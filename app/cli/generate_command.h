// loadline generate
#pragma once

#include "app/cli/commands.h"

namespace loadline::app {

int runGenerate(const Arguments& arguments);

} // namespace loadline::app
