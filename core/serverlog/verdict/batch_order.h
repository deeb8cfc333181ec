// Finds whether requests ran at once, by the order of their lines or by the server's settings.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

namespace loadline {

/// Decides by lines alone, if the order in which they were written proves it; false: it proves nothing.
bool decideByOrder(const LogEvidence& evidence, Finding& finding);
/// A server that has one slot serves one at a time; false: it has several, or that is not told.
bool decideByOneSlot(const LogEvidence& evidence, Finding& finding);

} // namespace loadline
