// The published study's tables beside ours, as part of a document and as text.
#pragma once

#include "core/simulate/study/study_tables.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

/// {"source", "seeds", "iterations", "readings": [{"reading", "users": [..], "turn"}], "notes"}: of each
/// figure what was published (null where nothing was), ours, and ours's standard deviation.
nlohmann::ordered_json studyDocument(const StudyTables& tables);

/// For a terminal.
std::string studyText(const StudyTables& tables);

} // namespace loadline::app
