// The charts of sessions.
#pragma once

#include "app/chart/chart_request.h"
#include "app/figures.h"

namespace loadline::app {

namespace charts {

extern const ChartSpec timeline, composition;

} // namespace charts

/// The scope with the sessions' names as keys.
Result<Scope> withKeys(const Scope& scope, const Corpus& corpus);

} // namespace loadline::app
