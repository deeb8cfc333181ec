#include "core/session/json/json_escape.h"

#include <optional>

namespace loadline {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

std::uint32_t hexDigit(char c) {
    if (c >= '0' && c <= '9') {
        return static_cast<std::uint32_t>(c - '0');
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? static_cast<std::uint32_t>(lower - 'a' + 10) : 0x10000;
}

/// The code unit of "\uXXXX" at the start of text.
std::optional<std::uint32_t> unitOf(std::string_view text) {
    if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') {
        return std::nullopt;
    }
    std::uint32_t unit = 0;
    for (std::size_t i = 2; i < 6; ++i) {
        unit = unit * 16 + hexDigit(text[i]);
        if (unit > 0xFFFF) {
            return std::nullopt;
        }
    }
    return unit;
}

bool isHighSurrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

bool isLowSurrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

} // namespace

JsonEscape escapeAt(std::string_view text) {
    const char c = text.size() > 1 ? text[1] : '\0';
    switch (c) {
    case 'n':
        return {'\n', 2, true};
    case 't':
        return {'\t', 2, true};
    case 'r':
        return {'\r', 2, true};
    case 'b':
        return {'\b', 2, true};
    case 'f':
        return {'\f', 2, true};
    case '"':
    case '\\':
    case '/':
        return {static_cast<unsigned char>(c), 2, true};
    default:
        break;
    }
    const std::optional<std::uint32_t> unit = unitOf(text);
    if (!unit) {
        return {};
    }
    if (isHighSurrogate(*unit)) {
        const std::optional<std::uint32_t> low = unitOf(text.substr(6));
        if (low && isLowSurrogate(*low)) {
            return {0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), 12, true};
        }
    }
    return {*unit, 6, true};
}

void appendUtf8(std::uint32_t c, std::string& out) {
    if (isHighSurrogate(c) || isLowSurrogate(c)) {
        c = replacement;
    }
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace loadline
