// Columns of tables, named in one text.
#pragma once

#include "core/text/table.h"
#include "core/text/word_rule.h"

#include <string_view>

namespace loadline {

/// A table without rows; `names` of its columns are apart by one blank.
inline Table tableWith(std::string_view names) {
    Table table;
    while (!names.empty()) {
        table.columns.emplace_back(cutUpTo(names, ' '));
    }
    return table;
}

} // namespace loadline
