// The command of any study: its fields are the options, its report the output.
#pragma once

#include "app/cli/help/command.h"
#include "core/ask/study.h"

namespace loadline::app {

/// `loadline KEY [OPTIONS]` of a study; returns the exit status.
int runStudy(const ask::Study& study, const Arguments& arguments);

} // namespace loadline::app
