// Any text as indented JSON for reading, also when it is broken or huge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadline {

struct JsonPrettyOptions {
    std::size_t maxStringCharacters = 400; ///< longer strings are shortened, the number left out is said
    std::size_t maxOutputBytes =
        64 * 1024; ///< output ends at the last whole line below it; what is broken is cut within a line
    int indent = 2;
    bool operator==(const JsonPrettyOptions&) const = default;
};

struct JsonPretty {
    std::string text; ///< valid UTF-8, lines ended by "\n"; what is hidden stands as an escape
    std::uint64_t shortenedStrings = 0;
    std::uint64_t bytesLeftOut = 0; ///< of the input, behind the cap
    bool broken = false;            ///< did not parse; from the first broken byte on the text stands as it is
    bool operator==(const JsonPretty&) const = default;
};

/// Numbers, names and escapes stand as in the input; nothing is reordered. Never fails, linear in time.
JsonPretty prettyJson(std::string_view json, const JsonPrettyOptions& options = {});

} // namespace loadline
