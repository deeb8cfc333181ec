// Finds the files below the paths that the user named: sessions, or request traces.
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

/// Traces are recognized by their content; tables and archives in folders are read only if they are named so
/// (*.csv, *.tar.xz and the like). Links out of a folder are not followed. In folders with sessions traces
/// are left aside; if nothing is found, the paths are given as sessions. The Error: traces named beside
/// sessions, whose caches are not the same.
Result<CacheFiles> cacheFilesIn(std::span<const std::string> paths, const std::stop_token& stop);

} // namespace loadline
