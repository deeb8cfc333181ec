// Describes a replay.
#include "core/replay/replay_report.h"

#include "core/ask/table_of.h"
#include "core/replay/replay_figure.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace loadline::ask {
namespace {

constexpr std::array statistics = {std::pair("mean", &Quantiles::mean), std::pair("p50", &Quantiles::p50),
                                   std::pair("p90", &Quantiles::p90), std::pair("p99", &Quantiles::p99)};

void addSetUp(Report& report, const Replayed& replayed) {
    const RunMeta& meta = replayed.run.meta;
    const Below below(report, "inputs");
    below.add("run", replayed.question.run);
    below.add("engine", engineOf(replayed.run));
    below.add("model", meta.model);
    below.add("tensor_parallel_size", meta.tensorParallel);
    below.add("max_num_seqs", meta.maxNumSeqs);
    below.add("max_num_batched_tokens", meta.maxNumBatchedTokens);
    below.add("block_size", meta.blockSize);
    below.add("gpu_memory_utilization", meta.gpuMemoryUtilization);
    below.add("enable_prefix_caching", meta.prefixCaching);
    below.add("async_scheduling", meta.asyncScheduling);
    below.add("prompts_known", replayed.run.prompted());
    if (!replayed.question.prompts.empty()) {
        below.add("prompts", replayed.question.prompts);
    }
    if (replayed.question.kvBlocks) {
        below.add("blocks", *replayed.question.kvBlocks);
    }
}

void addLatencySummary(Report& report, const std::string& path, const LatencySummary& summary) {
    for (const LatencyKind kind : latencyKinds) {
        for (const auto& [name, value] : statistics) {
            report.add(fmt::format("{}.{}.{}", path, keyOf(kind), name), quantilesOf(summary, kind).*value);
        }
    }
    report.add(path + ".makespan_s", summary.makespanS);
}

/// Errors of the prediction, and the peer's; for people beside what was predicted and recorded.
void addErrors(Report& report, ReplayFigure figure) {
    using Q = ReplayQuantile;
    const auto& quantiles = report.keep(std::move(figure.quantiles));
    for (const Q& quantile : quantiles) {
        report.add(fmt::format("error.{}.{}", keyOf(quantile.kind), quantile.statistic), quantile.error);
    }
    report.add("error.makespan_s",
               figure.recordedMakespanS > 0 ? figure.predictedMakespanS / figure.recordedMakespanS - 1 : 0.0);
    bool hasPeer = false;
    for (const Q& quantile : quantiles) {
        if (quantile.peerError) {
            report.add(fmt::format("peer_error.{}.{}", keyOf(quantile.kind), quantile.statistic),
                       quantile.peerError);
            hasPeer = true;
        }
    }
    if (!hasPeer) { // it published nothing
        report.add("peer_error", Cell());
    }
    report.add(TableOf("", quantiles)
                   .titled("Latencies")
                   .textColumn(
                       "Latency", [](const Q& q) { return nameOf(q.kind); }, Form::Text)
                   .textColumn("Statistic", &Q::statistic, Form::Text)
                   .textColumn("Predicted", &Q::predictedS, Form::Seconds)
                   .textColumn("Recorded", &Q::recordedS, Form::Seconds)
                   .textColumn("Error", [](const Q& q) { return formatError(q.error); })
                   .textColumn("LLMServingSim's error", [](const Q& q) {
                       return q.peerError ? formatError(*q.peerError) : std::string();
                   }));
}

/// Adds the predicted latencies alone, for a run without recorded ones.
void tellPredicted(Report& report, const LatencySummary& predicted) {
    std::vector<Column> columns = {columnAt(
        {}, [](std::size_t row) { return nameOf(latencyKinds[row]); }, "Latency", Form::Text)};
    for (const auto& [name, value] : statistics) {
        columns.push_back(columnAt(
            {},
            [&predicted, value](std::size_t row) { return quantilesOf(predicted, latencyKinds[row]).*value; },
            name, Form::Seconds));
    }
    report.add({}, "Predicted", latencyKinds.size(), std::move(columns));
}

void addRequests(Report& report, const Replayed& replayed) {
    struct Row {
        const RecordedRequest* given;
        const ReplayedRequest* served;
    };
    std::vector<Row> all;
    for (std::size_t i = 0; i < replayed.replay.requests.size(); ++i) {
        all.push_back({&replayed.run.requests[i], &replayed.replay.requests[i]});
    }
    const auto& rows = report.keep(std::move(all));
    const auto isRecorded = [](const Row& row) { return row.served->recorded.has_value(); };
    TableOf table("per_request", rows);
    table.titled("Requests", rows.size())
        .column(
            "request_id", "Request", [](const Row& row) { return row.given->id; }, Form::Text)
        .textColumn("Input", [](const Row& row) { return row.given->input; })
        .textColumn("Output", [](const Row& row) { return row.given->output; });
    const auto latency = [](const Row& row, const Latencies& of, LatencyKind kind) {
        return kind == LatencyKind::Tpot && row.given->output < 2 ? Cell() : Cell(secondsOf(of, kind));
    };
    for (const LatencyKind kind : latencyKinds) {
        table.column(
            std::string(keyOf(kind)), std::string(nameOf(kind)),
            [=](const Row& row) { return latency(row, row.served->predicted, kind); }, Form::Seconds);
    }
    table.column("preemptions", "Preemptions", [](const Row& row) { return row.served->preemptions; })
        .document("cached_tokens", [](const Row& row) { return row.served->cachedTokens; });
    for (const LatencyKind kind : latencyKinds) {
        table.where(isRecorded, "recorded." + std::string(keyOf(kind)), [=](const Row& row) {
            return row.served->recorded ? latency(row, *row.served->recorded, kind) : Cell();
        });
        if (replayed.replay.recorded) {
            table->columns.back().title = std::string(nameOf(kind)) + " recorded";
            table->columns.back().form = Form::Seconds;
            table->columns.back().shown = Shown::Text;
        }
    }
    report.add(std::move(table));
}

void addDiagnostics(Report& report, const std::vector<Diagnostic>& diagnostics) {
    Grouped<std::uint64_t> lines;
    for (const Diagnostic& diagnostic : diagnostics) {
        for (const auto line : diagnostic.otherLines) {
            lines.add(line);
        }
        lines.endGroup();
        report.notes.push_back({"requests.jsonl: " + diagnosticSentence(diagnostic), Note::Kind::Diagnostic});
    }
    report.add(TableOf("diagnostics", diagnostics)
                   .document("kind", [](const Diagnostic& one) { return keyOf(one.kind); })
                   .document("line", &Diagnostic::line)
                   .document("count", &Diagnostic::count)
                   .document("what", [](const Diagnostic& one) { return diagnosticSentence(one); }));
    report.add(listsWithin("diagnostics.other_lines", report.keep(std::move(lines))));
}

std::string sentenceOfRun(const Replay& replay) {
    return fmt::format(
        "{} in {} steps, {}, {} KV blocks; last token after {}{}", counted(replay.requests.size(), "request"),
        formatExact(replay.steps), counted(static_cast<std::uint64_t>(replay.preemptions), "preemption"),
        formatExact(replay.capacity.blocks), formatSeconds(replay.predicted.makespanS),
        replay.recorded ? fmt::format(" (recorded {})", formatSeconds(replay.recorded->makespanS)) : "");
}

/// The predicted time of the GPU, and what the replay took.
void addTimes(Report& report, const Replayed& replayed) {
    const Replay& replay = replayed.replay;
    const ReplayBudget& budget = replay.budget;
    const double all = budget.busyS() + budget.idleS;
    const auto add = [&](const char* key, const char* label, double seconds) {
        report.add(fmt::format("time_s.{}", key), seconds, label, Form::Text,
                   formatShare(all > 0 ? seconds / all : 0));
    };
    report.say("Predicted time");
    add("dense", "dense layers", budget.denseS);
    add("attention", "attention", budget.attentionS);
    add("links", "links", budget.linksS);
    add("head", "LM head and sampling", budget.headS);
    add("idle", "idle", budget.idleS);
}

} // namespace

Report replayReport(const Replayed& replayed, bool perRequest) {
    const Replay& replay = replayed.replay;
    Result<ReplayFigure> figure = replayFigure(replayed.run, replay);
    Report report;
    report.schema = "loadline.replay/1";
    report.headline = visibleText(engineOf(replayed.run)) + "\n" +
                      (figure ? visibleText(figure->sentence) : "No times were recorded to compare with.");
    addSetUp(report, replayed);
    report.add("requests", replay.requests.size());
    report.add("steps", replay.steps);
    report.add("preemptions", replay.preemptions);
    report.add("kv_blocks", replay.capacity.blocks);
    report.add("cached_tokens", replay.cachedTokens);
    report.say(sentenceOfRun(replay));
    addLatencySummary(report, "predicted", replay.predicted);
    if (replay.recorded) {
        addLatencySummary(report, "recorded", *replay.recorded);
    } else {
        report.add("recorded", Cell());
    }
    if (figure) {
        addErrors(report, std::move(*figure));
    } else {
        report.add("error", Cell());
        report.add("peer_error", Cell());
        tellPredicted(report, replay.predicted);
    }
    addTimes(report, replayed);
    if (perRequest) {
        addRequests(report, replayed);
    }
    report.add(listOf("notes", replay.notes));
    for (const std::string& note : replay.notes) {
        report.addCaveat(note);
    }
    report.add("complete", replayed.run.diagnostics.empty());
    addDiagnostics(report, replayed.run.diagnostics);
    report.add("speed.wall_s", replayed.wallS, "replayed in", Form::Seconds);
    report.add("speed.steps_per_s", static_cast<double>(replay.steps) / replayed.wallS, "steps a second",
               Form::Tokens);
    report.add("speed.times_real_time", replay.predicted.makespanS / replayed.wallS, "times real time",
               Form::Tokens);
    return report;
}

} // namespace loadline::ask
