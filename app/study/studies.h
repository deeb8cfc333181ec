// The studies there are: of each are made a page, a command, charts, settings and steps of undo.
#pragma once

#include "core/ask/study.h"

#include <span>
#include <string_view>
#include <vector>

namespace loadline::app {

/// The studies of the program. A new one is a row there.
const std::vector<ask::Study>& programStudies();

/// The studies of this process.
std::span<const ask::Study> studies();
/// Makes `list`, which outlives the process, that of this process. Precondition: pages, commands and charts
/// were not asked for before, or of this very list.
void setStudies(std::span<const ask::Study> list);

/// Null: there is none of this key.
const ask::Study* studyNamed(std::string_view key);

} // namespace loadline::app
