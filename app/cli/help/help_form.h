// Help in the forms that machines read: manual pages, completions of shells.
#pragma once

#include "app/cli/help/command.h"
#include "app/cli/help/command_help.h"

#include <optional>
#include <span>

namespace loadline::app {

enum class HelpForm { Man, Bash, Zsh, Markdown };

/// Returns the form that "--help=man", "--help=bash", "--help=zsh" or "--help=markdown" asks for.
/// Markdown is for those who write the manual, and not in the help.
std::optional<HelpForm> helpFormFrom(const std::string& word);
/// "--help=man"
std::string wordOf(HelpForm form);

/// A command's: its manual page, the function that completes its words, or the list of its options.
std::string helpIn(HelpForm form, const CommandHelp& command);

/// The text around the commands' own parts in a completion, or the program's manual page (then `after` is
/// empty and the parts are pages of their own).
struct ProgramHelp {
    std::string before, after;
};
/// `program`: the options that go without a command.
ProgramHelp helpIn(HelpForm form, const CommandHelp& program, std::span<const Command> commands);

} // namespace loadline::app
