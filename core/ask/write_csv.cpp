// Rows are written as they are read.
#include "core/ask/write_csv.h"

#include "core/text/table.h"

#include <algorithm>
#include <vector>

namespace loadline::ask {
namespace {

void appendValue(std::string& line, const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        appendCsvText(line, *text);
    } else {
        line += plainText(value); // digits and letters alone
    }
}

} // namespace

bool writeCsv(const Table& table, const Sink& sink) {
    constexpr std::size_t piece = 1 << 16;
    std::vector<const Column*> columns;
    std::string text;
    for (const Column& column : table.columns) {
        if (!column.key.empty()) {
            std::string name = column.key;
            std::ranges::replace(name, '.', '_');
            text += columns.empty() ? "" : ",";
            appendCsvText(text, name);
            columns.push_back(&column);
        }
    }
    text += '\n';
    for (std::size_t row = 0; row < table.rows; ++row) {
        for (const Column* column : columns) {
            text += column == columns.front() ? "" : ",";
            appendValue(text, column->at(row).value);
        }
        text += '\n';
        if (text.size() >= piece) {
            if (!sink(text)) {
                return false;
            }
            text.clear();
        }
    }
    return text.empty() || sink(text);
}

std::string csvOfTable(const Table& table) {
    std::string text;
    writeCsv(table, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

} // namespace loadline::ask
