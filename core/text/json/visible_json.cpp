// Escapes for what JSON may hold raw, and a terminal obeys.
#include "core/text/json/visible_json.h"

#include "core/text/utf8.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace loadline {
namespace {

constexpr unsigned char lastAscii = 0x7E; // DEL is hidden, and what follows takes several bytes

void appendEscape(std::string& text, std::uint32_t codePoint) {
    constexpr std::uint32_t firstOfPairs = 0x10000;
    if (codePoint < firstOfPairs) {
        fmt::format_to(std::back_inserter(text), "\\u{:04x}", codePoint);
        return;
    }
    const std::uint32_t rest = codePoint - firstOfPairs;
    fmt::format_to(std::back_inserter(text), "\\u{:04x}\\u{:04x}", 0xD800U + (rest >> 10U),
                   0xDC00U + (rest & 0x3FFU));
}

} // namespace

std::string visibleJson(std::string_view json) {
    std::string result;
    result.reserve(json.size());
    while (!json.empty()) {
        const auto* const special = std::find_if(
            json.begin(), json.end(), [](char c) { return static_cast<unsigned char>(c) > lastAscii; });
        const auto plain = static_cast<std::size_t>(special - json.begin());
        result += json.substr(0, plain);
        json.remove_prefix(plain);
        if (json.empty()) {
            break;
        }
        const Utf8Sequence sequence = utf8SequenceAt(json);
        const std::string_view character = json.substr(0, std::min(sequence.length, json.size()));
        const std::uint32_t codePoint = sequence.valid ? codePointOf(character) : 0xFFFD;
        if (isHidden(codePoint)) {
            appendEscape(result, codePoint);
        } else {
            result += character;
        }
        json.remove_prefix(character.size());
    }
    return result;
}

} // namespace loadline
