// The mutations, and where in a text they happen.
#include "tests/fuzz/driver/mutator.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace loadline::fuzz {
namespace {

constexpr std::size_t mostWords = 4096;
constexpr std::size_t mostWordBytes = 40;
constexpr std::size_t mostNested = 20'000;

constexpr std::array numbers = {"0",
                                "-0",
                                "1",
                                "-1",
                                "2",
                                "3",
                                "7",
                                "16",
                                "127",
                                "255",
                                "256",
                                "4096",
                                "65535",
                                "65536",
                                "1e9",
                                "2147483647",
                                "2147483648",
                                "4294967295",
                                "4294967296",
                                "1073741824",
                                "-2147483649",
                                "1e15",
                                "9007199254740993",
                                "9223372036854775807",
                                "9223372036854775808",
                                "-9223372036854775808",
                                "18446744073709551615",
                                "18446744073709551616",
                                "0.5",
                                "1e-9",
                                "-0.0",
                                "1e308",
                                "-1e308",
                                "1e309",
                                "4.9e-324",
                                "1e-400",
                                "NaN",
                                "Infinity",
                                "-Infinity",
                                "nan",
                                "inf",
                                "0x10",
                                "01",
                                "+1",
                                "1.",
                                ".5",
                                " 1 ",
                                "1,5",
                                "1_000",
                                "12345678901234567890123456789012345678901234567890"};

constexpr std::array words = {"{",
                              "}",
                              "[",
                              "]",
                              ":",
                              ",",
                              "\"",
                              "\\",
                              "null",
                              "true",
                              "false",
                              "{}",
                              "[]",
                              "\"\"",
                              "\n",
                              "\r\n",
                              "\r",
                              " ",
                              "\t",
                              "#",
                              "- ",
                              "'",
                              "=",
                              ";",
                              "--",
                              "\\u00",
                              "\\ud800",
                              "\\n",
                              "\f",
                              "\xef\xbb\xbf",
                              "\xff",
                              "\xc3",
                              "\xe2\x80\xae",
                              "\xf0\x9f\x98\x80",
                              "",
                              "\"a\":",
                              ",,",
                              "//",
                              "|",
                              "&&",
                              "K",
                              "%",
                              "<b>",
                              "../",
                              "${x}",
                              "+00:00"};

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// The end of a JSON value that starts here, or of what looks like one.
std::size_t endOfValue(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted) {
            at += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            ++depth;
            continue;
        } else if (c == '}' || c == ']') {
            if (depth == 0) {
                return at;
            }
            --depth;
        } else if (depth == 0 && (c == ',' || c == ':' || c == '\n')) {
            return at;
        }
        if (depth == 0 && !quoted && (c == '"' || c == '}' || c == ']')) {
            return at + 1;
        }
    }
    return text.size();
}

} // namespace

void Mutator::learn(std::string_view seed) {
    for (std::size_t at = 0; at < seed.size() && words_.size() < mostWords;) {
        std::size_t end = at;
        while (end < seed.size() && isWordCharacter(seed[end])) {
            ++end;
        }
        const std::string_view found = seed.substr(at, end - at);
        const bool isName = found.size() > 1 && found.size() <= mostWordBytes && !isDigit(found.front());
        if (isName && std::ranges::find(words_, found) == words_.end()) {
            words_.emplace_back(found);
        }
        at = end + 1;
    }
}

std::string Mutator::mutated(const std::string& input, const std::string& other) {
    std::string text = input;
    for (std::size_t left = 1 + below(1U << below(4)); left > 0; --left) {
        mutateOnce(text, other);
    }
    text.resize(std::min(text.size(), mostBytes_));
    return text;
}

void Mutator::mutateOnce(std::string& text, const std::string& other) {
    switch (below(12)) {
    case 0:
    case 1:
        return changeByte(text);
    case 2:
    case 3:
        return changeNumber(text);
    case 4:
        return insertWord(text);
    case 5:
        return moveChunk(text, below(2) == 0 ? text : other);
    case 6:
        return eraseChunk(text);
    case 7:
        return changeLines(text, other);
    case 8:
    case 9:
    case 10:
        return changeValue(text, other);
    default:
        break;
    }
    if (below(16) == 0) {
        return nest(text);
    }
    if (below(8) == 0) {
        text.resize(text.empty() ? 0 : below(text.size()));
    }
}

void Mutator::changeByte(std::string& text) {
    if (text.empty()) {
        return insertWord(text);
    }
    char& byte = text[below(text.size())];
    byte = below(2) == 0 ? static_cast<char>(byte ^ static_cast<char>(1U << below(8)))
                         : static_cast<char>(below(256));
}

void Mutator::changeNumber(std::string& text) {
    const std::size_t start = text.empty() ? 0 : below(text.size());
    const auto first = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(), isDigit);
    if (first == text.end()) {
        return insertWord(text);
    }
    const auto last = std::find_if_not(first, text.end(), [](char c) { return isDigit(c) || c == '.'; });
    std::string number = numbers.at(below(numbers.size()));
    if (below(3) == 0) {
        number = std::string(first, last) + std::to_string(below(10)); // ten times as much
    } else if (below(3) == 0) {
        number = std::to_string(below(std::size_t{1} << below(32)));
    }
    text.replace(first, last, number);
}

const std::string& Mutator::word() {
    static const std::vector<std::string> known(words.begin(), words.end());
    const bool learnt = !words_.empty() && below(2) == 0;
    return learnt ? words_[below(words_.size())] : known[below(known.size())];
}

void Mutator::insertWord(std::string& text) {
    text.insert(below(text.size() + 1), below(4) == 0 ? numbers.at(below(numbers.size())) : word());
}

Mutator::Span Mutator::chunkOf(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const std::size_t begin = below(text.size());
    const std::size_t longest = std::min(text.size() - begin, std::size_t{1} << below(12));
    return {begin, 1 + below(longest)};
}

void Mutator::moveChunk(std::string& text, const std::string& from) {
    const Span chunk = chunkOf(from);
    const std::string copy = from.substr(chunk.begin, chunk.size);
    const std::size_t at = below(text.size() + 1);
    if (below(2) == 0) {
        text.insert(at, copy);
    } else {
        text.replace(at, std::min(copy.size(), text.size() - at), copy);
    }
}

void Mutator::eraseChunk(std::string& text) {
    const Span chunk = chunkOf(text);
    text.erase(chunk.begin, chunk.size);
}

Mutator::Span Mutator::lineOf(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const std::size_t inside = below(text.size());
    const std::size_t before = inside == 0 ? std::string_view::npos : text.rfind('\n', inside - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', inside), text.size() - 1);
    return {begin, end + 1 - begin};
}

void Mutator::changeLines(std::string& text, const std::string& other) {
    const Span line = lineOf(text);
    const Span theirs = lineOf(other);
    switch (below(4)) {
    case 0:
        text.erase(line.begin, line.size);
        break;
    case 1:
        text.insert(line.begin, text.substr(line.begin, line.size));
        break;
    case 2:
        text.insert(line.begin, other.substr(theirs.begin, theirs.size));
        break;
    default:
        text.replace(line.begin, line.size, other.substr(theirs.begin, theirs.size));
    }
}

Mutator::Span Mutator::valueOf(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const std::size_t found = text.find_first_of("{[\":,", below(text.size()));
    if (found == std::string_view::npos) {
        return {};
    }
    const std::size_t begin = found + (text[found] == ':' || text[found] == ',' ? 1 : 0);
    return {begin, endOfValue(text, begin) - begin};
}

void Mutator::changeValue(std::string& text, const std::string& other) {
    const Span value = valueOf(text);
    switch (below(6)) {
    case 0: { // with the comma behind it
        const bool comma = value.begin + value.size < text.size() && text[value.begin + value.size] == ',';
        text.erase(value.begin, value.size + (comma ? 1 : 0));
        break;
    }
    case 1:
        text.insert(value.begin, text.substr(value.begin, value.size) + ",");
        break;
    case 2: {
        const Span theirs = valueOf(other);
        text.replace(value.begin, value.size, other.substr(theirs.begin, theirs.size));
        break;
    }
    case 3: {
        const Span mine = valueOf(text);
        const std::string copy = text.substr(mine.begin, mine.size);
        text.replace(value.begin, value.size, copy);
        break;
    }
    case 4:
        text.replace(value.begin, value.size, numbers.at(below(numbers.size())));
        break;
    default:
        text.replace(value.begin, value.size, "\"" + word() + "\"");
    }
}

void Mutator::nest(std::string& text) {
    constexpr std::array<std::pair<const char*, const char*>, 5> pairs = {
        {{"[", "]"}, {"{\"a\":", "}"}, {"(", ")"}, {"a,", ""}, {"\"\"", ""}}};
    const auto& [open, close] = pairs.at(below(pairs.size()));
    const Span value = valueOf(text);
    const std::size_t depth = 1 + below(mostNested);
    std::string nested;
    for (std::size_t i = 0; i < depth; ++i) {
        nested += open;
    }
    nested += text.substr(value.begin, value.size);
    for (std::size_t i = 0; i < depth; ++i) {
        nested += close;
    }
    text.replace(value.begin, value.size, nested);
}

} // namespace loadline::fuzz
