// What `loadline schedule` prints on a terminal.
#pragma once

#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

#include <string>

namespace loadline::app {

/// One line per step, and a line of totals.
std::string scheduleText(const Scenario& scenario, const ScheduleTrace& trace);

} // namespace loadline::app
