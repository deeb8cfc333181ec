// Aligned columns for a terminal.
#include "app/cli/text_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace loadline::app {
namespace {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
};

/// The first code point; a byte that begins none is taken for one.
CodePoint firstOf(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
    if (bytes == 1 || text.size() < bytes) {
        return {lead, 1};
    }
    std::uint32_t value = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0U) != 0x80U) {
            return {lead, 1};
        }
        value = (value << 6U) | (next & 0x3FU);
    }
    return {value, bytes};
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

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const CodePoint c = firstOf(text);
        const bool control = c.value < 0x20 || (0x7F <= c.value && c.value < 0xA0 && c.bytes > 1) ||
                             c.value == 0x7F || c.value == 0x2028 || c.value == 0x2029 ||
                             (0x202A <= c.value && c.value <= 0x202E) ||
                             (0x2066 <= c.value && c.value <= 0x2069);
        if (control) {
            result += ' ';
        } else if (c.bytes == 1 && c.value >= 0x80) {
            result += "\uFFFD";
        } else {
            result += text.substr(0, c.bytes);
        }
        text.remove_prefix(c.bytes);
    }
    return result;
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

std::string alignedText(const TextTable& table) {
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
    std::string text = line([&](std::size_t c) { return table.columns[c].head; }, table.columns.size());
    for (const std::vector<std::string>& row : table.rows) {
        text += row.size() == 1 ? row[0] + "\n" : line([&](std::size_t c) { return row[c]; }, row.size());
    }
    return text;
}

} // namespace loadline::app
