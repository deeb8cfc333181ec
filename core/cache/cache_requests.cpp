// Reads traces, or rebuilds what sessions asked for.
#include "core/cache/cache_requests.h"

#include <utility>

namespace loadline {

CacheRequests cacheRequestsOf(std::shared_ptr<const Corpus> corpus, const Selection& selection,
                              Tokens blockTokens, const std::stop_token& stop) {
    CacheRequests requests;
    requests.corpus = std::move(corpus);
    requests.lanes = laneCallsOf(*requests.corpus, selection);
    if (stop.stop_requested()) {
        return requests;
    }
    requests.provider = providerFiguresOf(*requests.corpus, selection, requests.lanes, stop);
    if (stop.stop_requested()) {
        return requests;
    }
    RebuiltTrace rebuilt = rebuiltTraceOf(*requests.corpus, requests.lanes, blockTokens, stop);
    requests.trace = std::move(rebuilt.trace);
    requests.callsLeftOut = rebuilt.callsLeftOut;
    return requests;
}

Result<CacheRequests> cacheRequestsIn(const CacheFiles& found, const BlockTraceOptions& options,
                                      const std::stop_token& stop, Progress& progress) {
    Result<BlockTraceFiles> files = readBlockTraces(found.traces, options, stop, progress);
    if (!files) {
        return files.error();
    }
    for (const PathDiagnostic& one : found.diagnostics) {
        files->diagnostics.push_back({one.path, 0, sentenceOf(one.diagnostic)});
    }
    CacheRequests requests;
    requests.trace = std::move(files->trace);
    requests.files = std::move(*files);
    return requests;
}

} // namespace loadline
