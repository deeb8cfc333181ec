// Aligned columns for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct TextColumn {
    std::string head;
    bool right = false;
};

struct TextTable {
    std::vector<TextColumn> columns;
    /// Cells by column; a row of one cell is a heading that spans them all.
    std::vector<std::vector<std::string>> rows;
};

/// The head, unless all of it is empty, and the rows, columns two spaces apart, each line ended by "\n"; what
/// is hidden in cells stands as an escape (core/text/visible_text.h).
std::string alignedText(TextTable table);

/// Columns that a terminal needs for the text: wide East Asian characters and emoji take two.
std::size_t displayWidth(std::string_view text);
/// Returns at most `width` columns of a text, the cut marked by "…".
std::string shortened(std::string_view text, std::size_t width);

} // namespace loadline
