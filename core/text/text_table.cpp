// Aligned columns for a terminal.
#include "core/text/text_table.h"

#include "core/text/utf8.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace loadline {
namespace {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
};

/// The first code point; a byte that begins none is taken for one.
CodePoint firstOf(std::string_view text) {
    const Utf8Sequence sequence = utf8SequenceAt(text);
    return sequence.valid ? CodePoint{codePointOf(text.substr(0, sequence.length)), sequence.length}
                          : CodePoint{static_cast<unsigned char>(text[0]), 1};
}

using Ranges = std::array<std::pair<std::uint32_t, std::uint32_t>, 9>;

constexpr Ranges wide{{{0x1100, 0x115F},
                       {0x2E80, 0xA4CF},
                       {0xAC00, 0xD7A3},
                       {0xF900, 0xFAFF},
                       {0xFE30, 0xFE6F},
                       {0xFF00, 0xFF60},
                       {0xFFE0, 0xFFE6},
                       {0x1F300, 0x1FAFF},
                       {0x20000, 0x3FFFD}}};

std::size_t widthOf(std::uint32_t c) {
    if ((0x300 <= c && c <= 0x36F) || (0x200B <= c && c <= 0x200F) || (0xFE00 <= c && c <= 0xFE0F)) {
        return 0;
    }
    return std::ranges::any_of(wide, [c](const auto& range) { return range.first <= c && c <= range.second; })
               ? 2
               : 1;
}

void appendPadded(std::string& line, const std::string& cell, std::size_t width, bool right) {
    const std::string padding(width - std::min(width, displayWidth(cell)), ' ');
    line += right ? padding + cell : cell + padding;
}

/// Cells are names from anywhere, and each has one line.
TextTable visible(TextTable table) {
    for (TextColumn& column : table.columns) {
        column.head = visibleText(column.head);
    }
    for (std::vector<std::string>& row : table.rows) {
        for (std::string& cell : row) {
            cell = visibleText(cell);
        }
    }
    return table;
}

} // namespace

std::size_t displayWidth(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const CodePoint c = firstOf(text);
        width += widthOf(c.value);
        text.remove_prefix(c.bytes);
    }
    return width;
}

std::string shortened(std::string_view text, std::size_t width) {
    if (displayWidth(text) <= width) {
        return std::string(text);
    }
    std::size_t bytes = 0;
    for (std::size_t used = 0; bytes < text.size();) {
        const CodePoint c = firstOf(text.substr(bytes));
        used += widthOf(c.value);
        if (used + 1 > width) {
            break;
        }
        bytes += c.bytes;
    }
    return std::string(text.substr(0, bytes)) + "…";
}

std::string alignedText(TextTable given) {
    const TextTable table = visible(std::move(given));
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::size_t width = displayWidth(table.columns[c].head);
        for (const std::vector<std::string>& row : table.rows) {
            if (row.size() > 1 && c < row.size()) {
                width = std::max(width, displayWidth(row[c]));
            }
        }
        widths.push_back(width);
    }
    const auto line = [&](const auto& cellAt, std::size_t cells) {
        std::string text;
        for (std::size_t c = 0; c < cells && c < widths.size(); ++c) {
            text += c == 0 ? "" : "  ";
            appendPadded(text, cellAt(c), widths[c], table.columns[c].right);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    };
    const bool hasHead =
        std::ranges::any_of(table.columns, [](const TextColumn& c) { return !c.head.empty(); });
    std::string text =
        hasHead ? line([&](std::size_t c) { return table.columns[c].head; }, table.columns.size()) : "";
    for (const std::vector<std::string>& row : table.rows) {
        text += row.size() == 1 ? row[0] + "\n" : line([&](std::size_t c) { return row[c]; }, row.size());
    }
    return text;
}

} // namespace loadline
