// Text of strangers, with what cannot be seen made visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

/// True if a reader or a terminal takes the character for more than itself: controls (C0, DEL, C1), marks
/// that turn the direction of text, line and paragraph separators, invisible formatting and noncharacters.
bool isHidden(std::uint32_t codePoint);

/// The text on one line of valid UTF-8, in time and length bounded by `limit` code points; "…" where more
/// followed. What is hidden stands as an escape: "\n", "\t", "\x1b", "\u202e", "\U000e0041"; bytes that are
/// no UTF-8 as "\xff". Everything else, backslashes too, stays as it is: for reading, not for reading back.
std::string visibleText(std::string_view text, std::size_t limit = SIZE_MAX);

/// Returns visibleText() with line ends ("\n") and tabs kept: for text of several lines.
std::string visibleLines(std::string_view text, std::size_t limit = SIZE_MAX);

} // namespace loadline
