// A command: takes the arguments after its name and returns the exit status.
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

/// In the order of the help.
std::span<const Command> commands();

} // namespace loadline::app
