// A recorded run of which the files are parts of the input: kernel tables that are read give times, and the
// run can be served again to its last token.
#include "core/replay/replay.h"
#include "tests/fuzz/check.h"

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkTables(const LayerTables& tables) {
    for (const auto* curves : {&tables.dense, &tables.perSequence}) {
        for (const auto& [layer, curve] : *curves) {
            for (const double x : {0.0, 1.0, 3.5, 1e9}) {
                check(isTime(curve.at(x)));
            }
        }
    }
    check(!tables.attention.empty());
    for (const double most : {0.0, 1.0, 300.0, 1e6}) {
        check(isTime(tables.attention.at(
            {.chunk = most, .chunkContext = most / 2, .decodes = most / 3, .decodeContext = most})));
        const DecodeSpread spread{.chunk = most,
                                  .chunkContext = most / 2,
                                  .decodes = most / 3,
                                  .least = 0,
                                  .mean = most / 2,
                                  .most = most};
        check(!tables.skew || std::isfinite(tables.skew->alphaOf(spread)));
    }
}

/// More than this is as right, but not served in a moment.
bool isSmall(const EngineRun& run) {
    constexpr Tokens most = 1 << 13;
    Tokens tokens = 0;
    for (const RecordedRequest& request : run.requests) {
        tokens = std::min(most + 1, tokens + request.input + request.output);
    }
    return tokens <= most && run.meta.kvBlocks.value_or(2) <= 1 << 16;
}

void checkReplay(const EngineRun& run) {
    const Result<Replay> replay = replayRun(run);
    if (!replay) {
        return checkError(replay.error());
    }
    check(replay->requests.size() == run.requests.size() && replay->steps >= 1);
    for (const ReplayedRequest& request : replay->requests) {
        check(isTime(request.predicted.ttftS) && request.predicted.e2eS >= request.predicted.ttftS);
        check(isTime(request.predicted.tpotS) && request.preemptions >= 0 && request.cachedTokens >= 0);
    }
    check(isTime(replay->budget.busyS()) && isTime(replay->predicted.makespanS));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parts = partsOf(fuzz::textOf(data, size), 8);
    EngineRun run;
    run.name = "x";
    const Result<LayerTables> tables = layerTablesFromTexts({.dense = std::string(parts[3]),
                                                             .perSequence = std::string(parts[4]),
                                                             .attention = std::string(parts[5]),
                                                             .meta = std::string(parts[6]),
                                                             .skewFit = std::string(parts[7])},
                                                            "x", 1);
    if (!tables) {
        checkError(tables.error());
        return 0;
    }
    checkTables(*tables);
    const Result<RunMeta> meta = runMetaFromJson(parts[0], "x");
    Result<RunRequests> requests = runRequestsFromJsonLines(parts[1], "x");
    const ModelShapes* model = meta ? shapesOfModel(meta->model) : nullptr;
    if (!requests || model == nullptr) {
        return 0;
    }
    run.meta = *meta;
    run.model = *model;
    run.tables = *tables;
    run.requests = std::move(requests->requests);
    if (const Result<PeerConfig> peer = peerConfigFromJson(parts[2], "x")) {
        run.peer = *peer;
    }
    if (isSmall(run) && (run.peer || run.meta.tensorParallel == 1)) {
        checkReplay(run);
    }
    return 0;
}
