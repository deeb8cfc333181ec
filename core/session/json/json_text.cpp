#include "core/session/json/json_text.h"

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

struct Escape {
    std::uint32_t character = replacement; ///< may be a lone surrogate
    std::size_t length = 2;                ///< bytes of the escaped form
};

/// The escape at the start of text, which begins with a backslash.
Escape escapeAt(std::string_view text) {
    const char c = text.size() > 1 ? text[1] : '\0';
    switch (c) {
    case 'n':
        return {'\n', 2};
    case 't':
        return {'\t', 2};
    case 'r':
        return {'\r', 2};
    case 'b':
        return {'\b', 2};
    case 'f':
        return {'\f', 2};
    case '"':
    case '\\':
    case '/':
        return {static_cast<unsigned char>(c), 2};
    default:
        break;
    }
    const std::optional<std::uint32_t> unit = unitOf(text);
    if (!unit) {
        return {replacement, text.size() > 1 ? std::size_t{2} : std::size_t{1}};
    }
    if (isHighSurrogate(*unit)) {
        const std::optional<std::uint32_t> low = unitOf(text.substr(6));
        if (low && isLowSurrogate(*low)) {
            return {0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), 12};
        }
    }
    return {*unit, 6};
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

/// Characters of json.dumps for one character.
std::size_t dumpedLength(std::uint32_t c, DumpStyle style) {
    if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f') {
        return 2;
    }
    if (c < 0x20) {
        return 6;
    }
    if (style == DumpStyle::Unicode || c < 0x7F) {
        return 1;
    }
    return c < 0x10000 ? 6 : 12;
}

/// Characters of json.dumps for text that holds no escapes and nothing that needs one but non-ASCII.
std::size_t plainLength(std::string_view text, DumpStyle style) {
    std::size_t length = 0;
    for (const char signedByte : text) {
        const auto byte = static_cast<unsigned char>(signedByte);
        if (byte < 0x7F) {
            ++length;
        } else if ((byte & 0xC0) != 0x80) {
            length += style == DumpStyle::Unicode ? 1 : byte < 0xF0 ? 6 : 12;
        }
    }
    return length;
}

std::size_t plainCodePoints(std::string_view text) {
    std::size_t count = 0;
    for (const char byte : text) {
        count += static_cast<signed char>(byte) > -65 ? 1 : 0; // not a continuation byte 10xxxxxx
    }
    return count;
}

/// Cuts text at its escapes: plain(text) for what lies between, escape(Escape) for each.
template <typename Plain, typename OnEscape>
void forEachPart(std::string_view text, Plain plain, OnEscape onEscape) {
    while (true) {
        const std::size_t backslash = text.find('\\');
        plain(text.substr(0, backslash));
        if (backslash == std::string_view::npos) {
            return;
        }
        text.remove_prefix(backslash);
        const Escape escape = escapeAt(text);
        if (!onEscape(escape)) {
            return;
        }
        text.remove_prefix(escape.length);
    }
}

} // namespace

std::size_t codePointsOf(std::string_view escaped) {
    std::size_t count = 0;
    forEachPart(
        escaped, [&](std::string_view plain) { count += plainCodePoints(plain); },
        [&](Escape) {
            ++count;
            return true;
        });
    return count;
}

void appendUnescaped(std::string_view escaped, std::string& out, std::size_t limit) {
    const std::size_t stop = limit > SIZE_MAX - out.size() ? SIZE_MAX : out.size() + limit;
    forEachPart(
        escaped,
        [&](std::string_view plain) {
            std::size_t length = plain.size();
            if (out.size() + length > stop) {
                length = stop > out.size() ? stop - out.size() : 0;
                while (length < plain.size() && (static_cast<unsigned char>(plain[length]) & 0xC0) == 0x80) {
                    ++length;
                }
            }
            out.append(plain.substr(0, length));
        },
        [&](Escape escape) {
            if (out.size() >= stop) {
                return false;
            }
            appendUtf8(escape.character, out);
            return true;
        });
}

std::size_t dumpedStringLength(std::string_view escaped, DumpStyle style) {
    std::size_t length = 2;
    forEachPart(
        escaped, [&](std::string_view plain) { length += plainLength(plain, style); },
        [&](Escape escape) {
            length += dumpedLength(escape.character, style);
            return true;
        });
    return length;
}

} // namespace loadline
