// A dot a server, in the ink of its model.
#include "core/validate/validation_plots.h"

#include "core/ask/table_of.h"
#include "core/replay/replay_figure.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace loadline {
namespace {

using ask::Form;

constexpr double secondsPerMs = 1e-3;

/// A latency of a server: what was measured, what is predicted.
struct ServerLatency {
    const char* key;
    std::optional<double> ServerMeasurement::*measuredMs;
    double ServerPrediction::*predictedMs;
};

struct ServerDot {
    const ValidatedServer* server = nullptr;
    double measuredS = 0;
    double predictedS = 0;
};

std::vector<ServerDot> dotsOf(const Validation& validation, const ServerLatency& latency) {
    std::vector<ServerDot> dots;
    for (const ValidatedServer& server : validation.servers) {
        const std::optional<double>& measured = server.row.measured.*latency.measuredMs;
        if (measured && server.predicted.notModelled.empty() && server.predicted.*latency.predictedMs > 0) {
            dots.push_back({.server = &server,
                            .measuredS = *measured * secondsPerMs,
                            .predictedS = server.predicted.*latency.predictedMs * secondsPerMs});
        }
    }
    return dots;
}

int gpusOf(const ServerSettings& settings) {
    return settings.tensorParallel * settings.dataParallel;
}

/// The experts' format where there are experts.
const std::string& servedFormatOf(const ServerSettings& settings) {
    return settings.moeFormat.empty() ? settings.gemmFormat : settings.moeFormat;
}

/// "fp8, 1024 + 1024 tokens, 16 users"
std::string loadWords(const ServerSettings& settings) {
    return fmt::format("{}, {} + {} tokens, {}", servedFormatOf(settings), settings.promptTokens,
                       settings.outputTokens, counted(static_cast<std::uint64_t>(settings.users), "user"));
}

std::string dotWords(const ServerDot& dot) {
    const double error = dot.predictedS / dot.measuredS - 1;
    return fmt::format("predicted {}, measured {} ({})", formatSeconds(dot.predictedS),
                       formatSeconds(dot.measuredS), formatError(error));
}

const ServerSettings& settingsOf(const ServerDot& dot) {
    return dot.server->row.settings;
}

ask::TableOf<ServerDot> dotTable(std::string path, const std::vector<ServerDot>& dots) {
    using D = const ServerDot&;
    ask::TableOf table(std::move(path), dots);
    table.column("measured_s", "Measured", &ServerDot::measuredS, Form::Seconds)
        .column("predicted_s", "Predicted", &ServerDot::predictedS, Form::Seconds)
        .column(
            "error", "Error", [](D dot) { return dot.predictedS / dot.measuredS - 1; }, Form::Share)
        .column("line", "Line", [](D dot) { return dot.server->row.line; })
        .column(
            "model", "Model", [](D dot) { return settingsOf(dot).model; }, Form::Text)
        .column(
            "system", "GPU", [](D dot) { return settingsOf(dot).system; }, Form::Text)
        .column("gpus", "GPUs", [](D dot) { return gpusOf(settingsOf(dot)); })
        .column(
            "format", "Format", [](D dot) { return servedFormatOf(settingsOf(dot)); }, Form::Text)
        .column(
            "prompt_tokens", "Prompt", [](D dot) { return settingsOf(dot).promptTokens; }, Form::Whole)
        .column(
            "output_tokens", "Output", [](D dot) { return settingsOf(dot).outputTokens; }, Form::Whole)
        .column(
            "users", "Users", [](D dot) { return settingsOf(dot).users; }, Form::Whole)
        .column(
            "not_judged", "Not judged", [](D dot) { return notJudgedWords(dot.server->row.label); },
            Form::Text);
    return table;
}

/// The dots as they are drawn, a read-out of short lines each.
ask::Table drawnTable(std::string path, const std::vector<ServerDot>& dots) {
    using D = const ServerDot&;
    ask::TableOf table = dotTable(std::move(path), dots);
    for (ask::Column& column : table->columns) {
        column.readOut = "";
    }
    const auto readOut = [&table](const char* key, auto words) {
        table.column(key, "", words, Form::Text);
        table->columns.back().readOut = "{}";
    };
    readOut("served", [](D dot) {
        return fmt::format("{} on {} x {}", settingsOf(dot).model, gpusOf(settingsOf(dot)),
                           settingsOf(dot).system);
    });
    readOut("load", [](D dot) { return loadWords(settingsOf(dot)); });
    readOut("words", dotWords);
    readOut("place", [](D dot) {
        const std::string why = notJudgedWords(dot.server->row.label);
        return fmt::format("line {}{}", dot.server->row.line, why.empty() ? "" : ", not judged: " + why);
    });
    return table;
}

void addPlot(ask::Report& report, const Validation& validation, const ServerLatency& latency) {
    const auto& dots = report.keep(dotsOf(validation, latency));
    const std::string key = fmt::format("validation-{}", latency.key);
    report.tables.push_back(dotTable(key, dots));
    constexpr const char* others = "not judged";
    std::map<std::string, std::vector<ServerDot>> byLegend;
    for (const ServerDot& dot : dots) {
        const MeasuredRow& row = dot.server->row;
        byLegend[isJudged(row.label) ? row.settings.model : others].push_back(dot);
    }
    constexpr ask::Ink inks[] = {ask::Ink::Accent, ask::Ink::CacheRead, ask::Ink::Output,
                                 ask::Ink::Scalar, ask::Ink::Kernel,    ask::Ink::Uncached};
    std::vector<ask::Mark> marks;
    for (auto& [legend, some] : byLegend) {
        const auto& rows = report.keep(std::move(some));
        const ask::Table drawn = drawnTable(fmt::format("{} {}", key, legend), rows);
        report.tables.push_back(drawn);
        ask::Mark mark{.kind = ask::Kind::Points,
                       .table = drawn.path,
                       .x = "measured_s",
                       .y = "predicted_s",
                       .legend = legend,
                       .ink = inks[marks.size() % std::size(inks)]};
        if (legend == others) {
            mark.ink = ask::Ink::Muted;
            mark.pale = true;
            marks.insert(marks.begin(), mark); // below the others
        } else {
            marks.push_back(mark);
        }
    }
    constexpr double band = 0.1;
    report.plots.push_back({.key = key,
                            .x = {"measured", Form::Seconds, ask::Scale::Log},
                            .y = {"predicted (band: within 10 %)", Form::Seconds, ask::Scale::Log},
                            .marks = std::move(marks),
                            .rules = {{.across = ask::Rule::Across::Diagonal,
                                       .at = 1 - band,
                                       .to = 1 + band,
                                       .label = "within 10 %",
                                       .ink = ask::Ink::Good},
                                      {.across = ask::Rule::Across::Diagonal, .at = 1}},
                            .empty = dots.empty() ? "no server has both a prediction and a measurement" : "",
                            .table = key});
}

} // namespace

std::string serverWords(const ServerSettings& settings) {
    return fmt::format("{} on {} x {}, {}", settings.model, gpusOf(settings), settings.system,
                       loadWords(settings));
}

std::string differenceWords(std::optional<double> measuredMs, double predictedMs) {
    const std::string predicted = formatSeconds(predictedMs * secondsPerMs);
    return measuredMs
               ? fmt::format("{}, measured {} ({})", predicted, formatSeconds(*measuredMs * secondsPerMs),
                             formatError(predictedMs / *measuredMs - 1))
               : predicted;
}

void addValidationPlots(ask::Report& report, const Validation& validation) {
    addPlot(report, validation, {"tpot", &ServerMeasurement::tpotMs, &ServerPrediction::tpotMs});
    addPlot(report, validation, {"ttft", &ServerMeasurement::ttftMs, &ServerPrediction::ttftMs});
}

} // namespace loadline
