// How fast prompts are computed, and how fast they come.
#pragma once

#include "core/serverlog/server_log.h"

#include <vector>

namespace loadline {

/// Tokens/s of prompts, by what times them: progress, requests. Prompts that are computed in turns share the
/// steps: together they are one rate.
std::vector<double> promptRates(const ServerLog& log);
/// Prompt tokens/s between lines of statistics: what came, not what can be computed.
std::vector<double> offeredRates(const ServerLog& log);

} // namespace loadline
