// A model's name as lists have room for it.
#pragma once

#include <string>
#include <string_view>

namespace loadline {

/// Returns the name without the maker's prefix and the date of its release: "opus-4-5" of
/// "claude-opus-4-5-20251101".
std::string shortModelName(std::string_view model);

} // namespace loadline
