// From paths to session files: find them, read them on several threads, report what was odd.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/session/files/file_kind.h"
#include "core/session/session_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
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

/// Where the programs whose sessions are read keep those of this user: the folders that exist.
std::vector<std::string> defaultSessionFolders();

struct ReadOptions {
    unsigned threads = 0; ///< 0: all of the machine; the result does not depend on it
    /// Called from worker threads, one call at a time, whenever a file is complete.
    std::function<void(std::shared_ptr<const SessionFile>)> onFile;
};

/// Everything that was read, in path order, whatever the number of threads.
struct SessionFiles {
    std::vector<std::shared_ptr<const SessionFile>> files;
    std::vector<PathDiagnostic> diagnostics; ///< of paths without a SessionFile
    std::vector<NotRead> notRead;            ///< sorted by path; what was found so, and what turned out so
    std::uint64_t bytes = 0;
    bool complete = true; ///< false when stopped before the end
};

/// Reads all files, large ones by several threads at once; never fails as a whole. A file that is known for
/// something else, or that holds lines but no record of a session, makes no SessionFile. Sets and advances
/// `progress`.
SessionFiles readSessionFiles(const FoundFiles& found, const ReadOptions& options, std::stop_token stop,
                              Progress& progress);

/// Reads one session from memory (tests, growing files), in the format that its beginning tells. `path` is
/// used for names only.
SessionFile readSessionText(std::string_view path, std::string_view text);

/// The raw text of one record, for the evidence panel. Error when the file is gone or the place lies beyond
/// it.
Result<std::string> readRecord(const std::string& path, const RecordPlace& place);

} // namespace loadline
