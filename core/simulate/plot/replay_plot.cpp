// A replayed trace has neither users nor a rate: bars of the log's own server and of the simulated ones.
#include "core/ask/held_table.h"
#include "core/simulate/answer/replayed.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadline {
namespace {

struct ReplayBar {
    std::string server;
    double value = 0; ///< 0: not known
    std::string text, words;
};

struct ReplayGroup {
    const char* name; ///< with its unit or quantile
    double (*valueOf)(const ReplayedServer&);
    bool isTime = true;
};

constexpr std::array<ReplayGroup, 4> replayGroups = {
    {{"output tokens/s", [](const ReplayedServer& server) { return server.tokensPerS; }, false},
     {"latency, p50", [](const ReplayedServer& server) { return server.e2eS.p50; }},
     {"latency, p90", [](const ReplayedServer& server) { return server.e2eS.p90; }},
     {"latency, p99", [](const ReplayedServer& server) { return server.e2eS.p99; }}}};

void addReplayPlot(ask::Report& report, ask::Plot plot, const ReplayGroup& group, const SettingShown& shown,
                   const std::vector<ReplayedServer>& servers) {
    constexpr double forWords = 1.3; // behind the longest bar
    std::string words = group.name;
    std::vector<ReplayBar> all;
    double most = 0;
    for (const ReplayedServer& server : servers) {
        const double value = group.valueOf(server);
        const std::string text = !(value > 0)   ? "not known"
                                 : group.isTime ? formatSeconds(value)
                                                : formatReal(value, 3);
        all.push_back({server.name, value, text, {}});
        words += fmt::format("\n{}: {}", server.name, text);
        for (const ReplayGroup& other : replayGroups) { // all latencies share a scale
            most = other.isTime == group.isTime ? std::max(most, other.valueOf(server)) : most;
        }
    }
    for (ReplayBar& bar : all) {
        bar.words = words;
    }
    plot.x = {"", group.isTime ? ask::Form::Seconds : ask::Form::Plain, ask::Scale::Linear, 0,
              forWords * std::max(most, 1e-3)};
    plot.y = {group.name, ask::Form::Text, ask::Scale::Category};
    const std::vector<ReplayBar>& rows = report.keep(std::move(all));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string path = fmt::format("{} {}", group.name, i);
        const auto column = [&rows, i](const char* key, auto read, const char* readOut = "") {
            return ask::Column{.key = key,
                               .title = {},
                               .form = ask::Form::Plain,
                               .at = [&rows, i, read](std::size_t) { return ask::Cell(rows[i].*read); },
                               .readOut = readOut};
        };
        report.tables.push_back(
            {.path = path,
             .title = {},
             .rows = 1,
             .columns = {column("server", &ReplayBar::server), column("value", &ReplayBar::value),
                         column("text", &ReplayBar::text), column("words", &ReplayBar::words, "{}")}});
        const bool isLog = i == 0 && rows[i].server == "log";
        const bool isAgainst = rows[i].server == nameOf(shown.figure->inputs.against);
        plot.marks.push_back({.kind = ask::Kind::Bars,
                              .table = path,
                              .x = "value",
                              .y = "server",
                              .ink = isLog       ? ask::Ink::Accent
                                     : isAgainst ? ask::Ink::Fp16
                                                 : ask::Ink::Text,
                              .basis = isPreview(shown) ? ask::Basis::Estimated : ask::Basis::Measured});
        plot.marks.push_back(
            {.kind = ask::Kind::Labels, .table = path, .x = "value", .y = "server", .label = "text"});
    }
    report.plots.push_back(std::move(plot));
}

} // namespace

ask::Report replayReport(const SettingShown& shown) {
    const std::vector<ReplayedServer> servers = replayedServersOf(*shown.figure);
    ask::Report report;
    report.tables.push_back(ask::heldTable(twinTable, joinedWith(shown, replayTable)));
    for (const ReplayGroup& group : replayGroups) {
        addReplayPlot(report,
                      {.key = "simulator-latency",
                       .title = latencyTitle,
                       .description = {},
                       .sentence = shown.figure->sentence,
                       .x = {},
                       .y = {},
                       .marks = {},
                       .empty = servers.empty() ? whyNoLatencies(shown.figure->inputs) : "",
                       .facet = "latency",
                       .table = twinTable},
                      group, shown, servers);
    }
    return report;
}

} // namespace loadline
