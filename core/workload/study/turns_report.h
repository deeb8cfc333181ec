// The report of `loadline turns`.
#pragma once

#include "core/ask/report.h"
#include "core/workload/study/turns_answer.h"

namespace loadline::ask {

/// Returns the report of an answer. Its columns read the answer, which must live as long.
Report turnsReport(const TurnsAnswer& answer);

} // namespace loadline::ask
