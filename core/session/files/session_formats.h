// The formats of sessions that are read: by name, in words, and where their programs keep sessions.
#pragma once

#include "core/session/facts/session_format.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The formats that can be read, in the order of the table of file kinds.
std::vector<const SessionFormat*> sessionFormats();
/// Returns the format by SessionFormat::agent; null if there is none.
const SessionFormat* formatOfAgent(std::string_view agent);
/// The programs whose sessions are read, `between` them: "Claude Code or Codex CLI"; with `keeps` also where
/// each keeps them: "Claude Code, in ~/.claude/projects".
std::string sessionPrograms(std::string_view between, std::string_view keeps = {});
/// Returns the existing folders in which the programs whose sessions are read keep those of this user.
std::vector<std::string> defaultSessionFolders();

} // namespace loadline
