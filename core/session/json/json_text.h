// Escaped JSON strings: their characters and their length, without undoing escapes where only a length is
// asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

/// Length in Unicode code points of the string that `escaped` (its inside, without quotes) stands for. A
/// surrogate pair is one, a lone surrogate is one: Python's len(json.loads(...)).
std::size_t codePointsOf(std::string_view escaped);

/// Appends the characters as UTF-8; lone surrogates and broken escapes become U+FFFD. Stops after at least
/// `limit` bytes.
void appendUnescaped(std::string_view escaped, std::string& out, std::size_t limit = SIZE_MAX);

/// How Python's json.dumps writes characters outside ASCII.
enum class DumpStyle : std::uint8_t {
    Ascii,   ///< the default: \uXXXX for each UTF-16 code unit
    Unicode, ///< ensure_ascii=False: as they are
};

/// Length in code points of json.dumps(string), quotes included.
std::size_t dumpedStringLength(std::string_view escaped, DumpStyle style);

} // namespace loadline
