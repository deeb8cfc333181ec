// Numbers and words of JSON as Python's json module takes them: which are legal, their value, their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline {

/// A legal number, true, false, null, NaN, Infinity or -Infinity.
bool isJsonWord(std::string_view text);

/// A whole number that fits: "12", "12.0" and "1.2e1" are; "1.5", "1e400" and "NaN" are not.
std::optional<std::int64_t> wholeNumber(std::string_view text);

/// Characters that Python's json.dumps(json.loads(text)) has for a legal word: 1e2 gives "100.0", so 5.
std::size_t pythonWordLength(std::string_view text);

} // namespace loadline
