// Writes a command's options as Markdown.
#include "app/cli/help/option_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace loadline::app {
namespace {

constexpr const char* usualGroup = "Options"; // CLI11's: it needs no heading

/// Broken before 120 letters, with the lines below the first indented.
std::string wrappedItem(const std::string& text) {
    constexpr std::size_t most = 120;
    std::string lines;
    std::size_t length = 0;
    std::istringstream words(text);
    for (std::string word; words >> word; length += word.size() + 1) {
        const bool breaks = length > 0 && length + 1 + word.size() > most;
        lines += lines.empty() ? "" : breaks ? "\n  " : " ";
        length = breaks ? 2 : length;
        lines += word;
    }
    return lines;
}

std::string markdownText(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '*' || c == '<' ? std::string{'\\', c} : std::string(1, c);
    }
    return escaped;
}

std::string itemOf(const OptionHelp& option) {
    std::string name;
    for (const std::string& one : option.names) {
        name += (name.empty() ? "" : ", ") + one;
    }
    const char* between = option.value.empty() ? "" : option.positional ? "" : " ";
    return wrappedItem(
               fmt::format("- `{}{}{}`: {}", name, between, option.value, markdownText(option.text))) +
           '\n';
}

} // namespace

std::string optionList(const CommandHelp& command) {
    std::vector<std::string> groups;
    for (const OptionHelp& option : command.options) {
        if (std::ranges::find(groups, option.group) == groups.end()) {
            groups.push_back(option.group);
        }
    }
    std::string list = fmt::format("### {}\n", command.name);
    for (const std::string& group : groups) {
        list += group == usualGroup ? "\n" : fmt::format("\n{}:\n\n", group);
        for (const OptionHelp& option : command.options) {
            const bool isHelp = std::ranges::find(option.names, "--help") != option.names.end();
            list += option.group == group && !isHelp ? itemOf(option) : "";
        }
    }
    return list + '\n';
}

} // namespace loadline::app
