// Columns of an atlas table, checked once.
#include "core/cost/surface/table_columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

Error missingColumn(std::string_view name, std::string_view holding) {
    return {.what = fmt::format("the table has no column \"{}\" of {}", name, holding),
            .where = {},
            .remedy = {}};
}

} // namespace

Result<TableColumns> tableColumnsOf(const AtlasTable& table, const ColumnNames& names) {
    TableColumns columns;
    for (const std::string_view name : names.numbers) {
        const auto found = std::ranges::find(table.keys, name, &AtlasKeys::name);
        if (found == table.keys.end() || found->numbers.size() != table.rows) {
            return missingColumn(name, "numbers");
        }
        columns.numbers.push_back(&found->numbers);
    }
    for (const std::string_view name : names.words) {
        const auto found = std::ranges::find(table.keys, name, &AtlasKeys::name);
        if (found == table.keys.end() || found->words.size() != table.rows) {
            return missingColumn(name, "words");
        }
        columns.words.push_back(&found->words);
    }
    const auto times = std::ranges::find(table.times, names.times, &AtlasTimes::name);
    if (times == table.times.end() || times->us.size() != table.rows) {
        return missingColumn(names.times, "times");
    }
    columns.us = &times->us;
    return columns;
}

} // namespace loadline
