#include "core/session/json/json_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace loadline {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t digitsFrom(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && isDigit(text[end])) {
        ++end;
    }
    return end - at;
}

/// Length of the legal number at the start; `whole` tells whether it has neither fraction nor exponent.
std::size_t numberLength(std::string_view text, bool& whole) {
    whole = true;
    std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
    const std::size_t integer = digitsFrom(text, at);
    if (integer == 0 || (integer > 1 && text[at] == '0')) {
        return 0;
    }
    at += integer;
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = digitsFrom(text, at + 1);
        if (fraction == 0) {
            return 0;
        }
        at += 1 + fraction;
        whole = false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        std::size_t exponent = at + 1;
        if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) {
            ++exponent;
        }
        const std::size_t digits = digitsFrom(text, exponent);
        if (digits == 0) {
            return 0;
        }
        at = exponent + digits;
        whole = false;
    }
    return at;
}

/// Value of a legal number; too large gives infinity, too small zero.
double valueOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc::result_out_of_range) {
        return value;
    }
    // A number is only out of range with an exponent or hundreds of digits; the sign of the exponent, or
    // without one a leading non-zero digit, tells which end it left.
    const std::size_t exponent = text.find_first_of("eE");
    const bool negative = text[0] == '-';
    const bool small = exponent != std::string_view::npos ? text.substr(exponent + 1).starts_with('-')
                                                          : text[negative ? 1 : 0] == '0';
    const double magnitude = small ? 0.0 : std::numeric_limits<double>::infinity();
    return negative ? -magnitude : magnitude;
}

/// Length of Python's repr of a float: shortest digits that read back, fixed for exponents -4 to 15.
std::size_t reprLength(double value) {
    if (std::isinf(value)) {
        return value < 0 ? 9 : 8;
    }
    std::array<char, 40> buffer{};
    const auto scientific =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    const std::string_view text(buffer.data(), static_cast<std::size_t>(scientific.ptr - buffer.data()));
    const std::size_t mark = text.find('e');
    int exponent = 0;
    const char* digits = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
    std::from_chars(digits, text.data() + text.size(), exponent);
    if (exponent < -4 || exponent >= 16) {
        return text.size();
    }
    const std::size_t sign = text[0] == '-' ? 1 : 0;
    const std::size_t mantissa = mark - sign;                         // "d" or "d.ddd"
    const std::size_t significant = mantissa == 1 ? 1 : mantissa - 1; // digits alone
    if (exponent < 0) {
        return sign + 1 + static_cast<std::size_t>(-exponent) + significant; // "0." zeros digits
    }
    const auto integer = static_cast<std::size_t>(exponent) + 1;
    return sign + (significant <= integer ? integer + 2 : significant + 1);
}

} // namespace

bool isJsonWord(std::string_view text) {
    bool whole = false;
    if (!text.empty() && numberLength(text, whole) == text.size()) {
        return true;
    }
    return text == "true" || text == "false" || text == "null" || text == "NaN" || text == "Infinity" ||
           text == "-Infinity";
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    bool whole = false;
    if (text.empty() || numberLength(text, whole) != text.size()) {
        return std::nullopt;
    }
    if (whole) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} ? std::optional(value) : std::nullopt;
    }
    const double value = valueOf(text);
    constexpr double exact = 9007199254740992.0; // 2^53: above, a double no longer tells whole numbers apart
    if (!(std::abs(value) <= exact) || value != std::floor(value)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(value);
}

std::size_t pythonWordLength(std::string_view text) {
    bool whole = false;
    if (numberLength(text, whole) != text.size()) {
        return text.size(); // a word: dumped as it is
    }
    if (whole) {
        return text == "-0" ? 1 : text.size();
    }
    return reprLength(valueOf(text));
}

} // namespace loadline
