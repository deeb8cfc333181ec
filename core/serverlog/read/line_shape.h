// The shape of a line: its text but for the figures of its numbers, which differ from line to line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Places of the numbers of a line, and how wide they are.
struct LineNumbers {
    static constexpr std::size_t most = 48;

    /// The line's begin; then where the digits of each number begin, and where they end.
    std::array<std::uint16_t, 1 + 2 * most> points{};
    /// How many blanks each number has before it, and how many digits, in four bits each; then 0.
    std::array<std::uint8_t, most> widths{};
};

/// A place on any line of a shape: so far behind a point.
struct ShapePlace {
    std::uint8_t point = 0;
    std::uint16_t behind = 0;

    [[nodiscard]] std::size_t on(const LineNumbers& numbers) const { return numbers.points[point] + behind; }
};

/// Texts, and between them numbers: digits, and the blanks before them, which align them. Its lines have
/// numbers of the widths that were admitted, all of a line's together. Three numbers and more that signs
/// alone part (a date, a time, an address) are text with places for any digits. Digits of a word that begins
/// with a letter ("tg_3s") are text as any other.
class LineShape {
public:
    /// The shape of this line; nothing where it is too long for one.
    static std::optional<LineShape> of(std::string_view line, LineNumbers& numbers);

    /// True if a line is of the shape; then `numbers` are its numbers.
    [[nodiscard]] bool fits(std::string_view line, LineNumbers& numbers) const;

    /// The place `at` of the line that has these numbers.
    [[nodiscard]] ShapePlace placeOf(std::size_t at, const LineNumbers& numbers) const;

    /// True if another shape has the same texts.
    [[nodiscard]] bool isLike(const LineShape& other) const;
    /// Takes in lines with numbers of these widths; at some time those of others are forgotten.
    void admit(const LineNumbers& numbers);

    /// True if a line of the shape may begin or end with this byte.
    [[nodiscard]] bool mayBegin(char c) const;
    [[nodiscard]] bool mayEnd(char c) const;

private:
    static constexpr std::size_t mostAdmitted = 256;

    using Words = std::array<std::uint64_t, LineNumbers::most / sizeof(std::uint64_t)>;

    [[nodiscard]] std::size_t widthWords() const {
        return (textBytes_.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    }
    /// The widths, and the first of the two places in `admitted_` where they may be.
    std::size_t placeOf(const LineNumbers& numbers, Words& words) const;
    [[nodiscard]] bool isAdmitted(const LineNumbers& numbers) const;
    void addText(std::string_view text);

    std::vector<std::uint16_t> textBytes_; ///< of the text before the blanks of each number
    std::string texts_;                    ///< one behind the other; '0' where any digit may be
    std::string anyDigit_;                 ///< for each byte of `texts_` anyDigitByte where any may be
    std::size_t tailBytes_ = 0;            ///< of the text behind all numbers
    std::vector<std::uint64_t> admitted_;  ///< a table of widths; 0: none
};

} // namespace loadline
