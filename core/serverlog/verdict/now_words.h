// The server's state now, by the last lines of a log that is followed.
#pragma once

#include "core/serverlog/verdict/finding.h"

#include <string>

namespace loadline {

/// "Now: 340 tokens/s, 4 running, 0 waiting."; where nothing was written for `ageS` seconds, longer than
/// lines are apart, "Last line 5 min ago: ..."; "" where no line tells a rate.
std::string nowWords(const ServerLog& log, const LogVerdict& verdict, double ageS = 0);

} // namespace loadline
