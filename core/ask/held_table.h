// A table whose cells are made already, as columns.
#pragma once

#include "core/ask/report.h"
#include "core/text/table.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace loadline::ask {

/// Columns that hold the table.
inline Table heldTable(std::string path, loadline::Table cells) {
    const auto held = std::make_shared<const loadline::Table>(std::move(cells));
    Table table{.path = std::move(path), .title = {}, .rows = held->rows.size(), .columns = {}};
    for (std::size_t column = 0; column < held->columns.size(); ++column) {
        table.columns.push_back(columnAt(held->columns[column], [held, column](std::size_t row) {
            return std::visit(
                [](const auto& value) {
                    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                        return Cell();
                    } else {
                        return Cell(value);
                    }
                },
                held->rows[row][column]);
        }));
    }
    return table;
}

} // namespace loadline::ask
