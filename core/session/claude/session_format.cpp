#include "core/session/claude/session_format.h"

#include "core/session/claude/extractors.h"
#include "core/session/facts/json_lines.h"

namespace loadline::claude {

const SessionFormat sessionFormat{.agent = "claude",
                                  .program = "Claude Code",
                                  .home = "~/.claude/projects",
                                  .folders = sessionFolders,
                                  .placeOf = placeOf,
                                  .agentTypeBeside = agentTypeBeside,
                                  .bondOf = bondOf,
                                  .readPart = readJsonLines<extractRecord>};

} // namespace loadline::claude
