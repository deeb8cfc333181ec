// A scheduler's decisions on given requests, described.
#pragma once

#include "core/ask/report.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

namespace loadline::ask {

/// The document "batching-oracle/1": the scenario, which scenarioFromJson reads back, with its `totals`,
/// `summary` and `steps`. For people a line a step, and one of totals. It reads both arguments.
Report scheduleReport(const Scenario& scenario, const ScheduleTrace& trace);

} // namespace loadline::ask
