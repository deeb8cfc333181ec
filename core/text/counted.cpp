// Numbers of things in sentences.
#include "core/text/counted.h"

#include "core/text/number_format.h"

#include <algorithm>
#include <string_view>

namespace loadline {

std::string counted(std::uint64_t n, const char* one) {
    return formatExact(static_cast<std::int64_t>(n)) + ' ' + one + (n == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> things) {
    std::string list;
    for (std::size_t i = 0; i < things.size(); ++i) {
        list += (i == 0 ? "" : i + 1 == things.size() ? " and " : ", ") + things[i];
    }
    return list;
}

std::string asSentence(std::string words) {
    const std::size_t letters = std::min(words.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), words.size());
    if (letters > 1 && (letters == words.size() ||
                        std::string_view(" ,:;.").find(words[letters]) != std::string_view::npos)) {
        words.front() = static_cast<char>(words.front() - 'a' + 'A');
    }
    return words.ends_with('.') ? words : words + '.';
}

} // namespace loadline
