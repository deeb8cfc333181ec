// Joins the facts of a file's parts into a session file: calls, lanes, turns, tools, events.
#pragma once

#include "core/session/claude/record_facts.h"
#include "core/session/file_place.h"

#include <string>
#include <vector>

namespace loadline::claude {

/// `parts` are consecutive and together the whole file; where the cuts are makes no difference.
/// `agentType`: of the sub-agent whose file it is, if known.
SessionFile assembleFile(std::string path, const FilePlace& place, std::string agentType,
                         std::vector<PartFacts> parts);

} // namespace loadline::claude
