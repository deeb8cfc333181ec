// The verdict on a log of several servers or models.
#pragma once

#include "core/serverlog/log_parts.h"
#include "core/serverlog/verdict/finding.h"

#include <vector>

namespace loadline {

/// Returns the verdict on one server with one model. `asks`: the headline says what to choose where no
/// ceiling is known.
LogVerdict verdictOfOne(const ServerLog& log, const ServedOn& served, bool asks);

/// Returns one verdict from those on the parts, each with the model that its own lines tell: a headline that
/// names each part and its rate, and findings each of which is the most telling one of all parts.
/// Precondition: two parts or more.
LogVerdict verdictOfParts(const ServerLog& log, const std::vector<LogPart>& parts, const ServedOn& served);

} // namespace loadline
