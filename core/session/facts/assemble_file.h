// Joins the facts of a file's parts into a session file: calls, lanes, turns, tools, events.
#pragma once

#include "core/session/facts/session_format.h"

#include <string>
#include <vector>

namespace loadline::facts {

/// `parts` are consecutive and together the whole file; where the cuts are makes no difference.
/// `agentType`: of the sub-agent whose file it is, if known.
SessionFile assembleFile(std::string path, const SessionFormat& format, std::string agentType,
                         std::vector<PartFacts> parts);

} // namespace loadline::facts
