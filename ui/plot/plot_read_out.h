// Words of the rows under the cursor.
#pragma once

#include "core/ask/report.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <string>

namespace loadline::ui {

/// The columns with an ask::Column::readOut, a line each or, where their words have line ends, several.
/// `before`: the name of a series; the column `without` is left out.
QStringList wordsOfRow(const ask::Table& table, std::size_t row, const QString& before = {},
                       const std::string& without = {});

} // namespace loadline::ui
