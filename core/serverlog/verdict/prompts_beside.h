// Prompts that were computed while other requests decoded, by the times of requests.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

#include <vector>

namespace loadline {

/// Decides by requests of which first token, prompt and end are timed; false: too few are.
bool decideByPromptTimes(const LogEvidence& evidence, Finding& finding);

/// The share of each request's decoding in which a prompt of another one was computed, by its index; 0 of
/// those of which that is not told.
std::vector<double> sharesBesidePrompts(const ServerLog& log);

} // namespace loadline
