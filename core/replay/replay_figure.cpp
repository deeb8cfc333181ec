// Lays what was predicted beside what was recorded.
#include "core/replay/replay_figure.h"

#include "core/replay/peer.h"
#include "core/text/enum_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

struct Statistic {
    const char* name;
    const char* peerName;
    double Quantiles::*value;
};

constexpr std::array statistics = {
    Statistic{"mean", "Mean", &Quantiles::mean}, Statistic{"p50", "Median", &Quantiles::p50},
    Statistic{"p90", "P90", &Quantiles::p90}, Statistic{"p99", "P99", &Quantiles::p99}};

std::string_view peerNameOf(LatencyKind kind) {
    switch (kind) {
    case LatencyKind::Ttft:
        return "TTFT";
    case LatencyKind::Tpot:
        return "TPOT";
    case LatencyKind::E2e:
        break;
    }
    return "Latency";
}

std::optional<double> peerErrorOf(const EngineRun& run, LatencyKind kind, std::string_view statistic) {
    const auto found = std::ranges::find_if(run.peerFigures, [&](const PeerFigure& figure) {
        return figure.metric == peerNameOf(kind) && figure.statistic == statistic;
    });
    return found == run.peerFigures.end() ? std::nullopt : std::optional(found->error);
}

double errorOf(double predicted, double recorded) {
    return recorded > 0 ? predicted / recorded - 1 : 0;
}

const ReplayQuantile& meanOf(const ReplayFigure& figure, LatencyKind kind) {
    return *std::ranges::find_if(figure.quantiles, [&](const ReplayQuantile& quantile) {
        return quantile.kind == kind && quantile.statistic == "mean";
    });
}

std::string replayFigureSentence(const ReplayFigure& figure) {
    std::string sentence = "Mean";
    std::size_t closer = 0;
    std::size_t compared = 0;
    for (const LatencyKind kind : latencyKinds) {
        const ReplayQuantile& mean = meanOf(figure, kind);
        sentence +=
            fmt::format("{} {} {}", kind == LatencyKind::Ttft ? "" : ",",
                        kind == LatencyKind::E2e ? "end-to-end time" : nameOf(kind), formatError(mean.error));
        if (mean.peerError) {
            ++compared;
            closer += std::abs(mean.error) < std::abs(*mean.peerError) ? 1 : 0;
        }
    }
    sentence += " against the recorded engine";
    sentence += figure.withinBounds ? ", within the bounds of 8 %, 4 % and 4 %."
                                    : ", beyond the bounds of 8 %, 4 % and 4 %.";
    if (compared > 0) {
        sentence +=
            fmt::format(" {} of {} means are closer than those {} published.", closer, compared, peerName);
    }
    return sentence;
}

} // namespace

std::string_view keyOf(LatencyKind kind) {
    return wordOf(kind, {"ttft_s", "tpot_s", "e2e_s"});
}

std::string_view nameOf(LatencyKind kind) {
    return wordOf(kind, {"TTFT", "TPOT", "End to end"});
}

double boundOf(LatencyKind kind) {
    constexpr double ttft = 0.08;
    constexpr double others = 0.04;
    return kind == LatencyKind::Ttft ? ttft : others;
}

double secondsOf(const Latencies& latencies, LatencyKind kind) {
    return std::array{latencies.ttftS, latencies.tpotS, latencies.e2eS}[static_cast<std::size_t>(kind)];
}

const Quantiles& quantilesOf(const LatencySummary& summary, LatencyKind kind) {
    return *std::array{&summary.ttftS, &summary.tpotS, &summary.e2eS}[static_cast<std::size_t>(kind)];
}

std::string engineOf(const EngineRun& run) {
    const std::string& device = run.meta.device.empty() ? run.tables.gpu : run.meta.device;
    const std::string gpus = run.meta.tensorParallel > 1 ? fmt::format("{} ", run.meta.tensorParallel) : "";
    return fmt::format("{} on {}{}, vLLM {}", run.model.name, gpus,
                       device.empty() ? "an unnamed GPU" : device,
                       run.meta.vllmVersion.empty() ? "of unknown version" : run.meta.vllmVersion);
}

std::string formatError(double error) {
    constexpr double percent = 100;
    constexpr double shown = 0.05;
    const double value = error * percent;
    return std::abs(value) < shown ? "0.0 %" : fmt::format("{:+.1f} %", value);
}

Result<ReplayFigure> replayFigure(const EngineRun& run, const Replay& replay) {
    if (!replay.recorded) {
        return Error{"there is nothing to compare with: requests.jsonl holds no recorded times", run.name,
                     "a run with queued_ts, first_token_ts and last_token_ts of every request"};
    }
    ReplayFigure figure;
    figure.run = run.name;
    figure.engine = engineOf(run);
    for (std::size_t i = 0; i < replay.requests.size(); ++i) {
        const RecordedRequest& recorded = run.requests[i];
        const ReplayedRequest& replayed = replay.requests[i];
        figure.dots.push_back({.id = recorded.id,
                               .arrivalS = recorded.arrivalS,
                               .input = recorded.input,
                               .output = recorded.output,
                               .predicted = replayed.predicted,
                               .recorded = *replayed.recorded,
                               .preemptions = replayed.preemptions});
    }
    figure.withinBounds = true;
    for (const LatencyKind kind : latencyKinds) {
        for (const Statistic& statistic : statistics) {
            const double predicted = quantilesOf(replay.predicted, kind).*statistic.value;
            const double recorded = quantilesOf(*replay.recorded, kind).*statistic.value;
            figure.quantiles.push_back({.kind = kind,
                                        .statistic = statistic.name,
                                        .predictedS = predicted,
                                        .recordedS = recorded,
                                        .error = errorOf(predicted, recorded),
                                        .peerError = peerErrorOf(run, kind, statistic.peerName)});
        }
        figure.withinBounds = figure.withinBounds && std::abs(meanOf(figure, kind).error) <= boundOf(kind);
    }
    figure.predictedMakespanS = replay.predicted.makespanS;
    figure.recordedMakespanS = replay.recorded->makespanS;
    figure.preemptions = replay.preemptions;
    figure.steps = replay.steps;
    figure.budget = replay.budget;
    figure.notes = replay.notes;
    figure.sentence = replayFigureSentence(figure);
    return figure;
}

} // namespace loadline
