// The beginning of a text, for sentences and labels.
#pragma once

#include <cstddef>
#include <string>

namespace loadline {

/// The first `characters` code points of valid UTF-8, and "…" where more follow.
std::string excerpt(const std::string& text, std::size_t characters);

} // namespace loadline
