// The sessions of Claude Code.
#pragma once

#include "core/session/facts/session_format.h"

namespace loadline::claude {

extern const SessionFormat sessionFormat;

// Functions of this format, each in its own file.

FilePlace placeOf(std::string_view path);
/// Returns the agent type in the text of a .meta.json, "" if it names none.
std::string agentTypeIn(std::string_view meta);
/// Returns agentTypeIn() of the .meta.json beside a sub-agent's file.
std::string agentTypeBeside(const std::string& path);
/// A main file that is not named after its session id is a copy made by someone (a backup, a snapshot) or a
/// resumed session, and stands alone; others belong together below one root, whatever the project folder.
SessionBond bondOf(const SessionFile& file);
/// The projects/ folders of each entry of $CLAUDE_CONFIG_DIR (comma list) if set, else of ~/.claude and
/// ~/.config/claude.
std::vector<std::string> sessionFolders();

} // namespace loadline::claude
