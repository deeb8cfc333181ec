// Reads names, forms, choices and groups off CLI11's options.
#include "app/cli/help/command_help.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>

namespace loadline::app {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

std::string onOneLine(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// A word to be typed as it stands, rather than one that stands for others, as RATE does.
bool isLiteral(const std::string& word) {
    return !word.empty() && std::none_of(word.begin(), word.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || c == ' ' || c == '.';
    });
}

/// Returns the words of "{a,b}", which is CLI11's notation of a set of words, or else of the form "a|b".
std::vector<std::string> choicesOf(const CLI::Option& option, const std::string& form) {
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}', open);
    std::vector<std::string> words;
    if (close != std::string::npos) {
        words = split(std::string_view(type).substr(open + 1, close - open - 1), ',');
    } else if (form.find('|') != std::string::npos) {
        words = split(form, '|');
    }
    words.erase(
        std::remove_if(words.begin(), words.end(), [](const std::string& word) { return !isLiteral(word); }),
        words.end());
    return words;
}

bool takesPath(const std::string& form, const std::string& text) {
    const auto names = [](const std::string& where, std::initializer_list<const char*> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](const char* word) { return where.find(word) != std::string::npos; });
    };
    return names(form, {"FILE", "DIR", "PATH"}) || names(text, {"file", "File", "folder", "Folder"});
}

OptionHelp helpOf(const CLI::Option& option) {
    OptionHelp help;
    help.positional = option.get_positional();
    help.required = option.get_required();
    if (help.positional) {
        help.names.push_back(option.get_name());
    }
    for (const std::string& name : option.get_snames()) {
        help.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        help.names.push_back("--" + name);
    }
    help.text = onOneLine(trimmed(option.get_description()));
    help.group = option.get_group();
    if (option.get_items_expected_max() > 0) {
        const std::string form = trimmed(option.get_option_text());
        const std::string type = option.get_type_name();
        help.value = !form.empty() || help.positional ? form : type.substr(0, type.find_first_of(":{ "));
        help.choices = choicesOf(option, form);
        help.takesPath =
            help.choices.empty() && takesPath(form + (help.positional ? help.names[0] : ""), help.text);
    }
    return help;
}

} // namespace

CommandHelp commandHelpOf(const CLI::App& app) {
    CommandHelp help = {
        .name = app.get_name(), .summary = onOneLine(app.get_description()), .options = {}, .examples = {}};
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) { // hidden ones have none
            help.options.push_back(helpOf(*option));
        }
    }
    const std::string heading = "\nExamples:\n";
    const std::string footer = app.get_footer();
    help.examples = footer.substr(footer.rfind(heading, 0) == 0 ? heading.size() : 0);
    return help;
}

} // namespace loadline::app
