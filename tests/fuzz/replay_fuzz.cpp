// Any bytes as the files of a recorded run: a value that makes sense, or a sentence.
#include "core/replay/peer.h"
#include "core/replay/plain_yaml.h"
#include "core/replay/run_meta.h"
#include "core/replay/run_requests.h"
#include "core/replay/skew_fit.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace loadline;

void check(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void checkRequests(std::string_view text) {
    Result<RunRequests> run = runRequestsFromJsonLines(text, "fuzz");
    if (!run) {
        check(!run.error().what.empty() && !run.error().remedy.empty());
        return;
    }
    double before = 0;
    for (const RecordedRequest& request : run->requests) {
        check(request.arrivalS >= before && std::isfinite(request.arrivalS));
        check(request.input >= 1 && request.output >= 1);
        check(!request.times || (request.times->queuedS <= request.times->firstTokenS &&
                                 request.times->firstTokenS <= request.times->lastTokenS));
        before = request.arrivalS;
    }
    if (const Status added = addPrompts(run->requests, text, "fuzz"); !added) {
        check(!added.error().what.empty());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const Result<RunMeta> meta = runMetaFromJson(text, "fuzz")) {
        check(!meta->model.empty() && meta->maxNumSeqs >= 1 && meta->blockSize >= 1);
        check(std::isfinite(meta->gpuMemoryUtilization));
    }
    checkRequests(text);
    if (const Result<PeerConfig> peer = peerConfigFromJson(text, "fuzz")) {
        check(peer->linkBytesPerS > 0 && peer->linkLatencyS >= 0 && peer->memoryBytes > 0);
    }
    for (const PeerFigure& figure : peerFiguresFromText(text)) {
        check(std::isfinite(figure.error));
    }
    if (const Result<SkewFit> fit = readSkewFit(text, plainYaml(text), 1)) {
        check(!std::isnan(fit->alphaOf({.decodes = 3, .least = 1, .mean = 2, .most = 9})));
    }
    return 0;
}
