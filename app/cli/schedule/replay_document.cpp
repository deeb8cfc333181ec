// What `loadline replay` says, as a document and for a terminal.
#include "app/cli/schedule/replay_document.h"

#include "core/text/text_table.h"
#include "core/replay/replay_figure.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

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

constexpr double msPerS = 1000;
constexpr double fewSeconds = 1;

/// "32.5 ms", "65.49 s".
std::string secondsText(double seconds) {
    return seconds < fewSeconds ? formatFixed(seconds * msPerS, 2) + " ms" : formatFixed(seconds, 2) + " s";
}

std::string quantilesText(const Replay& replay, const ReplayFigure* figure) {
    TextTable table;
    table.columns = {{"Latency"}, {"Statistic"}, {"Predicted", true}};
    if (figure != nullptr) {
        table.columns.push_back({"Recorded", true});
        table.columns.push_back({"Error", true});
        table.columns.push_back({"LLMServingSim's error", true});
        for (const ReplayQuantile& quantile : figure->quantiles) {
            table.rows.push_back({std::string(nameOf(quantile.kind)), quantile.statistic,
                                  secondsText(quantile.predictedS), secondsText(quantile.recordedS),
                                  formatError(quantile.error),
                                  quantile.peerError ? formatError(*quantile.peerError) : ""});
        }
        return alignedText(table);
    }
    for (const LatencyKind kind : latencyKinds) {
        const Quantiles& quantiles = quantilesOf(replay.predicted, kind);
        for (const auto& [name, value] : {std::pair{"mean", quantiles.mean},
                                          {"p50", quantiles.p50},
                                          {"p90", quantiles.p90},
                                          {"p99", quantiles.p99}}) {
            table.rows.push_back({std::string(nameOf(kind)), name, secondsText(value)});
        }
    }
    return alignedText(table);
}

std::string requestsText(const Replayed& replayed) {
    const bool recorded = replayed.replay.recorded.has_value();
    TextTable table;
    table.columns = {{"Request"}, {"Input", true}, {"Output", true}, {"Preemptions", true}};
    for (const LatencyKind kind : latencyKinds) {
        table.columns.push_back({std::string(nameOf(kind)), true});
        if (recorded) {
            table.columns.push_back({"recorded", true});
        }
    }
    for (std::size_t i = 0; i < replayed.replay.requests.size(); ++i) {
        const ReplayedRequest& request = replayed.replay.requests[i];
        std::vector<std::string> row{replayed.run.requests[i].id, formatExact(replayed.run.requests[i].input),
                                     formatExact(replayed.run.requests[i].output),
                                     formatExact(request.preemptions)};
        for (const LatencyKind kind : latencyKinds) {
            row.push_back(secondsText(secondsOf(request.predicted, kind)));
            if (recorded) {
                row.push_back(secondsText(secondsOf(*request.recorded, kind)));
            }
        }
        table.rows.push_back(std::move(row));
    }
    return alignedText(table);
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
                               {"other_lines", diagnostic.otherLines},
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
    json["complete"] = replayed.run.diagnostics.empty();
    json["diagnostics"] = std::move(diagnostics);
    json["speed"] = {{"wall_s", replayed.wallS},
                     {"steps_per_s", static_cast<double>(replay.steps) / replayed.wallS},
                     {"times_real_time", replay.predicted.makespanS / replayed.wallS}};
    return json;
}

std::string replayText(const Replayed& replayed, bool perRequest) {
    constexpr double percent = 100;
    const Replay& replay = replayed.replay;
    const Result<ReplayFigure> figure = replayFigure(replayed.run, replay);
    std::string text = visibleText(engineOf(replayed.run)) + "\n" +
                       (figure ? visibleText(figure->sentence) : "No times were recorded to compare with.") +
                       "\n\n" + quantilesText(replay, figure ? &*figure : nullptr) + "\n";
    if (perRequest) {
        text += requestsText(replayed) + "\n";
    }
    const double all = replay.budget.busyS() + replay.budget.idleS;
    const auto share = [&](double seconds) { return all > 0 ? percent * seconds / all : 0; };
    text += fmt::format("{} in {} steps, {}, {} KV blocks; last token after {} s",
                        counted(replay.requests.size(), "request"), formatExact(replay.steps),
                        counted(static_cast<std::uint64_t>(replay.preemptions), "preemption"),
                        formatExact(replay.capacity.blocks), formatFixed(replay.predicted.makespanS, 1));
    text += replay.recorded ? fmt::format(" (recorded {} s)\n", formatFixed(replay.recorded->makespanS, 1))
                            : "\n";
    text +=
        fmt::format("Predicted time: {:.0f} % dense layers, {:.0f} % attention, {:.0f} % links, {:.0f} % LM "
                    "head and sampling, {:.0f} % idle\n",
                    share(replay.budget.denseS), share(replay.budget.attentionS), share(replay.budget.linksS),
                    share(replay.budget.headS), share(replay.budget.idleS));
    text +=
        fmt::format("Replayed in {}: {} steps a second, {} times real time\n", formatSeconds(replayed.wallS),
                    formatCount(static_cast<double>(replay.steps) / replayed.wallS),
                    formatCount(replay.predicted.makespanS / replayed.wallS));
    for (const std::string& note : replay.notes) {
        text += "- " + visibleText(note) + "\n";
    }
    for (const Diagnostic& diagnostic : replayed.run.diagnostics) {
        text += "- requests.jsonl: " + visibleText(sentenceOf(diagnostic)) + "\n";
    }
    return text;
}

} // namespace loadline::app
