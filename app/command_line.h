// The command line: which command the arguments name; without one, the window.
#pragma once

#include "app/study/studies.h"

#include <span>
#include <string>
#include <vector>

namespace loadline::app {

/// Runs the program with the arguments after its name; returns the exit status: 0 done, 1 failed, 2 wrong
/// usage, 128 + signal when interrupted. `list`: see setStudies().
int runProgram(const std::string& name, const std::vector<std::string>& arguments,
               std::span<const ask::Study> list = programStudies());

} // namespace loadline::app
