// Finds the command, or opens the window.
#include "app/command_line.h"

#include "app/chart/chart_spec.h"
#include "app/cli/help/command.h"
#include "app/cli/help/help_form.h"
#include "app/cli/help/version.h"
#include "app/cli/terminal/output.h"
#include "app/window/window.h"

#include <QApplication>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace loadline::app {
namespace {

/// The options that go without a command.
CommandHelp programHelp() {
    const std::string group = "Options";
    return {
        .name = "loadline",
        .summary =
            "Loadline explores what LLM agents did: sessions, API calls, tokens, caches. Without a command "
            "it opens a window, on the files or folders named. Nothing is ever sent anywhere; session "
            "folders are only read.",
        .options = {{.names = {"-h", "--help"}, .text = "Names the commands", .group = group},
                    {.names = {"--help=man", "--help=bash", "--help=zsh"},
                     .value = "",
                     .text = "The manual page, after a command that command's; completions for a shell",
                     .group = group},
                    {.names = {"--version"},
                     .value = "",
                     .text = "Version, commit, Qt, build type, and which CUDA kernels are there",
                     .group = group}},
        .examples = "  loadline ~/.claude/projects\n"
                    "  loadline export all --out-dir charts        (every chart of the sample)\n"
                    "  source <(loadline --help=bash)              (completion in this shell)\n"};
}

std::string overview() {
    std::string text = "Loadline explores what LLM agents did: sessions, API calls, tokens, caches.\n\n"
                       "Usage: loadline [PATH...]            open the window, on files or folders\n"
                       "       loadline COMMAND [OPTIONS]    the same work without a display\n\n"
                       "Commands:\n";
    for (const Command& command : commands()) {
        text += fmt::format("  {:<12}{}\n", command.name, command.summary);
    }
    text += "\nOptions:\n";
    for (const OptionHelp& option : programHelp().options) {
        text += fmt::format("  {:<37}{}\n", fmt::to_string(fmt::join(option.names, ", ")), option.text);
    }
    return text + "\nNothing is ever sent anywhere; session folders are only read.\n";
}

/// A manual page, or a completion: there each command adds its own part.
int overviewIn(HelpForm form) {
    const ProgramHelp help = helpIn(form, programHelp(), commands());
    int status = printText(help.before);
    if (form != HelpForm::Man) {
        for (const Command& command : commands()) {
            status = status == exitDone ? command.run({wordOf(form)}) : status;
        }
        status = status == exitDone ? printText(help.after) : status;
    }
    return status;
}

int wrongUsage(const std::string& what) {
    say("loadline: " + what);
    sayLines("Usage: loadline [PATH...] | loadline COMMAND [OPTIONS]\nloadline --help names the commands.");
    return exitUsage;
}

bool hasDisplay() {
#if defined(Q_OS_LINUX)
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
#else
    return true;
#endif
}

/// Returns the message for a chart's name in place of a command; empty for other words and for files.
std::string commandsInsteadOf(const std::string& word) {
    std::error_code failed;
    if (chartNamed(word) == nullptr || std::filesystem::exists(word, failed)) {
        return {};
    }
    return fmt::format("there is no command '{0}': `loadline export {0}` draws that chart{1}", word,
                       word == "crossover" ? ", and `loadline sweep` writes its numbers" : "");
}

int window(const std::string& name, const Arguments& arguments) {
    if (const std::string others = arguments.empty() ? "" : commandsInsteadOf(arguments.front());
        !others.empty()) {
        return wrongUsage(others);
    }
    std::vector<std::string> paths;
    bool options = true;
    for (const std::string& argument : arguments) {
        if (options && argument == "--") {
            options = false;
        } else if (options && argument.size() > 1 && argument.front() == '-') {
            return wrongUsage("there is no option " + argument);
        } else {
            paths.push_back(argument);
        }
    }
    std::error_code failed;
    if (paths.size() == 1 && options && paths[0].find('/') == std::string::npos &&
        !std::filesystem::exists(paths[0], failed)) {
        return wrongUsage("there is neither a command nor a file '" + paths[0] + "'");
    }
    if (!hasDisplay()) {
        return fail({"there is no display to open the window on", "",
                     "'loadline export all PATH... --out-dir DIR' writes every chart to files"});
    }
    int count = 1;
    std::string programName = name;
    char* values[] = {programName.data(), nullptr};
    QApplication application(count, values);
    return openWindow(application, paths, studies());
}

} // namespace

int runProgram(const std::string& name, const std::vector<std::string>& arguments,
               std::span<const ask::Study> list) {
    setStudies(list);
    std::signal(SIGPIPE, SIG_IGN); // write() says it instead
    std::signal(SIGXFSZ, SIG_IGN); // likewise, of a file that may not grow so large
    const std::string first = arguments.empty() ? "" : arguments.front();
    if (first == "-h" || first == "--help" || first == "help") {
        return printText(overview());
    }
    if (first == "--version") {
        return printText(versionText());
    }
    if (const std::optional<HelpForm> form = helpFormFrom(first)) {
        return overviewIn(*form);
    }
    for (const Command& command : commands()) {
        if (first == command.name) {
            return command.run(Arguments(arguments.begin() + 1, arguments.end()));
        }
    }
    return window(name, arguments);
}

} // namespace loadline::app
