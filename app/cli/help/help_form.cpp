// Which writer makes which form; the scripts for bash and zsh: what a word may be is decided here.
#include "app/cli/help/help_form.h"

#include "app/cli/help/command.h"
#include "app/cli/help/command_help.h"
#include "app/cli/help/manual_page.h"
#include "app/cli/help/option_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace loadline::app {
namespace {

/// In single quotes, for both shells.
std::string inQuotes(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return result + "'";
}

std::string wordList(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) {
        list += (list.empty() ? "" : " ") + word;
    }
    return list;
}

std::string functionOf(const CommandHelp& command) {
    std::string name = "_" + command.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

std::vector<std::string> optionNames(const CommandHelp& command) {
    std::vector<std::string> names;
    for (const OptionHelp& option : command.options) {
        if (!option.positional) {
            names.insert(names.end(), option.names.begin(), option.names.end());
        }
    }
    return names;
}

/// Returns the kind of an option's values, as a branch of "case $1".
std::string bashBranch(const OptionHelp& option) {
    std::string pattern;
    for (const std::string& name : option.names) {
        pattern += (pattern.empty() ? "" : " | ") + name;
    }
    std::string what = "value=1";
    what += option.choices.empty() ? "" : " choices=" + inQuotes(wordList(option.choices));
    what += option.takesPath ? " paths=1" : "";
    return fmt::format("        {}) {} ;;\n", pattern, what);
}

/// `text` inside the brackets or after the colon of a specification of _arguments, which itself is in quotes.
std::string zshText(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result;
}

std::string zshAction(const OptionHelp& option) {
    return !option.choices.empty() ? "(" + zshText(wordList(option.choices)) + ")"
           : option.takesPath      ? "_files"
                                   : " ";
}

std::string zshSpecs(const CommandHelp& command) {
    std::string specs;
    int place = 0;
    const auto add = [&](const std::string& spec) { specs += " \\\n        " + inQuotes(spec); };
    for (const OptionHelp& option : command.options) {
        const std::string message = zshText(option.positional ? option.names.front() : option.value);
        if (option.positional && option.value != "...") {
            add(fmt::format("{}::{}:{}", ++place, message, zshAction(option)));
        } else if (option.positional) {
            add(fmt::format("*:{}:{}", message, zshAction(option)));
        }
        for (const std::string& name : option.names) {
            if (!option.positional && option.value.empty()) {
                add(fmt::format("{}[{}]", name, zshText(option.text)));
            } else if (!option.positional) { // any number of times: some may be, and the program says which
                add(fmt::format("*{}=[{}]:{}:{}", name, zshText(option.text), message, zshAction(option)));
            }
        }
    }
    return specs;
}

std::string bashBegin() {
    return "# Completion of loadline for bash, made by 'loadline --help=bash'.\n\n"
           "# Each function sets what may come after the word $1, or by position without one, $2 words in.\n";
}

std::string bashFunction(const CommandHelp& command) {
    std::string branches;
    std::string byPosition;
    int place = 0;
    for (const OptionHelp& option : command.options) {
        if (!option.positional && !option.value.empty()) {
            branches += bashBranch(option);
        } else if (option.positional && !option.choices.empty()) {
            byPosition += fmt::format("                {}) choices={} ;;\n", place++,
                                      inQuotes(wordList(option.choices)));
        } else if (option.positional) {
            byPosition += fmt::format("                *) paths=1 ;;\n");
        }
    }
    if (!byPosition.empty()) {
        branches +=
            "        '')\n            case $2 in\n" + byPosition + "            esac\n            ;;\n";
    }
    return fmt::format("{}() {{\n    options={}\n    case $1 in\n{}        *) ;;\n    esac\n}}\n\n",
                       functionOf(command), inQuotes(wordList(optionNames(command))), branches);
}

std::string bashEnd(const CommandHelp& program, std::span<const Command> commands) {
    std::string names;
    for (const Command& command : commands) {
        names += (names.empty() ? "" : " ") + std::string(command.name);
    }
    return fmt::format(R"(_loadline() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    local options={0} choices='' paths='' value='' place=0 skip=0 word
    local commands={1}
    if [[ $current == = ]]; then # bash takes --option=value apart
        current=
    elif [[ $previous == = ]]; then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    if ((COMP_CWORD == 1)); then
        choices=$commands paths=1
    elif [[ " $commands " == *" ${{COMP_WORDS[1]}} "* ]]; then
        [[ $previous == -* ]] && "_loadline_${{COMP_WORDS[1]}}" "$previous"
        if [[ -z $value ]]; then
            for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
                if ((skip)); then
                    [[ $word == = ]] || skip=0
                elif [[ $word == -* ]]; then
                    value='' && "_loadline_${{COMP_WORDS[1]}}" "$word"
                    skip=${{value:-0}}
                else
                    place=$((place + 1))
                fi
            done
            choices='' paths='' value=''
            "_loadline_${{COMP_WORDS[1]}}" '' "$place"
        fi
    else
        paths=1
    fi
    COMPREPLY=()
    if [[ $current == -* && -z $value ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(
        compgen -W "$choices" -- "$current"
        [[ -z $paths ]] || compgen -f -- "$current"
    )
    [[ -z $paths ]] || compopt -o filenames 2>/dev/null
}}
complete -F _loadline loadline
)",
                       inQuotes(wordList(optionNames(program))), inQuotes(names));
}

std::string zshBegin() {
    return "#compdef loadline\n# Completion of loadline for zsh, made by 'loadline --help=zsh'.\n\n";
}

std::string zshFunction(const CommandHelp& command) {
    return fmt::format("{}() {{\n    _arguments{}\n}}\n\n", functionOf(command), zshSpecs(command));
}

std::string zshEnd(const CommandHelp& program, std::span<const Command> commands) {
    std::string list;
    std::string names;
    for (const Command& command : commands) {
        list += "            " + inQuotes(zshText(command.name) + ":" + command.summary) + "\n";
        names += (names.empty() ? "" : "|") + std::string(command.name);
    }
    return fmt::format(R"(_loadline() {{
    local -a commands
    if ((CURRENT > 2)) && [[ $words[2] == ({0}) ]]; then
        local command=$words[2]
        shift words
        ((CURRENT--))
        _loadline_$command
    elif ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
        commands=(
{1}        )
        _describe -t commands command commands
        _files
    else
        _arguments{2} \
        '*:PATH:_files'
    fi
}}

_loadline "$@"
)",
                       names, list, zshSpecs(program));
}

} // namespace

std::optional<HelpForm> helpFormFrom(const std::string& word) {
    for (const HelpForm form : {HelpForm::Man, HelpForm::Bash, HelpForm::Zsh, HelpForm::Markdown}) {
        if (word == wordOf(form)) {
            return form;
        }
    }
    return std::nullopt;
}

std::string wordOf(HelpForm form) {
    switch (form) {
    case HelpForm::Man:
        return "--help=man";
    case HelpForm::Bash:
        return "--help=bash";
    case HelpForm::Zsh:
        return "--help=zsh";
    case HelpForm::Markdown:
        return "--help=markdown";
    }
    return {};
}

std::string helpIn(HelpForm form, const CommandHelp& command) {
    switch (form) {
    case HelpForm::Man:
        return manualPage(command);
    case HelpForm::Bash:
        return bashFunction(command);
    case HelpForm::Zsh:
        return zshFunction(command);
    case HelpForm::Markdown:
        return optionList(command);
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
    case HelpForm::Markdown:
        return {};
    }
    return {};
}

} // namespace loadline::app
