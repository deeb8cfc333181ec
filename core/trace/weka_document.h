// One captured session of kv-cache-tester, as its blocks.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/trace/block_trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// One file.
struct WekaDocument {
    std::string id;   ///< as the document names itself; "session" where it does not
    BlockTrace trace; ///< one scope: the main chain under the document's id, then a chain a sub-agent
    std::vector<Diagnostic> diagnostics;
    /// Ids of the trace's blocks, by number, if "hash_id_scope" is "global": they mean the same blocks in
    /// every such document. Else empty.
    std::vector<std::int64_t> globalIds = {};
};

/// Requests that make no sense are left out and counted. `text` is only given room behind its end. The Error:
/// not such a document, or nothing in it could be used.
Result<WekaDocument> readWekaDocument(std::string& text, const std::string& path);

} // namespace loadline
