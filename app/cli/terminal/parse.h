// CLI11 made to fit the common rules: exit statuses, messages, and values taken as they are.
#pragma once

#include "app/cli/help/command.h"
#include "app/options/literal_words.h"
#include "core/text/parse_number.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace loadline::app {

inline constexpr NumberRange<unsigned> threadCounts{1, 1024};

/// Settings that all commands share; `name` as the user types it ("loadline sessions").
void setUp(CLI::App& app, const std::string& name, const std::string& summary, const std::string& examples);

/// PATH..., required.
void addPaths(CLI::App& app, std::vector<std::string>& paths);
/// --threads N; `work`: what they do ("read").
void addThreads(CLI::App& app, unsigned& threads, const std::string& work = "read");

/// Form and destinations of a command's answer.
struct Output {
    bool json = false; ///< one document, instead of text
    std::string csv;   ///< "": to no file
    std::string out;
};

/// Help texts of these options; "": the command has no such option.
struct OutputHelp {
    std::string json = "One JSON document instead of text";
    std::string csv = {};
    std::string out = {};
    std::string outForm = "FILE";
};

/// --json, --csv FILE and --out FILE. One of them at most goes to standard output.
void addOutput(CLI::App& app, Output& output, const OutputHelp& help = {});

/// Parses; the exit status when the program is to end here (help was asked for, or the usage was wrong, both
/// already said). Paths and option values of any form are taken literally.
std::optional<int> parse(CLI::App& app, const Arguments& arguments);

} // namespace loadline::app
