// Any bytes as each file of a recorded run's folder: a value that makes sense, or a sentence.
#include "core/replay/peer.h"
#include "core/replay/run_meta.h"
#include "core/replay/run_requests.h"
#include "core/replay/tables/plain_yaml.h"
#include "core/replay/tables/skew_fit.h"
#include "tests/fuzz/check.h"

#include <algorithm>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkMeta(std::string_view text) {
    const Result<RunMeta> meta = runMetaFromJson(text, "x");
    if (!meta) {
        return checkError(meta.error());
    }
    check(!meta->model.empty() && meta->maxNumSeqs >= 1 && meta->maxNumBatchedTokens >= 1);
    check(meta->blockSize >= 1 && meta->tensorParallel >= 1 && meta->kvBlocks.value_or(2) >= 2);
    check(meta->gpuMemoryUtilization > 0 && meta->gpuMemoryUtilization <= 1);
    check(meta->valueBytes() >= 1 && meta->kvValueBytes() >= 1);
    check(std::is_sorted(meta->captureTokens.begin(), meta->captureTokens.end()));
}

void checkRequests(std::string_view text) {
    Result<RunRequests> run = runRequestsFromJsonLines(text, "x");
    if (!run) {
        return checkError(run.error());
    }
    check(run->requests.size() <= static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    double before = 0;
    for (const RecordedRequest& request : run->requests) {
        check(request.arrivalS >= before && std::isfinite(request.arrivalS));
        check(request.input >= 1 && request.output >= 1);
        check(!request.times || (request.times->queuedS <= request.times->firstTokenS &&
                                 request.times->firstTokenS <= request.times->lastTokenS));
        before = request.arrivalS;
    }
    if (const Status added = addPrompts(run->requests, text, "x"); !added) {
        checkError(added.error());
    }
}

void checkYaml(std::string_view text) {
    const auto yaml = plainYaml(text);
    std::size_t bytes = 0;
    for (const auto& [path, value] : yaml) {
        bytes += value.size();
        check(value.find('\n') == std::string::npos && path.find('\n') == std::string::npos);
        for (const std::string& entry : flowList(value)) {
            check(entry.size() <= value.size());
        }
    }
    check(bytes <= text.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    checkMeta(text);
    checkRequests(text);
    if (const Result<PeerConfig> peer = peerConfigFromJson(text, "x")) {
        check(peer->linkBytesPerS > 0 && isTime(peer->linkLatencyS) && peer->memoryBytes > 0);
    } else {
        checkError(peer.error());
    }
    for (const PeerFigure& figure : peerFiguresFromText(text)) {
        check(figure.recordedMs > 0 && isTime(figure.predictedMs) && std::isfinite(figure.error));
    }
    checkYaml(text);
    return 0;
}
