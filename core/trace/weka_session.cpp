// One captured session of kv-cache-tester as turns: requests with the prefix each shares with the last.
#include "core/trace/trace_lines.h"
#include "core/trace/weka_chain.h"
#include "core/trace/weka_document.h"

#include <utility>

namespace loadline {

Result<Trace> readWekaSession(std::string_view text, const std::string& path) {
    std::string whole(text);
    Result<WekaDocument> document = readWekaDocument(whole, path);
    if (!document) {
        return document.error();
    }
    Trace trace;
    trace.sessions = sessionsOf(document->trace, trace.notes);
    trace.diagnostics = std::move(document->diagnostics);
    return trace;
}

} // namespace loadline
