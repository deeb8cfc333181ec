// Sentences about a server's log, for people.
#pragma once

#include "core/ask/report.h"
#include "core/serverlog/verdict/log_figure.h"

namespace loadline::ask {

/// Appends what the log holds, engines, findings with their lines, and what to do next.
void sayLog(const LogFigure& figure, Report& report);

} // namespace loadline::ask
