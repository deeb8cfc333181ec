// Hides from CLI11 what it would take apart.
#include "app/options/literal_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace loadline::app {
namespace {

// CLI11 splits values of the form "[a,b]" into lists, but such names of files are legal. A mark in front
// keeps them whole; it is taken away before anybody sees the value.
constexpr char mark = '\x01';

std::string withMark(const std::string& argument) {
    const bool list = argument.size() > 1 && argument.front() == '[' && argument.back() == ']';
    return list || (!argument.empty() && argument.front() == mark) ? mark + argument : argument;
}

std::string withoutMark(const std::string& value) {
    return !value.empty() && value.front() == mark ? value.substr(1) : value;
}

/// "--flag=text": some versions of CLI11 throw what no caller expects, others take any text.
void refuseFlagValues(const CLI::App& app, const std::vector<std::string>& words) {
    constexpr std::string_view known[] = {"true", "on", "yes", "1", "false", "off", "no", "0"};
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (word == "--") {
            return;
        }
        if (!word.starts_with("--") || equals == std::string::npos) {
            continue;
        }
        const CLI::Option* option = app.get_option_no_throw(word.substr(0, equals));
        const std::string_view value = std::string_view(word).substr(equals + 1);
        if (option != nullptr && option->get_items_expected_max() == 0 &&
            std::find(std::begin(known), std::end(known), value) == std::end(known)) {
            throw CLI::ValidationError(word.substr(0, equals), "takes nothing, or =true or =false");
        }
    }
}

} // namespace

void parseLiterally(CLI::App& app, const std::vector<std::string>& words) {
    std::vector<std::string> reversed; // the order that CLI11 wants
    std::transform(words.rbegin(), words.rend(), std::back_inserter(reversed), withMark);
    for (CLI::Option* option : app.get_options()) {
        if (option->get_type_size() > 0) {
            option->transform(withoutMark, "");
        }
    }
    refuseFlagValues(app, words);
    app.parse(std::move(reversed));
}

std::string withoutMarks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), mark), text.end());
    return text;
}

} // namespace loadline::app
