// "Requests, one by one": cached, new and answered tokens of each request, and prefix breaks.
#pragma once

#include "core/ask/report.h"
#include "core/cache/figure/request_parts.h"

namespace loadline {

/// Adds the plot "cache-requests" and its tables. A click on a prefix break picks its request by its number.
/// Figure and requests outlive the report.
void addRequestsPlot(ask::Report& report, const CacheFigure& figure, const NamedRequests& requests);

} // namespace loadline
