// The charts of the self-check.
#pragma once

#include "app/chart/chart_spec.h"

namespace loadline::app::charts {

extern const ChartSpec selfCheckTtft, selfCheckTpot, selfCheckE2e, selfCheckErrors;

} // namespace loadline::app::charts
