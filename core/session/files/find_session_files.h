// Finds session files below the paths that the user named.
#pragma once

#include "core/base/diagnostic.h"
#include "core/session/files/file_kind.h"

#include <compare>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// A file to read, found below one of the paths the user named.
struct FoundFile {
    std::string path;        ///< the user's path joined with '/' and the rest
    std::uint64_t bytes = 0; ///< size when it was found
    auto operator<=>(const FoundFile&) const = default;
};

/// A diagnostic about a path of which there is no SessionFile.
struct PathDiagnostic {
    std::string path;
    Diagnostic diagnostic;
    bool operator==(const PathDiagnostic&) const = default;
};

struct FoundFiles {
    std::vector<FoundFile>
        files; ///< sorted by path, each file once (also when reachable by two paths or links)
    std::vector<PathDiagnostic> diagnostics = {};
    std::vector<NotRead> notRead = {}; ///< sorted by path: known by content, and not as session files
    [[nodiscard]] std::uint64_t bytes() const;
};

/// Walks folders recursively for session files (*.jsonl but journal.jsonl); a named file is taken as it is,
/// unless its content is known for something else. Of symbolic links only the named ones and those that stay
/// within what was named are followed. Other links, link loops and unreadable folders become diagnostics.
/// Polls `stop`.
FoundFiles findSessionFiles(std::span<const std::string> paths, std::stop_token stop);

} // namespace loadline
