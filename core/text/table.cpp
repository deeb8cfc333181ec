// Tables as comma-separated values.
#include "core/text/table.h"

#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace loadline {
namespace {

struct TextOf {
    std::string operator()(std::monostate /*empty*/) const { return {}; }

    std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }

    std::string operator()(double x) const { return fmt::format("{}", x); }

    std::string operator()(const std::string& raw) const {
        const std::string text = visibleLines(raw);
        const bool formula =
            !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
        return formula ? "'" + text : text;
    }
};

void appendField(std::string& csv, std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        csv += text;
        return;
    }
    csv += '"';
    for (const char c : text) {
        if (c == '"') {
            csv += '"';
        }
        csv += c;
    }
    csv += '"';
}

} // namespace

void addColumn(Table& table, std::string name, const Cell& cell) {
    table.columns.push_back(std::move(name));
    for (std::vector<Cell>& row : table.rows) {
        row.push_back(cell);
    }
}

void appendCsvText(std::string& csv, const std::string& text) {
    appendField(csv, TextOf{}(text));
}

std::string textOf(const Cell& cell) {
    return std::visit(TextOf{}, cell);
}

std::string toCsv(const Table& table) {
    std::string csv;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        csv += i == 0 ? "" : ",";
        appendField(csv, textOf(Cell(table.columns[i])));
    }
    csv += '\n';
    for (const std::vector<Cell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            csv += i == 0 ? "" : ",";
            appendField(csv, textOf(row[i]));
        }
        csv += '\n';
    }
    return csv;
}

} // namespace loadline
