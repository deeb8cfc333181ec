// A report for people: plain text for a terminal, Markdown for a message.
#pragma once

#include "core/ask/report.h"

#include <string>

namespace loadline::ask {

/// True if people see the fact.
bool isShown(const Fact& fact);
/// The fact's value for people, with how far it errs: "1.2 M ± 3 k".
std::string wordsOf(const Fact& fact);
/// "RTX 4090, published, 2026-02-21".
std::string wordsOf(const Provenance& one);

/// The headline, what is told of facts, tables up to Table::textRows rows, notes and sources, apart by empty
/// lines; ended by "\n". What is hidden in names stands as an escape.
std::string textOfReport(const Report& report);

/// The same as Markdown: tables of all rows up to Table::textRows, notes as a list.
std::string markdownOfReport(const Report& report);

} // namespace loadline::ask
