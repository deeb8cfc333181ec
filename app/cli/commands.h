// The commands there are. Each takes the arguments after its name and returns the exit status.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace loadline::app {

using Arguments = std::vector<std::string>;

inline constexpr int exitDone = 0;
inline constexpr int exitFailed = 1;
inline constexpr int exitUsage = 2;

struct Command {
    std::string name;
    std::string summary; ///< one line for `loadline --help`
    std::function<int(const Arguments& arguments)> run;
};

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
int runGenerate(const Arguments& arguments);

/// In the order of the help.
std::span<const Command> commands();

} // namespace loadline::app
