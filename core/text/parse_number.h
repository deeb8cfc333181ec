// Numbers as text: one way of reading for options, fields, rules and tables.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace loadline {

/// The number that the whole text is: decimal digits, "-" before them, for real numbers "." and "e". Nothing
/// for blanks, "+", "0x10", "inf", "nan", text behind it, and what the type cannot hold.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    if constexpr (std::is_floating_point_v<Number>) {
        return std::isfinite(number) ? std::optional(number) : std::nullopt;
    } else {
        return number;
    }
}

/// A range from the least to the most, both included.
template <typename Number>
struct NumberRange {
    Number least;
    Number most;

    [[nodiscard]] constexpr bool contains(Number number) const { return number >= least && number <= most; }
};

/// parseNumber() within a range.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text, const NumberRange<Number>& range) {
    const std::optional<Number> number = parseNumber<Number>(text);
    return number && range.contains(*number) ? number : std::nullopt;
}

} // namespace loadline
