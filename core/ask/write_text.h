// A report for people: plain text for a terminal, Markdown for a message.
#pragma once

#include "core/ask/report.h"

#include <string>

namespace loadline::ask {

/// The headline, what is told of facts, tables up to Table::textRows rows, notes and sources, apart by empty
/// lines; ended by "\n". What is hidden in names stands as an escape.
std::string textOfReport(const Report& report);

/// The same as Markdown: tables of all rows up to Table::textRows, notes as a list.
std::string markdownOfReport(const Report& report);

} // namespace loadline::ask
