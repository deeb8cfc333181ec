// The first words of a prompt, on one line.
#pragma once

#include "core/session/json/json_value.h"

#include <string>
#include <string_view>

namespace loadline::facts {

inline constexpr std::size_t previewCharacters = 120;

/// The first characters of a JSON string (some thousand bytes), leading white space dropped.
std::string beginningOf(JsonValue text);

/// One line of at most previewCharacters code points: white space runs become one space, control characters
/// go, what is cut ends in an ellipsis.
std::string previewOf(std::string_view text);

} // namespace loadline::facts
