// A report as the document of `--json`.
#pragma once

#include "core/ask/report.h"

#include <functional>
#include <string>
#include <string_view>

namespace loadline::ask {

/// Takes text piece by piece; false ends the writing (a full disk, a reader that went away).
using Sink = std::function<bool(std::string_view)>;

/// Writes one JSON object: "schema" first, then the parts in the order in which their paths first appear,
/// "caveats" last (the notes of kind Caveat, strongest first; of a report with a schema), and a line end.
/// Indented by two; what is no UTF-8 becomes U+FFFD, hidden characters are \u escapes
/// (core/text/json/visible_json.h). NaN and infinity are null. Rows are written as they are read: the memory
/// needed does not grow with them. Returns what the sink last did.
bool writeJson(const Report& report, const Sink& sink);

/// The same as text.
std::string jsonOfReport(const Report& report);

} // namespace loadline::ask
