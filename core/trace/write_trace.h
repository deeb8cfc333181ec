// A block trace as others read it: Mooncake's lines, kv-cache-tester's documents.
#pragma once

#include "core/trace/block_trace.h"

#include <string>
#include <vector>

namespace loadline {

/// A request a line in order of time: milliseconds after the first, lengths, blocks numbered over all scopes.
/// Holds no names.
std::string mooncakeLines(const BlockTrace& trace);

/// One file of a folder.
struct WekaFile {
    std::string name; ///< "session_0001.json"
    std::string text;
};

/// A document a scope, its sub-agents nested. Holds no names.
std::vector<WekaFile> wekaFiles(const BlockTrace& trace);

} // namespace loadline
