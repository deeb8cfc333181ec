// The document of `loadline replay`.
#include "app/cli/schedule/replay_document.h"

#include "core/replay/replay_figure.h"

#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json quantilesAsJson(const Quantiles& quantiles) {
    return {{"mean", quantiles.mean}, {"p50", quantiles.p50}, {"p90", quantiles.p90}, {"p99", quantiles.p99}};
}

Json summaryAsJson(const LatencySummary& summary) {
    Json json = Json::object();
    for (const LatencyKind kind : latencyKinds) {
        json[keyOf(kind)] = quantilesAsJson(quantilesOf(summary, kind));
    }
    json["makespan_s"] = summary.makespanS;
    return json;
}

Json errorsAsJson(const ReplayFigure& figure) {
    Json json = Json::object();
    for (const ReplayQuantile& quantile : figure.quantiles) {
        json[keyOf(quantile.kind)][quantile.statistic] = quantile.error;
    }
    json["makespan_s"] =
        figure.recordedMakespanS > 0 ? figure.predictedMakespanS / figure.recordedMakespanS - 1 : 0;
    return json;
}

/// null where the peer published nothing.
Json peerErrorsAsJson(const ReplayFigure& figure) {
    Json json;
    for (const ReplayQuantile& quantile : figure.quantiles) {
        if (quantile.peerError) {
            json[keyOf(quantile.kind)][quantile.statistic] = *quantile.peerError;
        }
    }
    return json;
}

Json inputsAsJson(const Replayed& replayed) {
    const RunMeta& meta = replayed.run.meta;
    return {{"run", replayed.path},
            {"engine", engineOf(replayed.run)},
            {"model", meta.model},
            {"tensor_parallel_size", meta.tensorParallel},
            {"max_num_seqs", meta.maxNumSeqs},
            {"max_num_batched_tokens", meta.maxNumBatchedTokens},
            {"block_size", meta.blockSize},
            {"gpu_memory_utilization", meta.gpuMemoryUtilization},
            {"enable_prefix_caching", meta.prefixCaching},
            {"async_scheduling", meta.asyncScheduling},
            {"prompts_known", replayed.run.prompted()}};
}

Json requestsAsJson(const Replayed& replayed) {
    Json list = Json::array();
    for (std::size_t i = 0; i < replayed.replay.requests.size(); ++i) {
        const ReplayedRequest& request = replayed.replay.requests[i];
        const RecordedRequest& recorded = replayed.run.requests[i];
        const auto latency = [&](const Latencies& latencies, LatencyKind kind) {
            return kind == LatencyKind::Tpot && recorded.output < 2 ? Json(nullptr)
                                                                    : Json(secondsOf(latencies, kind));
        };
        Json one{{"request_id", recorded.id}};
        for (const LatencyKind kind : latencyKinds) {
            one[keyOf(kind)] = latency(request.predicted, kind);
        }
        one["preemptions"] = request.preemptions;
        one["cached_tokens"] = request.cachedTokens;
        if (request.recorded) {
            for (const LatencyKind kind : latencyKinds) {
                one["recorded"][keyOf(kind)] = latency(*request.recorded, kind);
            }
        }
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace

Json replayDocument(const Replayed& replayed, bool perRequest) {
    const Replay& replay = replayed.replay;
    const Result<ReplayFigure> figure = replayFigure(replayed.run, replay);
    Json diagnostics = Json::array();
    for (const Diagnostic& diagnostic : replayed.run.diagnostics) {
        diagnostics.push_back({{"kind", std::string(keyOf(diagnostic.kind))},
                               {"line", diagnostic.line},
                               {"count", diagnostic.count},
                               {"what", sentenceOf(diagnostic)}});
    }
    Json json{{"schema", "loadline.replay/1"},
              {"inputs", inputsAsJson(replayed)},
              {"requests", replay.requests.size()},
              {"steps", replay.steps},
              {"preemptions", replay.preemptions},
              {"kv_blocks", replay.capacity.blocks},
              {"cached_tokens", replay.cachedTokens},
              {"predicted", summaryAsJson(replay.predicted)},
              {"recorded", replay.recorded ? summaryAsJson(*replay.recorded) : Json(nullptr)},
              {"error", figure ? errorsAsJson(*figure) : Json(nullptr)},
              {"peer_error", figure ? peerErrorsAsJson(*figure) : Json(nullptr)},
              {"time_s",
               {{"dense", replay.budget.denseS},
                {"attention", replay.budget.attentionS},
                {"links", replay.budget.linksS},
                {"head", replay.budget.headS},
                {"idle", replay.budget.idleS}}}};
    if (perRequest) {
        json["per_request"] = requestsAsJson(replayed);
    }
    json["notes"] = replay.notes;
    json["diagnostics"] = std::move(diagnostics);
    json["speed"] = {{"wall_s", replayed.wallS},
                     {"steps_per_s", static_cast<double>(replay.steps) / replayed.wallS},
                     {"times_real_time", replay.predicted.makespanS / replayed.wallS}};
    return json;
}

} // namespace loadline::app
