// The function behind each command.
#pragma once

#include "app/cli/help/command.h"

namespace loadline::app {

int runSessions(const Arguments& arguments);
int runTurns(const Arguments& arguments);
int runExport(const Arguments& arguments);
int runSchedule(const Arguments& arguments);
int runSimulate(const Arguments& arguments);
int runSweep(const Arguments& arguments);
int runReplay(const Arguments& arguments);
/// Measures, with --list names the devices, with --import converts. It never touches a device's settings.
int runBench(const Arguments& arguments);
int runCache(const Arguments& arguments);
int runLog(const Arguments& arguments);

} // namespace loadline::app
