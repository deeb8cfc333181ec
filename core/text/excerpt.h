// The beginning of a text, for sentences and labels.
#pragma once

#include <cstddef>
#include <string>

namespace loadline {

/// Of a title or a prompt quoted in a sentence: what may be cut at the end of a line is not the figures.
inline constexpr std::size_t quotedCharacters = 32;

/// The first `characters` code points of valid UTF-8, and "…" where more follow.
std::string excerpt(const std::string& text, std::size_t characters);

} // namespace loadline
