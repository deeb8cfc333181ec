// The published study's tables beside ours.
#pragma once

#include "core/ask/report.h"
#include "core/simulate/study/study_tables.h"

namespace loadline::ask {

/// "study": {"source", "seeds", "iterations", "readings": [{"reading", "users": [..], "turn"}], "notes"}: of
/// each figure what was published (null where nothing was), ours, and ours's standard deviation.
void addStudy(Report& report, const StudyTables& tables);

} // namespace loadline::ask
