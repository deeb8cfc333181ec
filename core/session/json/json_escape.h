// One escape of a JSON string: the character it stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

struct JsonEscape {
    std::uint32_t character = 0xFFFD; ///< may be a lone surrogate; U+FFFD for an illegal escape
    std::size_t length = 1;           ///< bytes of the escaped form; of an illegal one only the backslash
    bool legal = false;
};

/// The escape at the start of text, which begins with a backslash. A surrogate pair is one escape.
JsonEscape escapeAt(std::string_view text);

/// Appends a character; a lone surrogate as U+FFFD.
void appendUtf8(std::uint32_t character, std::string& out);

} // namespace loadline
