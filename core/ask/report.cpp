// Parts of a report by their paths.
#include "core/ask/report.h"

#include <algorithm>
#include <string_view>

namespace loadline::ask {
namespace {

const std::string& pathOf(const std::variant<Fact, Table>& part) {
    const auto* fact = std::get_if<Fact>(&part);
    return fact != nullptr ? fact->key : std::get<Table>(part).path;
}

/// True of the path itself and of all below it.
bool isWithin(std::string_view path, std::string_view whole) {
    return path.starts_with(whole) && (path.size() == whole.size() || path[whole.size()] == '.');
}

} // namespace

void Report::addRow(std::string_view path, std::span<const Column> columns, std::size_t row) {
    for (const Column& column : columns) {
        Cell cell = column.at(row);
        if (!cell.isEmpty() || !column.omitsEmpty) {
            add(std::string(path) + "." + column.key, std::move(cell));
        }
    }
}

void Report::forget(std::string_view path) {
    const auto isForgotten = [path](const auto& part) { return isWithin(pathOf(part), path); };
    const auto first = std::ranges::find_if(parts, isForgotten);
    if (first == parts.end()) {
        add(std::string(path), Cell());
        return;
    }
    *first = Fact{std::string(path), Cell()};
    parts.erase(std::remove_if(first + 1, parts.end(), isForgotten), parts.end());
}

const Table* Report::find(std::string_view path) const {
    for (const auto& part : parts) {
        if (const auto* table = std::get_if<Table>(&part); table != nullptr && table->path == path) {
            return table;
        }
    }
    const auto found = std::ranges::find(tables, path, &Table::path);
    return found == tables.end() ? nullptr : &*found;
}

} // namespace loadline::ask
