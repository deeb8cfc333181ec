// Compares text in which any digit may stand at some places.
#pragma once

#include "core/serverlog/read/text_cursor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace loadline {

inline constexpr char anyDigitByte = '\xff'; ///< where any digit may stand; '\0' elsewhere

namespace detail {

template <typename Word>
constexpr Word eachByte(unsigned byte) {
    return static_cast<Word>(static_cast<Word>(~Word{0}) / 0xff * byte);
}

/// The same for as many bytes as a word has.
template <typename Word>
bool isDigitWord(const char* line, const char* text, const char* anyDigit) {
    Word ours = 0;
    Word theirs = 0;
    Word digits = 0;
    std::memcpy(&ours, line, sizeof ours);
    std::memcpy(&theirs, text, sizeof theirs);
    std::memcpy(&digits, anyDigit, sizeof digits);
    const Word figures = ours ^ eachByte<Word>('0'); // 0 to 9 of digits
    const Word notDigit =                            // the top bit of bytes above 9
        static_cast<Word>((figures & eachByte<Word>(0x7f)) + eachByte<Word>(0x7f - 9)) | figures;
    const Word differs = (ours ^ theirs) & ~digits;
    return (differs | (notDigit & digits & eachByte<Word>(0x80))) == 0;
}

} // namespace detail

/// True if the bytes of a line are those of a text, or digits where any may stand.
inline bool isDigitText(const char* line, const char* text, const char* anyDigit, std::size_t bytes) {
    using Long = std::uint64_t;
    using Short = std::uint32_t;
    if (bytes >= sizeof(Long)) {
        const std::size_t last = bytes - sizeof(Long); // the last word may overlap the one before
        for (std::size_t at = 0; at < last; at += sizeof(Long)) {
            if (!detail::isDigitWord<Long>(line + at, text + at, anyDigit + at)) {
                return false;
            }
        }
        return detail::isDigitWord<Long>(line + last, text + last, anyDigit + last);
    }
    if (bytes >= sizeof(Short)) {
        const std::size_t last = bytes - sizeof(Short);
        return detail::isDigitWord<Short>(line, text, anyDigit) &&
               detail::isDigitWord<Short>(line + last, text + last, anyDigit + last);
    }
    for (std::size_t at = 0; at < bytes; ++at) {
        if (anyDigit[at] == anyDigitByte ? !isDigit(line[at]) : line[at] != text[at]) {
            return false;
        }
    }
    return true;
}

/// A text known when this is compiled, in which '0' stands for any digit.
template <std::size_t bytes>
class DigitText {
public:
    explicit constexpr DigitText(const char (&text)[bytes + 1]) {
        for (std::size_t i = 0; i < bytes; ++i) {
            text_[i] = text[i];
            anyDigit_[i] = text[i] == '0' ? anyDigitByte : '\0';
        }
    }

    static constexpr std::size_t size() { return bytes; }

    /// True if it ends before `end` of the line, which is not beyond it.
    [[nodiscard]] bool isBefore(std::string_view line, std::size_t end) const {
        return end >= bytes &&
               isDigitText(line.data() + (end - bytes), text_.data(), anyDigit_.data(), bytes);
    }

private:
    std::array<char, bytes> text_{};
    std::array<char, bytes> anyDigit_{};
};

template <std::size_t withEnd>
DigitText(const char (&)[withEnd]) -> DigitText<withEnd - 1>;

} // namespace loadline
