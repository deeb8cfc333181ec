// What is below the paths that the user named: sessions, or request traces.
#pragma once

#include "core/base/result.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// One of the two is empty.
struct CacheFiles {
    std::vector<std::string> sessions; ///< the paths to read sessions from, as they were given
    std::vector<std::string> traces;   ///< files: traces and archives of them, sorted
};

/// Traces are told by their content, archives in folders by their names (*.tar.xz and the like). In folders
/// with sessions traces are left aside. The Error: traces named beside sessions, whose caches are not the
/// same.
Result<CacheFiles> cacheFilesIn(std::span<const std::string> paths, const std::stop_token& stop);

} // namespace loadline
