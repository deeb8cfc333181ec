// Which writer makes which form.
#include "app/cli/help/help_form.h"

#include "app/cli/help/completion.h"
#include "app/cli/help/manual_page.h"

namespace loadline::app {

std::optional<HelpForm> helpFormFrom(const std::string& word) {
    return word == "--help=man"    ? std::optional(HelpForm::Man)
           : word == "--help=bash" ? std::optional(HelpForm::Bash)
           : word == "--help=zsh"  ? std::optional(HelpForm::Zsh)
                                   : std::nullopt;
}

std::string helpIn(HelpForm form, const CommandHelp& command) {
    switch (form) {
    case HelpForm::Man:
        return manualPage(command);
    case HelpForm::Bash:
        return bashFunction(command);
    case HelpForm::Zsh:
        return zshFunction(command);
    }
    return {};
}

ProgramHelp helpIn(HelpForm form, const CommandHelp& program, std::span<const Command> commands) {
    switch (form) {
    case HelpForm::Man:
        return {manualPage(program, commands), ""};
    case HelpForm::Bash:
        return {bashBegin(), bashEnd(program, commands)};
    case HelpForm::Zsh:
        return {zshBegin(), zshEnd(program, commands)};
    }
    return {};
}

} // namespace loadline::app
