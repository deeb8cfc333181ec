#include "core/session/facts/preview.h"

#include <algorithm>

namespace loadline::facts {
namespace {

constexpr std::size_t beginningBytes = 4096;

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

/// The first character of valid UTF-8.
Character characterAt(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t code = lead & (bytes == 1 ? 0x7F : bytes == 2 ? 0x1F : bytes == 3 ? 0x0F : 0x07);
    for (std::size_t i = 1; i < bytes && i < text.size(); ++i) {
        code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
    }
    return {code, std::min(bytes, text.size())};
}

/// White space as Python's str.strip() takes it.
bool isSpace(char32_t c) {
    return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

void dropLeadingSpace(std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const Character c = characterAt(std::string_view(text).substr(at));
        if (!isSpace(c.code)) {
            break;
        }
        at += c.bytes;
    }
    text.erase(0, at);
}

} // namespace

std::string beginningOf(JsonValue text) {
    std::string beginning;
    // Leading white space may be longer than what is read at first.
    for (std::size_t limit = beginningBytes;; limit *= 4) {
        beginning.clear();
        appendUnescaped(text.escaped(), beginning, limit);
        const bool all = beginning.size() < limit;
        dropLeadingSpace(beginning);
        if (all || !beginning.empty()) {
            return beginning;
        }
    }
}

std::string previewOf(std::string_view text) {
    std::string line;
    std::size_t characters = 0;
    std::size_t cutAt = 0; // where the last character that fits before an ellipsis begins
    bool space = false;
    while (!text.empty()) {
        const Character c = characterAt(text);
        const std::string_view bytes = text.substr(0, c.bytes);
        text.remove_prefix(c.bytes);
        if (isSpace(c.code)) {
            space = !line.empty();
            continue;
        }
        if (c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0)) {
            continue;
        }
        const std::size_t more = space ? 2 : 1;
        if (characters + more > previewCharacters) {
            line.resize(characters == previewCharacters ? cutAt : line.size());
            return line + "…";
        }
        if (space) {
            line += ' ';
            ++characters;
            space = false;
        }
        cutAt = line.size();
        line += bytes;
        ++characters;
    }
    return line;
}

} // namespace loadline::facts
