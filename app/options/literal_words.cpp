// Hides from CLI11 what it would take apart.
#include "app/options/literal_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <stdexcept>

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

} // namespace

void parseLiterally(CLI::App& app, const std::vector<std::string>& words) {
    std::vector<std::string> reversed; // the order that CLI11 wants
    std::transform(words.rbegin(), words.rend(), std::back_inserter(reversed), withMark);
    for (CLI::Option* option : app.get_options()) {
        if (option->get_type_size() > 0) {
            option->transform(withoutMark, "");
        }
    }
    try {
        app.parse(std::move(reversed));
    } catch (const std::logic_error&) { // CLI11's, of the number in "--flag=text"
        throw CLI::ValidationError("a flag takes nothing, or =true or =false");
    }
}

std::string withoutMarks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), mark), text.end());
    return text;
}

std::string brokenAfterCommas(std::string list) {
    constexpr std::size_t width = 70;
    std::size_t begin = 0;
    while (list.size() - begin > width) {
        const std::size_t comma = list.rfind(", ", begin + width);
        if (comma == std::string::npos || comma < begin) {
            break;
        }
        list[comma + 1] = '\n';
        begin = comma + 2;
    }
    return list;
}

} // namespace loadline::app
