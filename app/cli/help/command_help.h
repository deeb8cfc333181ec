// Arguments of a command, read from the app that parses it: for manual pages and completions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace loadline::app {

struct OptionHelp {
    std::vector<std::string> names; ///< "-h", "--help"; of an argument by position its one name, "PATH"
    std::string value = {};         ///< what follows it, "FILE"; empty: nothing
    std::string text = {};          ///< one line
    std::string group = {};         ///< heading of the help
    std::vector<std::string> choices = {}; ///< the words it takes, as far as they are known
    bool positional = false;
    bool required = false;
    bool takesPath = false;
};

struct CommandHelp {
    std::string name; ///< as the user types it, "loadline bench"
    std::string summary;
    std::vector<OptionHelp> options; ///< in the order of the help
    std::string examples;            ///< lines as they stand in the help
};

CommandHelp commandHelpOf(const CLI::App& app);

} // namespace loadline::app
