// A table of exact values: the CSV of a chart and its table twin in the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace loadline {

/// An empty cell, a whole number, a real number, or text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// The number, or an empty cell.
inline Cell cellOf(const std::optional<double>& value) {
    return value ? Cell(*value) : Cell();
}

struct Table {
    std::vector<std::string> columns; ///< snake_case names that carry their unit (input_tokens, start_utc)
    std::vector<std::vector<Cell>> rows;
    bool operator==(const Table&) const = default;
};

/// Appends a column that holds `cell` in every row.
void addColumn(Table& table, std::string name, const Cell& cell);

/// RFC 4180 with "\n" line ends; reals in the shortest form that reads back equal; no locale. Text that a
/// spreadsheet would run as a formula (= + - @ first) is prefixed with an apostrophe, and what is hidden in
/// it stands as an escape (visibleLines): a CSV is for people; exact bytes are in JSON.
std::string toCsv(const Table& table);
/// Appends a text as toCsv writes it, guarded and quoted.
void appendCsvText(std::string& csv, const std::string& text);
/// The cell as toCsv writes it, without quotes.
std::string textOf(const Cell& cell);

} // namespace loadline
