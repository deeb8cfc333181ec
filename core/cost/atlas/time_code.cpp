// Codes of times.
#include "core/cost/atlas/time_code.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace loadline {
namespace {

constexpr std::int32_t zeroCode = 1;
constexpr std::int32_t firstCode = 2;
constexpr std::int32_t leastDigits = 10'000; // of five significant digits
constexpr std::int32_t codesPerDecade = 90'000;
constexpr int leastExponent = -10; // of ten, behind the five digits
constexpr int mostExponent = 8;
static_assert(mostTimeCode == firstCode + (mostExponent - leastExponent + 1) * codesPerDecade - 1);

// Powers that a double holds exactly: one division or product of exact operands is rounded once.
constexpr std::array<double, 11> powersOfTen{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};

} // namespace

std::int32_t timeCodeOf(double us) {
    if (std::isnan(us) || std::isinf(us)) {
        return 0;
    }
    // "1.2345e-06": correctly rounded by the formatter.
    std::array<char, 32> text{};
    const auto end = fmt::format_to_n(text.data(), text.size(), "{:.4e}", std::fabs(us));
    const std::string_view written(text.data(), end.size);
    std::int32_t digits = written[0] - '0';
    for (std::size_t i = 2; i < 6; ++i) {
        digits = digits * 10 + (written[i] - '0');
    }
    int exponent = 0;
    const std::size_t sign = written.find('e') + 1;
    const std::size_t first = written[sign] == '+' ? sign + 1 : sign;
    std::from_chars(written.data() + first, written.data() + written.size(), exponent);
    exponent -= 4;
    if (digits == 0 || exponent < leastExponent) {
        return zeroCode;
    }
    if (exponent > mostExponent) {
        return 0;
    }
    const std::int32_t code = firstCode + (exponent - leastExponent) * codesPerDecade + digits - leastDigits;
    return us < 0 ? -code : code;
}

std::optional<double> timeOfCode(std::int64_t code) {
    if (code == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (code == zeroCode) {
        return 0.0;
    }
    const std::int64_t magnitude = code < 0 ? -code : code;
    if (magnitude < firstCode || magnitude > mostTimeCode) {
        return std::nullopt;
    }
    const auto behind = static_cast<std::int32_t>(magnitude) - firstCode;
    const double digits = behind % codesPerDecade + leastDigits;
    const int exponent = behind / codesPerDecade + leastExponent;
    const double us = exponent < 0 ? digits / powersOfTen.at(static_cast<std::size_t>(-exponent))
                                   : digits * powersOfTen.at(static_cast<std::size_t>(exponent));
    return code < 0 ? -us : us;
}

} // namespace loadline
