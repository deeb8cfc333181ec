// How much more of prompts is computed at the end of a log than at its begin.
#pragma once

#include "core/serverlog/server_log.h"

#include <string>

namespace loadline {

/// "; 1.9 tokens of prompts are computed for each of output in the first third of the lines and 24 in the
/// last";
/// "" where it is less than three times as many.
std::string promptGrowthWords(const ServerLog& log);

} // namespace loadline
