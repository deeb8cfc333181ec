// Prompts that were computed while other requests decoded, by the times of requests.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

namespace loadline {

/// Decides by requests of which first token, prompt and end are timed; false: too few are.
bool decideByPromptTimes(const LogEvidence& evidence, Finding& finding);

} // namespace loadline
