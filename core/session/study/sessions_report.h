// The report of `loadline sessions`.
#pragma once

#include "core/ask/report.h"
#include "core/session/study/sessions_answer.h"

namespace loadline::ask {

/// Returns the report of an answer. Its columns read the answer, which must live as long.
Report sessionsReport(const SessionsAnswer& answer);

/// A row a file: the table of `--csv`. It reads the answer, too.
Table sessionFilesTable(const SessionsAnswer& answer);

} // namespace loadline::ask
