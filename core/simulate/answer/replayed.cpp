// Words and figures of a replayed trace.
#include "core/simulate/answer/replayed.h"

#include "core/cache/split/cache_model.h"
#include "core/simulate/answer/what_counts.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

namespace loadline {
namespace {

const RecordedServer* recordedIn(const SimulationInputs& inputs) {
    return inputs.arrivals.kind == ArrivalKind::Trace && inputs.workload && inputs.workload->recorded
               ? &*inputs.workload->recorded
               : nullptr;
}

ReplayedServer simulatedAs(const Format& format, const SimulationResult& all) {
    return {nameOf(format), all.throughputTokensPerS(), all.e2eS};
}

/// "13.6 s (median), 54.7 tokens/s"
std::string figuresTextOf(const ReplayedServer& server, bool namesMedian) {
    std::vector<std::string> parts;
    if (server.e2eS.n > 0) {
        parts.push_back(formatSeconds(server.e2eS.p50) + (namesMedian ? " (median)" : ""));
    }
    if (server.tokensPerS > 0) {
        parts.push_back(formatReal(server.tokensPerS, 3) + " tokens/s");
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Returns how far the log's bits a weight are from those of a format.
double bitsApart(const RecordedServer& log, const Format& format) {
    return std::abs(log.bitsPerWeight - specOf(format.weights).bitsEach);
}

/// Returns the simulated server whose weights are nearest to the log's; the chosen format where the log does
/// not tell its bits.
const ReplayedServer& likeTheLog(const SimulatorFigure& figure, const std::vector<ReplayedServer>& servers) {
    const bool nearer = bitsApart(*recordedIn(figure.inputs), figure.inputs.against) <
                        bitsApart(*recordedIn(figure.inputs), figure.inputs.cost.format);
    const bool against = recordedIn(figure.inputs)->bitsPerWeight > 0 && nearer && servers.size() > 2;
    return against ? servers[2] : servers[1];
}

bool isSameModel(const std::string& key, const ModelShapes& shapes) {
    const CacheModel* const named = findCacheModel(key);
    return key == shapes.key || key == shapes.name ||
           (named != nullptr && named == findCacheModel(shapes.key));
}

} // namespace

std::vector<ReplayedServer> replayedServersOf(const SimulatorFigure& figure) {
    std::vector<ReplayedServer> servers;
    if (figure.inputs.arrivals.kind != ArrivalKind::Trace || !tellsLatencies(figure.inputs)) {
        return servers;
    }
    if (const RecordedServer* const log = recordedIn(figure.inputs);
        log != nullptr && (log->latencyS.n > 0 || log->tokensPerS > 0)) {
        servers.push_back({"log", log->tokensPerS, log->latencyS});
    }
    if (!figure.pair) {
        servers.push_back(simulatedAs(figure.inputs.cost.format, figure.present));
        return servers;
    }
    for (const ServedFormat* const served : {&figure.pair->own, &figure.pair->against}) {
        if (served->fits) {
            servers.push_back(simulatedAs(served->format, served->all));
        }
    }
    return servers;
}

std::string replaySentenceOf(const SimulatorFigure& figure) {
    const std::vector<ReplayedServer> servers = replayedServersOf(figure);
    const RecordedServer* const log = recordedIn(figure.inputs);
    if (log == nullptr || servers.size() < 2 || servers.front().name != "log" || servers[1].e2eS.n == 0) {
        return {};
    }
    ReplayedServer simulated = likeTheLog(figure, servers);
    if (log->latencyS.n == 0) { // a figure that only one of both has is no comparison
        simulated.e2eS = {};
    }
    if (!(log->tokensPerS > 0)) {
        simulated.tokensPerS = 0;
    }
    const double refused = figure.pair ? figure.pair->refusedShare : 0;
    return fmt::format("{} at {}: {}{}; in the log {}{}.",
                       figure.stage == FigureStage::Preview ? "Replayed (preview)" : "Replayed",
                       simulated.name, simulated.e2eS.n > 0 ? "latency " : "", figuresTextOf(simulated, true),
                       figuresTextOf(servers.front(), false),
                       refused > fewRefused ? fmt::format(" of all requests, of which {} are simulated",
                                                          formatShare(1 - refused))
                                            : std::string());
}

std::string logDifferencesOf(const SimulationInputs& inputs) {
    const RecordedServer* const log = recordedIn(inputs);
    if (log == nullptr) {
        return {};
    }
    const ModelShapes& shapes = inputs.cost.model;
    const std::string& simulated = shapes.name.empty() ? shapes.key : shapes.name;
    std::vector<std::string> sentences;
    if (log->model.empty()) {
        sentences.push_back(fmt::format("The log names no known model: {} is assumed.", simulated));
    } else if (!isSameModel(log->model, shapes)) {
        sentences.push_back(fmt::format("The log's model is {}: {} is simulated.", log->model, simulated));
    }
    constexpr double asGood = 0.5; // bits
    const Format& own = inputs.cost.format;
    const bool nearer = comparesFormats(inputs) && bitsApart(*log, inputs.against) < bitsApart(*log, own);
    const Format& nearest = nearer ? inputs.against : own;
    if (const StorageSpec& weights = specOf(nearest.weights);
        log->bitsPerWeight > 0 && bitsApart(*log, nearest) > asGood) {
        sentences.push_back(fmt::format("The log's {} bits a weight are not simulated: {} has {}.",
                                        formatReal(log->bitsPerWeight, 3), weights.name,
                                        formatReal(weights.bitsEach, 3)));
    }
    if (log->maxSeqs > 0 && log->maxSeqs != seqsOf(inputs.policy)) {
        sentences.push_back(
            fmt::format("The log's server ran at most {} requests at once, the simulated one {}.",
                        formatExact(log->maxSeqs), formatExact(seqsOf(inputs.policy))));
    }
    return fmt::format("{}", fmt::join(sentences, " "));
}

Table replayTable(const SimulatorFigure& figure) {
    Table table =
        tableWith("server throughput_tokens_per_s requests e2e_mean_s e2e_p50_s e2e_p90_s e2e_p99_s");
    for (const ReplayedServer& server : replayedServersOf(figure)) {
        const Quantiles& e2e = server.e2eS;
        const auto known = [](bool is, double value) { return is ? Cell(value) : Cell(); };
        table.rows.push_back({server.name, known(server.tokensPerS > 0, server.tokensPerS),
                              e2e.n > 0 ? Cell(static_cast<std::int64_t>(e2e.n)) : Cell(),
                              known(e2e.n > 0, e2e.mean), known(e2e.n > 0, e2e.p50),
                              known(e2e.n > 0, e2e.p90), known(e2e.n > 0, e2e.p99)});
    }
    return table;
}

} // namespace loadline
