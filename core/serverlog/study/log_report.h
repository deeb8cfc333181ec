// The report of `loadline log`.
#pragma once

#include "core/ask/report.h"
#include "core/serverlog/verdict/log_figure.h"

namespace loadline::ask {

/// Returns the report of a figure. Its columns read the figure, which must live as long.
Report logReport(const LogFigure& figure);

} // namespace loadline::ask
