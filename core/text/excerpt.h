// The beginning of a text, for sentences and labels.
#pragma once

#include <cstddef>
#include <string>

namespace loadline {

/// Length of a title or a prompt quoted in a sentence: short, so that a line that is cut at its end still
/// shows the figures.
inline constexpr std::size_t quotedCharacters = 32;

/// The first `characters` code points of valid UTF-8, and "…" where more follow.
std::string excerpt(const std::string& text, std::size_t characters);

} // namespace loadline
