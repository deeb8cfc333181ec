// Findings on the lines before, for lines of the same shapes.
#pragma once

#include "core/serverlog/read/line_findings.h"
#include "core/serverlog/read/line_shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace loadline {

/// A server writes few kinds of lines, over and over: what the scan and the patterns found on one they find
/// on all of its shape, at places that follow from where the numbers stand. A memory of bounded size that
/// tells just what they would, and sooner.
///
/// That rests on patterns looking at digits as digits: which they are tells none, but for those of words
/// ("tg_3s"). How wide numbers may be need not be known: lines of the same shape are recalled where numbers
/// of the same widths, all of a line's together, were seen on a line.
class ShapeMemory {
public:
    /// Returns what is on the line; null if no line of its shape is remembered. Valid until the next call.
    const LineFindings* recall(std::string_view line);

    /// Remembers what the scan and the patterns found on a line that could not be recalled; not always: what
    /// was remembered has to be of use first.
    void learn(std::string_view line, const LineFindings& findings);

private:
    struct MatchPlaces {
        ShapePlace begin;
        ShapePlace end;
        struct Group {
            std::uint8_t group = 0;
            ShapePlace begin;
            ShapePlace end;
        };
        std::vector<Group> groups; ///< others are ""
    };

    struct Remembered {
        LineShape shape;
        std::vector<ShapePlace> times;
        std::vector<MatchPlaces> matches;
        LineFindings findings; ///< as they are on the line that was recalled last
        std::size_t next = 0;  ///< of which shape the line after the last one was
        unsigned uses = 0;     ///< halved each time when a shape to forget is looked for

        Remembered() = default;
        Remembered(LineShape of, std::string_view line, const LineNumbers& numbers,
                   const LineFindings& found);
        /// Sets the findings for a line of the shape.
        void find(std::string_view line, const LineNumbers& numbers);
    };

    bool tries(std::size_t index, std::string_view line);
    std::size_t placeForNew();
    void indexBytes(std::size_t index);

    static constexpr std::size_t mostShapes = 32;
    static constexpr unsigned mostCredit = 4096;
    using Shapes = std::uint32_t; ///< bit i: shapes_[i]

    std::vector<Remembered> shapes_;
    std::array<Shapes, 256> beginning_{}; ///< by the byte that their lines may begin with
    std::array<Shapes, 256> ending_{};
    std::size_t last_ = 0;         ///< that was recalled
    std::size_t hand_ = 0;         ///< where the shape to forget is looked for
    unsigned credit_ = mostCredit; ///< of lines, for learning
    LineNumbers numbers_;
};

} // namespace loadline
