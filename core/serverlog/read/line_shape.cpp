// Walks along a line: text, blanks, digits, text ...
#include "core/serverlog/read/line_shape.h"

#include "core/serverlog/read/digit_text.h"
#include "core/serverlog/read/text_cursor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t mostLineBytes = 1024; // of a line
constexpr std::size_t mostWide = 15;        // of blanks, of digits

std::uint8_t widthOf(std::size_t blanks, std::size_t digits) {
    return static_cast<std::uint8_t>(blanks << 4U | digits);
}

/// Ends of the digits of a line's numbers, and which of them are parts of one thing.
struct Digits {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool ofChain = false;
};

std::vector<Digits> digitsOf(std::string_view line) {
    std::vector<Digits> all;
    bool inWord = false;
    bool byLetter = false; // the word began
    for (std::size_t at = 0; at < line.size();) {
        if (!isDigit(line[at]) || (inWord && byLetter)) {
            byLetter = inWord ? byLetter : !isDigit(line[at]);
            inWord = isWordLetter(line[at]);
            ++at;
            continue;
        }
        const std::size_t end = std::min(line.find_first_not_of("0123456789", at), line.size());
        all.push_back({at, end});
        inWord = true;
        byLetter = false;
        at = end;
    }
    constexpr std::string_view signs = ".:/-,+";
    constexpr std::size_t fewest = 3;
    for (std::size_t first = 0; first < all.size();) {
        std::size_t next = first + 1;
        while (next < all.size() && all[next].begin == all[next - 1].end + 1 &&
               signs.find(line[all[next - 1].end]) != std::string_view::npos) {
            ++next;
        }
        for (std::size_t i = first; next - first >= fewest && i < next; ++i) {
            all[i].ofChain = true;
        }
        first = next;
    }
    return all;
}

} // namespace

void LineShape::addText(std::string_view text) {
    texts_ += text;
    anyDigit_.append(text.size(), '\0');
}

std::optional<LineShape> LineShape::of(std::string_view line, LineNumbers& numbers) {
    if (line.size() > mostLineBytes) {
        return std::nullopt;
    }
    LineShape shape;
    std::size_t at = 0;       // what is before it is of the shape
    std::size_t textFrom = 0; // in `texts_`
    numbers.points[0] = 0;
    numbers.widths = {};
    for (const Digits& digits : digitsOf(line)) {
        const std::size_t bytes = digits.end - digits.begin;
        if (digits.ofChain) {
            shape.addText(line.substr(at, digits.begin - at));
            shape.texts_.append(bytes, '0');
            shape.anyDigit_.append(bytes, anyDigitByte);
            at = digits.end;
            continue;
        }
        std::size_t textEnd = digits.begin;
        while (textEnd > at && line[textEnd - 1] == ' ') {
            --textEnd;
        }
        const std::size_t blanks = digits.begin - textEnd;
        const std::size_t number = shape.textBytes_.size();
        if (number == LineNumbers::most || blanks > mostWide || bytes > mostWide) {
            return std::nullopt;
        }
        shape.addText(line.substr(at, textEnd - at));
        shape.textBytes_.push_back(static_cast<std::uint16_t>(shape.texts_.size() - textFrom));
        numbers.widths[number] = widthOf(blanks, bytes);
        numbers.points[2 * number + 1] = static_cast<std::uint16_t>(digits.begin);
        numbers.points[2 * number + 2] = static_cast<std::uint16_t>(digits.end);
        textFrom = shape.texts_.size();
        at = digits.end;
    }
    shape.addText(line.substr(at));
    shape.tailBytes_ = shape.texts_.size() - textFrom;
    shape.admitted_.resize(mostAdmitted * shape.widthWords());
    shape.admit(numbers);
    return shape;
}

bool LineShape::fits(std::string_view line, LineNumbers& numbers) const {
    const char* text = texts_.data();
    const char* anyDigit = anyDigit_.data();
    const std::size_t tail = texts_.size() - tailBytes_;
    if (line.size() > mostLineBytes || line.size() < tailBytes_ ||
        !isDigitText(line.data() + line.size() - tailBytes_, text + tail, anyDigit + tail, tailBytes_)) {
        return false;
    }
    const char* at = line.data();
    const char* const end = at + line.size() - tailBytes_;
    std::uint16_t* point = numbers.points.data();
    std::uint8_t* width = numbers.widths.data();
    *point++ = 0;
    numbers.widths = {};
    for (const std::size_t bytes : textBytes_) {
        if (static_cast<std::size_t>(end - at) <= bytes || !isDigitText(at, text, anyDigit, bytes)) {
            return false;
        }
        at += bytes;
        text += bytes;
        anyDigit += bytes;
        const char* const textEnd = at;
        while (at != end && *at == ' ') {
            ++at;
        }
        const char* const digits = at;
        while (at != end && isDigit(*at)) {
            ++at;
        }
        const auto blanks = static_cast<std::size_t>(digits - textEnd);
        const auto figures = static_cast<std::size_t>(at - digits);
        if (blanks > mostWide || figures > mostWide) {
            return false;
        }
        *width++ = widthOf(blanks, figures);
        *point++ = static_cast<std::uint16_t>(digits - line.data());
        *point++ = static_cast<std::uint16_t>(at - line.data());
    }
    return at == end && isAdmitted(numbers);
}

ShapePlace LineShape::placeOf(std::size_t at, const LineNumbers& numbers) const {
    const auto first = numbers.points.begin();
    const auto behind =
        std::upper_bound(first, first + static_cast<std::ptrdiff_t>(1 + 2 * textBytes_.size()),
                         at); // the first point that is
    const std::ptrdiff_t point = behind - first - 1;
    return {static_cast<std::uint8_t>(point), static_cast<std::uint16_t>(at - first[point])};
}

bool LineShape::isLike(const LineShape& other) const {
    return texts_ == other.texts_ && anyDigit_ == other.anyDigit_ && textBytes_ == other.textBytes_;
}

std::size_t LineShape::placeOf(const LineNumbers& numbers, Words& words) const {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
    std::memcpy(words.data(), numbers.widths.data(), sizeof words);
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < widthWords(); ++i) {
        hash = (hash ^ (hash >> 32U) ^ words[i]) * factor;
    }
    return (hash >> 32U) % (mostAdmitted / 2) * 2 * widthWords();
}

bool LineShape::isAdmitted(const LineNumbers& numbers) const {
    Words words;
    const std::uint64_t* first = admitted_.data() + placeOf(numbers, words);
    const std::uint64_t* second = first + widthWords();
    std::uint64_t differsFromFirst = 0;
    std::uint64_t differsFromSecond = 0;
    for (std::size_t i = 0; i < widthWords(); ++i) {
        differsFromFirst |= first[i] ^ words[i];
        differsFromSecond |= second[i] ^ words[i];
    }
    return differsFromFirst == 0 || differsFromSecond == 0;
}

/// The one that was admitted last stands first.
void LineShape::admit(const LineNumbers& numbers) {
    Words words;
    std::uint64_t* first = admitted_.data() + placeOf(numbers, words);
    std::copy_n(first, widthWords(), first + widthWords());
    std::copy_n(words.begin(), widthWords(), first);
}

bool LineShape::mayBegin(char c) const {
    if (textBytes_.empty() || textBytes_[0] > 0) {
        return anyDigit_[0] == anyDigitByte ? isDigit(c) : c == texts_[0];
    }
    return c == ' ' || isDigit(c);
}

bool LineShape::mayEnd(char c) const {
    return tailBytes_ == 0 || anyDigit_.back() == anyDigitByte ? isDigit(c) : c == texts_.back();
}

} // namespace loadline
