// Lines on which an engine runs out of memory or dies, whatever server it serves.
#pragma once

#include "core/serverlog/read/log_pattern.h"

namespace loadline::failures {

/// The rest of the line, unless it is quoted from a prompt.
bool match(std::string_view line, std::size_t anchor, LogMatch& match);
/// An event; the traceback behind a failure repeats it and adds none.
void take(LogAssembly& assembly, const LogMatch& match);

/// An event of a request that the server refuses, as it does not fit.
void takeRefused(LogAssembly& assembly, const LogMatch& match);

} // namespace loadline::failures
