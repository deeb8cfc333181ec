// What `loadline replay` prints on a terminal.
#include "app/cli/schedule/replay_document.h"
#include "app/cli/terminal/text_table.h"
#include "core/replay/replay_figure.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <utility>

namespace loadline::app {
namespace {

constexpr double msPerS = 1000;
constexpr double fewSeconds = 1;

/// "32.5 ms", "65.49 s".
std::string secondsText(double seconds) {
    return seconds < fewSeconds ? fmt::format("{:.2f} ms", seconds * msPerS)
                                : fmt::format("{:.2f} s", seconds);
}

std::string quantilesText(const Replay& replay, const ReplayFigure* figure) {
    TextTable table;
    table.columns = {{"Latency"}, {"Statistic"}, {"Predicted", true}};
    if (figure != nullptr) {
        table.columns.push_back({"Recorded", true});
        table.columns.push_back({"Error", true});
        table.columns.push_back({"Peer's error", true});
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
    text += fmt::format("{} in {} steps, {}, {} KV blocks; last token after {:.1f} s",
                        counted(replay.requests.size(), "request"), formatExact(replay.steps),
                        counted(static_cast<std::uint64_t>(replay.preemptions), "preemption"),
                        formatExact(replay.capacity.blocks), replay.predicted.makespanS);
    text += replay.recorded ? fmt::format(" (recorded {:.1f} s)\n", replay.recorded->makespanS) : "\n";
    text +=
        fmt::format("Predicted time: {:.0f} % dense layers, {:.0f} % attention, {:.0f} % links, {:.0f} % LM "
                    "head and sampling, {:.0f} % idle\n",
                    share(replay.budget.denseS), share(replay.budget.attentionS), share(replay.budget.linksS),
                    share(replay.budget.headS), share(replay.budget.idleS));
    text +=
        fmt::format("Replayed in {:.1f} ms: {} steps a second, {} times real time\n", replayed.wallS * msPerS,
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
