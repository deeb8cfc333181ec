// Escaped JSON strings: their characters, and their lengths without undoing the escapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

/// Which length of a string is asked for.
enum class LengthOf : std::uint8_t {
    Text,        ///< the string itself: Python's len(json.loads(...)); a lone surrogate is one character
    AsciiDump,   ///< json.dumps of it, quotes included: \uXXXX for each UTF-16 code unit outside ASCII
    UnicodeDump, ///< json.dumps(..., ensure_ascii=False), quotes included
};

/// A length in Unicode code points of the string whose inside, without quotes, is `escaped` (valid UTF-8).
std::size_t lengthOf(std::string_view escaped, LengthOf what);

/// Length of the string itself in Unicode code points.
inline std::size_t codePointsOf(std::string_view escaped) {
    return lengthOf(escaped, LengthOf::Text);
}

/// Offset of the first backslash that begins no legal escape; npos when there is none.
std::size_t brokenEscapeIn(std::string_view escaped);

/// Appends the characters as UTF-8; lone surrogates and broken escapes become U+FFFD. Stops after at least
/// `limit` bytes.
void appendUnescaped(std::string_view escaped, std::string& out, std::size_t limit = SIZE_MAX);

} // namespace loadline
