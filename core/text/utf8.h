// The characters of UTF-8 text, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loadline {

/// Mark that some programs write before UTF-8 text; it is no part of the text.
inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

struct Utf8Sequence {
    std::size_t length = 1; ///< bytes that belong together: a character, or a maximal invalid subpart
    bool valid = false;
};

/// Returns the sequence that a text begins with (table 3-7 of the Unicode standard). Precondition: `text` is
/// not empty.
Utf8Sequence utf8SequenceAt(std::string_view text);

/// The code point that a whole valid sequence stands for.
std::uint32_t codePointOf(std::string_view sequence);

} // namespace loadline
