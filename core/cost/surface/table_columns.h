// Reading the columns of an atlas table by name.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The columns that a surface asked for, in the order asked; pointers into the table.
struct TableColumns {
    std::vector<const std::vector<std::int64_t>*> numbers;
    std::vector<const std::vector<std::string>*> words;
    const std::vector<double>* us = nullptr;
};

/// Names of the columns that a surface reads.
struct ColumnNames {
    std::vector<std::string_view> numbers{};
    std::vector<std::string_view> words{};
    std::string_view times = "time";
};

/// The Error names the first column that is missing, is of the other type, or is shorter than the table.
Result<TableColumns> tableColumnsOf(const AtlasTable& table, const ColumnNames& names);

} // namespace loadline
