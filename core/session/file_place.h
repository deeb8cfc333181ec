// What a session file's path and neighbours tell: kind, ids, project folder, the sub-agent's type.
#pragma once

#include "core/session/session_file.h"

#include <string>
#include <string_view>

namespace loadline {

struct FilePlace {
    FileKind kind = FileKind::Main;
    LaneKind lane = LaneKind::Main; ///< of the file's own strand
    std::string agentId;            ///< "" for a main file
    std::string sessionId;          ///< where a folder names it (sub-agents), else ""
    std::string projectSlug;        ///< folder below the last "projects" of the path, else ""
};

/// From the path alone (spec section 1.1).
FilePlace placeOf(std::string_view path);

/// The agent type in the text of a .meta.json, "" where there is none.
std::string agentTypeIn(std::string_view meta);
/// The same of the file beside a sub-agent's.
std::string agentTypeBeside(const std::string& path);

} // namespace loadline
