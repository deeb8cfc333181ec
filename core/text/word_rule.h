// Rules of words: "a b | c" is a and b, or c.
#pragma once

#include <algorithm>
#include <string_view>

namespace loadline {

/// Cuts the next piece up to `end` off `text`.
inline std::string_view cutUpTo(std::string_view& text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view piece = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return piece;
}

/// True if `has` is true of all words of an alternative; never of an empty one.
template <typename Has>
bool fits(std::string_view rule, const Has& has) {
    while (!rule.empty()) {
        std::string_view words = cutUpTo(rule, '|');
        bool any = false;
        bool all = true;
        while (all && !words.empty()) {
            const std::string_view word = cutUpTo(words, ' ');
            any = any || !word.empty();
            all = word.empty() || has(word);
        }
        if (any && all) {
            return true;
        }
    }
    return false;
}

} // namespace loadline
