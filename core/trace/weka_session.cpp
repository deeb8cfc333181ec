// One captured session of kv-cache-tester as turns: requests with the prefix each shares with the last.
#include "core/trace/trace_lines.h"
#include "core/trace/weka_chain.h"
#include "core/trace/weka_document.h"

#include <optional>
#include <utility>

namespace loadline {

Result<Trace> readWekaSession(std::string_view text, const std::string& path) {
    std::string whole(text);
    Result<WekaDocument> document = readWekaDocument(whole, path);
    if (!document) {
        return document.error();
    }
    const BlockTrace& blocks = document->trace;
    WekaChains chains;
    for (const BlockChain& chain : blocks.chains) {
        for (const BlockRequest& request : blocks.requestsOf(chain)) {
            chains.add(document->id, chain.subAgent ? chain.id : "main",
                       {.startS = request.startS,
                        .apiS = request.answerS < 0 ? std::nullopt : std::optional(request.answerS),
                        .input = request.input,
                        .output = request.output,
                        .sharedTokens = request.shared * blocks.blockTokens});
        }
    }
    Trace trace;
    trace.sessions = chains.finish(trace.notes);
    trace.diagnostics = std::move(document->diagnostics);
    return trace;
}

} // namespace loadline
