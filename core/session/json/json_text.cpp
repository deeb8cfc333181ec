#include "core/session/json/json_text.h"

#include "core/session/json/json_escape.h"
#include "core/session/json/string_scan.h"

#include <algorithm>

namespace loadline {
namespace {

/// Characters of json.dumps for one character.
std::size_t dumpedCharacter(std::uint32_t c, LengthOf what) {
    switch (c) {
    case '"':
    case '\\':
    case '\n':
    case '\r':
    case '\t':
    case '\b':
    case '\f':
        return 2;
    default:
        break;
    }
    if (c < 0x20) {
        return 6;
    }
    if (what == LengthOf::UnicodeDump || c < 0x7F) {
        return 1;
    }
    return c < 0x10000 ? 6 : 12;
}

} // namespace

std::size_t lengthOf(std::string_view escaped, LengthOf what) {
    const bool text = what == LengthOf::Text;
    StringScan scan(escaped,
                    text ? StringScan::Plain::AllButUnicode : StringScan::Plain::AllButUnicodeAndSlash,
                    what == LengthOf::AsciiDump);
    std::int64_t corrections = 0; // of escapes that differ from what the scan counts for them
    std::size_t next = 0;         // the second half of a surrogate pair belongs to the escape before it
    while (scan.next()) {
        for (std::size_t i = 0; i < scan.specialCount(); ++i) {
            const std::size_t at = scan.special(i);
            if (at < next) {
                corrections += text ? 1 : 0;
                continue;
            }
            const JsonEscape escape = escapeAt(escaped.substr(at));
            next = at + escape.length;
            const std::size_t length = text ? 1 : dumpedCharacter(escape.character, what);
            corrections +=
                static_cast<std::int64_t>(length) - static_cast<std::int64_t>(escape.length) + (text ? 1 : 0);
        }
    }
    // An escape of two bytes is one character of the text, and two characters of a dump.
    const StringCounts& counts = scan.counts();
    const auto plain = static_cast<std::int64_t>(
        text ? counts.characters - counts.escapes
             : 2 + counts.characters + 5 * (counts.wide + counts.fourBytes) + counts.fourBytes);
    return static_cast<std::size_t>(plain + corrections);
}

std::size_t brokenEscapeIn(std::string_view escaped) {
    StringScan scan(escaped, StringScan::Plain::AllButUnicode, false);
    while (scan.next()) {
        for (std::size_t i = 0; i < scan.specialCount(); ++i) {
            if (!escapeAt(escaped.substr(scan.special(i))).legal) {
                return scan.special(i);
            }
        }
    }
    return std::string_view::npos;
}

void appendUnescaped(std::string_view escaped, std::string& out, std::size_t limit) {
    const std::size_t stop = limit > SIZE_MAX - out.size() ? SIZE_MAX : out.size() + limit;
    while (out.size() < stop) {
        const std::size_t plain = std::min(escaped.find('\\'), escaped.size());
        std::size_t length = std::min(plain, stop - out.size());
        while (length < plain && (static_cast<unsigned char>(escaped[length]) & 0xC0) == 0x80) {
            ++length; // never cut inside a character
        }
        out.append(escaped.substr(0, length));
        if (length < plain || plain == escaped.size()) {
            return;
        }
        escaped.remove_prefix(plain);
        const JsonEscape escape = escapeAt(escaped);
        appendUtf8(escape.character, out);
        escaped.remove_prefix(escape.length);
    }
}

} // namespace loadline
