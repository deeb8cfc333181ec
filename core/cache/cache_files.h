// What is below the paths that the user named: sessions, or request traces.
#pragma once

#include "core/base/result.h"
#include "core/session/files/find_session_files.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Sessions or traces: one of the two is empty.
struct CacheFiles {
    std::vector<std::string> sessions;       ///< the paths to read sessions from, as they were given
    std::vector<std::string> traces;         ///< files: traces and archives of them, sorted, each once
    std::vector<PathDiagnostic> diagnostics; ///< of paths that were not read
};

/// Traces are told by their content; tables and archives in folders are looked at where they are named so
/// (*.csv, *.tar.xz and the like). Links out of a folder are not followed. In folders with sessions traces
/// are left aside; where there is nothing, the paths are given as sessions. The Error: traces named beside
/// sessions, whose caches are not the same.
Result<CacheFiles> cacheFilesIn(std::span<const std::string> paths, const std::stop_token& stop);

} // namespace loadline
