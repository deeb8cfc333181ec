// One value of an answer, with how sure it is and the form it is shown in.
#pragma once

#include "core/base/time.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace loadline::ask {

/// units * 10^-digits, exactly: money.
struct Decimal {
    std::int64_t units = 0;
    int digits = 0;
    bool operator==(const Decimal&) const = default;
};

/// From one number to another; an end that is not bounded is infinite, and null in JSON: [low, null].
struct Interval {
    double low = 0, high = 0;
    bool operator==(const Interval&) const = default;
};

/// monostate: not known, or there is none.
using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, Decimal, Interval,
                           TimeMs, std::string>;

/// The origin of a value, and whether it is a bound.
enum class Basis : std::uint8_t { Exact, AtLeast, Estimated, Measured, Published, Modelled };

/// A value and its basis. What is no number (NaN) and no time (unknownTime) is no value.
struct Cell {
    Value value;
    Basis basis = Basis::Exact;

    Cell() = default;
    // NOLINTBEGIN(google-explicit-constructor): whatever is shown in a cell is a cell
    Cell(std::nullptr_t) {}

    template <typename T>
        requires std::same_as<T, bool>
    Cell(T truth) : value(truth) {}

    template <std::signed_integral T>
    Cell(T number) : value(static_cast<std::int64_t>(number)) {}

    template <std::unsigned_integral T>
        requires(!std::same_as<T, bool>)
    Cell(T number) : value(static_cast<std::uint64_t>(number)) {}

    template <std::floating_point T>
    Cell(T number) {
        if (!std::isnan(number)) {
            value = static_cast<double>(number);
        }
    }

    Cell(Decimal money) : value(money) {}

    Cell(Interval ends) : value(ends) {}

    Cell(TimeMs time) {
        if (isKnown(time)) {
            value = time;
        }
    }

    Cell(std::string text) : value(std::move(text)) {}

    Cell(std::string_view text) : value(std::string(text)) {}

    Cell(const char* text) : value(std::string(text)) {}

    template <typename T>
    Cell(const std::optional<T>& held) {
        if (held) {
            value = Cell(*held).value;
        }
    }
    // NOLINTEND(google-explicit-constructor)

    explicit Cell(Value held, Basis of = Basis::Exact) : value(std::move(held)), basis(of) {}

    [[nodiscard]] bool isEmpty() const { return std::holds_alternative<std::monostate>(value); }

    bool operator==(const Cell&) const = default;
};

/// The same with a basis.
inline Cell on(Basis basis, Cell cell) {
    cell.basis = basis;
    return cell;
}

/// How people read a value; programs read the plain number or text. Units of the value itself are in
/// brackets.
enum class Form : std::uint8_t {
    Plain,     ///< as it is: numbers with four digits
    Whole,     ///< counted one by one: "29 856 681"
    Tokens,    ///< "1.2 M"
    Bytes,     ///< "2.01 GB" [bytes]
    Gigabytes, ///< the same [1e9 bytes]
    Seconds,   ///< "850 µs", "4 min 10 s" [s]
    Micros,    ///< the same [µs]
    Share,     ///< "98.2 %" [1]
    Ratio,     ///< "19.0": how many times as much [1]
    Usd,       ///< "$12.34" [dollars]
    PerSecond, ///< "345": per second, as Plain [1/s]
    Time,      ///< an instant, on the clock shown
    Text
};

/// The number that a value is; nothing of texts, of intervals and where there is none. Times in ms, truth as
/// 0 or 1.
std::optional<double> numberOf(const Value& value);

/// The value for programs, as CSV and options write it: "8192", "2.5", "true", "2026-01-20T04:11:56.547Z"; ""
/// where there is none. Reals in the shortest form that reads back equal.
std::string plainText(const Value& value);

/// The cell for people: "1.2 M", "≥ 98.2 %", "–" where there is none.
std::string wordsOf(const Cell& cell, Form form);

} // namespace loadline::ask
