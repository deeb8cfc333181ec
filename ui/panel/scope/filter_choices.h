// Properties of a corpus that one can filter by, with the amount of each.
#pragma once

#include "ui/panel/scope/scope_words.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline::ui {

struct FilterChoice {
    std::string value;       ///< as it stands in the scope
    QString name;            ///< for people
    std::uint64_t count = 0; ///< API calls, or sessions of a project
};

/// Models and agents by calls, projects by sessions, most first. Only for these three parts.
std::vector<FilterChoice> choicesOf(const Corpus& corpus, ScopePart part);
/// The list of the scope that these choices go into.
std::vector<std::string>& choicesIn(Scope& scope, ScopePart part);
/// Time of the first and last record.
std::pair<TimeMs, TimeMs> extentOf(const Corpus& corpus);

} // namespace loadline::ui
