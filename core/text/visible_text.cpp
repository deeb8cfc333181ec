// Escapes for what cannot be seen.
#include "core/text/visible_text.h"

#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace loadline {
namespace {

/// First and last of each range.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 12> hiddenRanges{{
    {0x00, 0x1F},       // C0
    {0x7F, 0x9F},       // DEL, C1
    {0x061C, 0x061C},   // Arabic letter mark
    {0x180E, 0x180E},   // Mongolian vowel separator
    {0x200B, 0x200B},   // zero width space; the joiners behind it belong to scripts and emoji
    {0x200E, 0x200F},   // left-to-right and right-to-left marks
    {0x2028, 0x202E},   // separators, embeddings, overrides
    {0x2060, 0x206F},   // word joiner, invisible operators, isolates
    {0xFDD0, 0xFDEF},   // noncharacters
    {0xFEFF, 0xFEFF},   // byte order mark
    {0xFFF9, 0xFFFB},   // interlinear annotation
    {0xE0000, 0xE0FFF}, // tags
}};

std::string escapeOf(std::uint32_t codePoint) {
    switch (codePoint) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    if (codePoint < 0x80) {
        return fmt::format("\\x{:02x}", codePoint);
    }
    return codePoint < 0x10000 ? fmt::format("\\u{:04x}", codePoint) : fmt::format("\\U{:08x}", codePoint);
}

/// One character or invalid part, as it is to be shown.
std::string shownOf(std::string_view bytes, bool valid, std::string_view kept) {
    if (!valid) {
        std::string shown;
        for (const char c : bytes) {
            fmt::format_to(std::back_inserter(shown), "\\x{:02x}", static_cast<unsigned char>(c));
        }
        return shown;
    }
    const std::uint32_t codePoint = codePointOf(bytes);
    const bool keep = bytes.size() == 1 && kept.find(bytes.front()) != std::string_view::npos;
    return !keep && isHidden(codePoint) ? escapeOf(codePoint) : std::string(bytes);
}

bool isPlain(char c) {
    return c >= 0x20 && c < 0x7F;
}

std::string visible(std::string_view text, std::size_t limit, std::string_view kept) {
    std::string result;
    result.reserve(std::min(text.size(), limit));
    for (std::size_t count = 0; !text.empty();) {
        const auto end = std::find_if_not(
            text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), limit - count)),
            isPlain);
        if (const auto plain = static_cast<std::size_t>(end - text.begin()); plain > 0) {
            result += text.substr(0, plain);
            count += plain;
            text.remove_prefix(plain);
            continue;
        }
        const Utf8Sequence sequence = utf8SequenceAt(text);
        const std::size_t length = std::min(sequence.length, text.size());
        const std::string shown = shownOf(text.substr(0, length), sequence.valid, kept);
        // An escape is of ASCII: as many characters as bytes. What stands for itself is one.
        const std::size_t characters = shown.size() == length && sequence.valid ? 1 : shown.size();
        if (characters > limit - count) {
            return result + "…";
        }
        result += shown;
        count += characters;
        text.remove_prefix(length);
    }
    return result;
}

} // namespace

bool isHidden(std::uint32_t codePoint) {
    const bool noncharacter = (codePoint & 0xFFFE) == 0xFFFE;
    return noncharacter || std::any_of(hiddenRanges.begin(), hiddenRanges.end(), [&](const auto& range) {
               return codePoint >= range.first && codePoint <= range.second;
           });
}

std::string visibleText(std::string_view text, std::size_t limit) {
    return visible(text, limit, "");
}

std::string visibleLines(std::string_view text, std::size_t limit) {
    return visible(text, limit, "\n\t");
}

} // namespace loadline
