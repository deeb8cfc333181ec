// The charts of sessions.
#pragma once

#include "app/asked/figures.h"
#include "app/chart/chart_request.h"

namespace loadline::app {

namespace charts {

extern const ChartSpec timeline, composition;

} // namespace charts

/// Returns the scope in words, with its days.
std::string scopeCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus);

/// Returns the headline of the Sessions page.
QString overviewSentence(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus,
                         const ChartMemory& drawn);

/// The scope with the sessions' names as keys, and projects and models that are named in part as all those
/// that hold it. The Error: a name that none has.
Result<Scope> withKeys(const Scope& scope, const Corpus& corpus);

} // namespace loadline::app
