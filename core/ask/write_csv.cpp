// Rows are written as they are read.
#include "core/ask/write_csv.h"

#include "core/text/table.h"

#include <algorithm>

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
    std::string text;
    for (const Column& column : table.columns) {
        std::string name = column.key;
        std::ranges::replace(name, '.', '_');
        text += &column == table.columns.data() ? "" : ",";
        appendCsvText(text, name);
    }
    text += '\n';
    for (std::size_t row = 0; row < table.rows; ++row) {
        for (const Column& column : table.columns) {
            text += &column == table.columns.data() ? "" : ",";
            appendValue(text, column.at(row).value);
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
