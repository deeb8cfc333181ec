// Values as text.
#include "core/ask/cell.h"

#include "core/base/zone.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace loadline::ask {
namespace {

template <typename... F>
struct Each : F... {
    using F::operator()...;
};
template <typename... F>
Each(F...) -> Each<F...>; // clang 14 asks for it

std::string decimalText(const Decimal& money) {
    const auto digits = static_cast<std::size_t>(std::max(money.digits, 0));
    const bool negative = money.units < 0;
    std::string text = std::to_string(money.units).substr(negative ? 1 : 0);
    if (text.size() <= digits) {
        text.insert(0, digits + 1 - text.size(), '0');
    }
    if (digits > 0) {
        text.insert(text.size() - digits, ".");
    }
    return (negative ? "-" : "") + text;
}

std::string numberWords(double number, Form form) {
    constexpr double perS = 1e6;
    constexpr double bytesPerGB = 1e9;
    switch (form) {
    case Form::Whole:
        return std::abs(number) < static_cast<double>(std::numeric_limits<std::int64_t>::max())
                   ? formatExact(std::llround(number))
                   : formatReal(number);
    case Form::Tokens:
        return formatCount(number);
    case Form::Bytes:
        return number < 0 ? "-" + formatBytes(static_cast<std::uint64_t>(-number))
                          : formatBytes(static_cast<std::uint64_t>(number));
    case Form::Gigabytes:
        return numberWords(number * bytesPerGB, Form::Bytes);
    case Form::Seconds:
        return formatSeconds(number);
    case Form::Micros:
        return formatSeconds(number / perS);
    case Form::Share:
        return formatShare(number);
    case Form::Ratio:
        return formatRatio(number);
    case Form::Usd:
        return formatUsd(number);
    case Form::Plain:
    case Form::PerSecond:
    case Form::Time:
    case Form::Text:
        break;
    }
    return formatReal(number);
}

/// "" where documents hold null.
std::string finiteText(double number) {
    return std::isfinite(number) ? fmt::format("{}", number) : std::string();
}

} // namespace

std::optional<double> numberOf(const Value& value) {
    using Number = std::optional<double>;
    return std::visit(Each{[](std::monostate) { return Number(); },
                           [](const std::string&) { return Number(); },
                           [](const Interval&) { return Number(); },
                           [](const Decimal& money) {
                               return Number(static_cast<double>(money.units) / std::pow(10.0, money.digits));
                           },
                           [](TimeMs time) { return Number(static_cast<double>(time.ms)); },
                           [](auto number) { return Number(static_cast<double>(number)); }},
                      value);
}

std::string plainText(const Value& value) {
    return std::visit(
        Each{[](std::monostate) { return std::string(); },
             [](bool truth) { return std::string(truth ? "true" : "false"); },
             [](const std::string& text) { return text; },
             [](const Decimal& money) { return decimalText(money); },
             [](const Interval& ends) { return finiteText(ends.low) + ".." + finiteText(ends.high); },
             [](TimeMs time) { return formatIso8601(time); },
             [](double number) { return finiteText(number); },
             [](auto number) { return fmt::format("{}", number); }},
        value);
}

std::string wordsOf(const Cell& cell, Form form) {
    std::string text = std::visit(
        Each{[](std::monostate) { return std::string("–"); },
             [](bool truth) { return std::string(truth ? "yes" : "no"); },
             [](const std::string& held) { return held; },
             [](TimeMs time) { return formatIso8601(asShown(time)); },
             [form](const Interval& ends) {
                 return numberWords(ends.low, form) + " .. " + numberWords(ends.high, form);
             },
             [form](std::int64_t n) {
                 return form == Form::Plain ? formatExact(n) : numberWords(static_cast<double>(n), form);
             },
             [form](std::uint64_t n) {
                 return numberWords(static_cast<double>(n), form == Form::Plain ? Form::Whole : form);
             },
             [form](const Decimal& money) { return numberWords(*numberOf(Value(money)), form); },
             [form](double number) { return numberWords(number, form); }},
        cell.value);
    return cell.basis == Basis::AtLeast && !cell.isEmpty() ? "≥ " + text : text;
}

} // namespace loadline::ask
