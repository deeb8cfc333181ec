// Reads found files into session files on several threads; reports oddities.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/progress.h"
#include "core/session/files/find_session_files.h"
#include "core/session/session_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

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

} // namespace loadline
