// A table as CSV.
#pragma once

#include "core/ask/write_json.h"

namespace loadline::ask {

/// Writes the names of the columns, dots as underscores, and a line a row: RFC 4180 with "\n" line ends,
/// guarded for spreadsheets as toCsv (core/text/table.h). Returns what the sink last did.
bool writeCsv(const Table& table, const Sink& sink);

/// The same as text.
std::string csvOfTable(const Table& table);

} // namespace loadline::ask
