// Writes the pages: the program's, and one per command.
#include "app/cli/help/manual_page.h"

#include "app/cli/help/version.h"

#include <QString>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace loadline::app {
namespace {

const char* roffEscapeOf(char32_t character) {
    switch (character) {
    case U'\\':
        return "\\(rs";
    case U'-':
        return "\\-";
    case U'\'':
        return "\\(aq";
    case U'"':
        return "\\(dq";
    case U'`':
        return "\\(ga";
    case U'^':
        return "\\(ha";
    case U'~':
        return "\\(ti";
    default:
        return nullptr;
    }
}

std::string bold(std::string_view text) {
    return "\\fB" + roffText(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + roffText(text) + "\\fR";
}

/// "loadline bench": "loadline-bench", the name of its page.
std::string pageName(std::string name) {
    for (char& c : name) {
        c = c == ' ' ? '-' : c;
    }
    return name;
}

std::string pageHead(const std::string& name, std::string summary) {
    if (summary.size() > 1 && std::islower(static_cast<unsigned char>(summary[1])) != 0) {
        summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
    }
    summary.resize(std::min({summary.find(". "), summary.find("; "), summary.size()}));
    if (summary.ends_with('.')) {
        summary.pop_back();
    }
    std::string title = pageName(name);
    for (char& c : title) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return fmt::format(".TH \"{}\" 1 \"{}\" \"Loadline {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       roffText(title), revisionDate(), LOADLINE_VERSION, roffText(pageName(name)),
                       roffText(summary));
}

std::string optionEntry(const OptionHelp& option) {
    std::string entry = ".TP\n";
    for (const std::string& name : option.names) {
        entry +=
            (&name == &option.names.front() ? "" : ", ") + (option.positional ? italic(name) : bold(name));
    }
    if (!option.value.empty()) {
        entry += (option.positional ? "" : " ") + italic(option.value);
    }
    return entry + "\n" + (option.text.empty() ? "\\&" : roffText(option.text)) + "\n";
}

/// A heading for each group, in the order they appear.
std::string optionSections(const std::vector<OptionHelp>& options) {
    std::string text = ".SH OPTIONS\n";
    std::vector<std::string> groups;
    for (const OptionHelp& option : options) {
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
            groups.push_back(option.group);
        }
    }
    for (const std::string& group : groups) {
        text += group == "Options" ? "" : ".SS \"" + roffText(group) + "\"\n";
        for (const OptionHelp& option : options) {
            text += option.group == group ? optionEntry(option) : "";
        }
    }
    return text;
}

std::string exampleSection(const std::string& examples) {
    return examples.empty() ? "" : ".SH EXAMPLES\n.nf\n" + roffText(examples) + ".fi\n";
}

constexpr const char* exitStatus =
    ".SH \"EXIT STATUS\"\n"
    ".TP\n0\nDone.\n"
    ".TP\n1\nFailed; a sentence on standard error says what, where, and what to try. Or a part of the input "
    "could not be read: the answer is written, and says that it is not complete.\n"
    ".TP\n2\nWrong usage.\n"
    ".TP\n128 + signal\nInterrupted.\n";

} // namespace

std::string roffText(std::string_view text) {
    std::string roff;
    bool lineBegins = true;
    const QString decoded = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    for (const uint unit : decoded.toUcs4()) {
        const auto character = static_cast<char32_t>(unit);
        if (lineBegins && character == U'.') {
            roff += "\\&";
        }
        lineBegins = character == U'\n';
        if (const char* escape = roffEscapeOf(character)) {
            roff += escape;
        } else if (character == U'\n' || (character >= 0x20 && character < 0x7f)) {
            roff += static_cast<char>(character);
        } else if (character >= 0xa0) {
            roff += fmt::format("\\[u{:04X}]", unit);
        }
    }
    return roff;
}

std::string manualPage(const CommandHelp& command) {
    std::string text = pageHead(command.name, command.summary);
    text += ".SH SYNOPSIS\n" + bold(command.name) + " [" + italic("OPTION") + "...]";
    for (const OptionHelp& option : command.options) {
        if (option.positional) {
            const std::string word = italic(option.names.front() + option.value);
            text += " " + (option.required ? word : "[" + word + "]");
        }
    }
    text += "\n.SH DESCRIPTION\n" + roffText(command.summary) + "\n";
    return text + optionSections(command.options) + exampleSection(command.examples) + exitStatus +
           ".SH \"SEE ALSO\"\n.BR loadline (1)\n";
}

std::string manualPage(const CommandHelp& program, std::span<const Command> commands) {
    std::string text = pageHead(program.name, "workload explorer for agentic LLM inference");
    text += ".SH SYNOPSIS\n.nf\n" + bold(program.name) + " [" + italic("PATH") + "...]\n" +
            bold(program.name) + " " + italic("COMMAND") + " [" + italic("OPTION") + "...]\n.fi\n";
    text += ".SH DESCRIPTION\n" + roffText(program.summary) + "\n.SH COMMANDS\n";
    for (const Command& command : commands) {
        text += fmt::format(".TP\n.BR {} (1)\n{}\n", roffText(pageName(program.name + " " + command.name)),
                            roffText(command.summary));
    }
    return text + optionSections(program.options) + exampleSection(program.examples) + exitStatus;
}

} // namespace loadline::app
