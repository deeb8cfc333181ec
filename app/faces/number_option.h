// Options that take a number: read by the one reader, and refused with their range.
#pragma once

#include "app/faces/number_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace loadline::app {

/// The refusal of an option's value: "--threads takes 1..256, not '0x10'".
inline CLI::ValidationError notTaken(const std::string& option, const std::string& takes,
                                     const std::string& given) {
    return CLI::ValidationError(fmt::format("{} takes {}, not '{}'", option, takes, given));
}

/// The number, or the refusal thrown for CLI11 to catch.
template <typename Number>
Number takenNumber(const std::string& option, const std::string& text, const NumberRange<Number>& range) {
    if (const std::optional<Number> number = parseNumber(text, range)) {
        return *number;
    }
    throw notTaken(option, wordsOf(range), text);
}

/// `take` reads the text of the option, or throws notTaken(); `takes` stands in the help.
inline CLI::Option* addTaken(CLI::App& app, const std::string& name, const std::string& form,
                             const std::string& help, const std::string& takes,
                             std::function<void(const std::string& text)> take) {
    return app
        .add_option_function<std::string>(name, std::move(take),
                                          takes.empty() ? help : help + " [" + takes + "]")
        ->option_text(form);
}

template <typename Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, Number& value,
                       const NumberRange<std::type_identity_t<Number>>& range, const std::string& help) {
    return addTaken(
        app, name, std::is_floating_point_v<Number> ? "X" : "N", help, wordsOf(range),
        [name, range, &value](const std::string& text) { value = takenNumber(name, text, range); });
}

template <typename Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<Number>& value,
                       const NumberRange<std::type_identity_t<Number>>& range, const std::string& help) {
    return addTaken(
        app, name, std::is_floating_point_v<Number> ? "X" : "N", help, wordsOf(range),
        [name, range, &value](const std::string& text) { value = takenNumber(name, text, range); });
}

} // namespace loadline::app
