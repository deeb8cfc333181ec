// The commands there are. Each takes the arguments after its name and returns the exit status.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace loadline::app {

using Arguments = std::vector<std::string>;

inline constexpr int exitDone = 0;
inline constexpr int exitFailed = 1;
inline constexpr int exitUsage = 2;

struct Command {
    const char* name;
    const char* summary; ///< one line for `loadline --help`
    int (*run)(const Arguments& arguments);
};

/// In the order of the help.
std::span<const Command> commands();

} // namespace loadline::app
