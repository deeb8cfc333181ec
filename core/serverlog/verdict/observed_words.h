// The rate of the headline, and what stands in its place where none is told.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

#include <string>

namespace loadline {

/// "A stream decodes at 25.5 tokens/s" and on what that stands.
std::string observedWords(const ServerLog& log, const LogVerdict& verdict, const TypicalRate& typical);
/// Returns the sentences for a log that has no typical rate.
std::string otherwiseWords(const ServerLog& log, const LogVerdict& verdict);

} // namespace loadline
