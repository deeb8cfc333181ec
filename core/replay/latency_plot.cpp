// The latencies of a recorded run: predicted over recorded, and errors.
#include "core/replay/latency_plot.h"

#include "core/replay/peer.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace loadline {
namespace {

using Dots = std::vector<const ReplayDot*>;

/// "65.5 s", "32.4 ms"
std::string latencyText(double seconds) {
    constexpr double msPerS = 1000;
    return seconds < 1 ? formatFixed(seconds * msPerS, 1) + " ms" : formatFixed(seconds, 2) + " s";
}

/// Answers of one token have no time per further token.
bool hasLatency(const ReplayDot& dot, LatencyKind kind) {
    return kind != LatencyKind::Tpot || dot.output > 1;
}

ask::Table requestsTable(const ReplayFigure& figure) {
    using ask::columnOf, ask::Form;
    const std::vector<ReplayDot>& dots = figure.dots;
    ask::Table table{
        .path = "requests",
        .title = "Requests",
        .rows = dots.size(),
        .columns = {columnOf(dots, "request_id", "request", &ReplayDot::id, Form::Text),
                    columnOf(dots, "arrival_s", "arrival", &ReplayDot::arrivalS, Form::Seconds),
                    columnOf(dots, "input_tokens", "input", &ReplayDot::input, Form::Tokens),
                    columnOf(dots, "output_tokens", "output", &ReplayDot::output, Form::Tokens)}};
    for (const LatencyKind kind : latencyKinds) {
        for (const auto& [word, latencies] :
             {std::pair("predicted", &ReplayDot::predicted), std::pair("recorded", &ReplayDot::recorded)}) {
            table.columns.push_back(columnOf(
                dots, fmt::format("{}_{}", word, keyOf(kind)), fmt::format("{} {}", nameOf(kind), word),
                [kind, latencies = latencies](const ReplayDot& dot) {
                    return hasLatency(dot, kind) ? ask::Cell(secondsOf(dot.*latencies, kind)) : ask::Cell();
                },
                Form::Seconds));
        }
    }
    table.columns.push_back(columnOf(dots, "predicted_preemptions", "preemptions predicted",
                                     &ReplayDot::preemptions, Form::Whole));
    return table;
}

std::string comparisonOf(const ReplayDot& dot, LatencyKind kind) {
    const double predicted = secondsOf(dot.predicted, kind);
    const double recorded = secondsOf(dot.recorded, kind);
    const std::string error = recorded > 0 ? fmt::format(" ({})", formatError(predicted / recorded - 1)) : "";
    return fmt::format("{} {}, recorded {}{}", nameOf(kind), latencyText(predicted), latencyText(recorded),
                       error);
}

/// The rows that are drawn and read out. Preempted requests have a column and a mark of their own.
ask::Table dotsTable(const Dots& dots, LatencyKind kind) {
    using ask::Cell, ask::columnOf, ask::Form;
    const auto predicted = [kind](bool preempted) {
        return [kind, preempted](const ReplayDot* dot) {
            return (dot->preemptions > 0) == preempted ? Cell(secondsOf(dot->predicted, kind)) : Cell();
        };
    };
    const auto readOutColumn = [&](const char* key, auto words) {
        return columnOf(dots, key, key, words, Form::Text, "{}");
    };
    return {.path = "dots",
            .title = {},
            .rows = dots.size(),
            .columns = {
                columnOf(
                    dots, "recorded_s", "recorded",
                    [kind](const ReplayDot* dot) { return secondsOf(dot->recorded, kind); }, Form::Seconds),
                columnOf(dots, "predicted_s", "predicted", predicted(false), Form::Seconds),
                columnOf(dots, "preempted_s", "predicted", predicted(true), Form::Seconds),
                readOutColumn("request", [](const ReplayDot* dot) { return dot->id; }),
                readOutColumn("latency", [kind](const ReplayDot* dot) { return comparisonOf(*dot, kind); }),
                readOutColumn("tokens",
                              [](const ReplayDot* dot) {
                                  return fmt::format("{} tokens in, {} out, arrived after {}",
                                                     formatExact(dot->input), formatExact(dot->output),
                                                     latencyText(dot->arrivalS));
                              }),
                readOutColumn("preemptions", [](const ReplayDot* dot) {
                    return dot->preemptions > 0
                               ? Cell(fmt::format("preempted {} times in the simulation", dot->preemptions))
                               : Cell();
                })}};
}

/// The errors of mean and quantiles as rows of the plot.
ask::Table errorsTable(const std::vector<ReplayQuantile>& quantiles) {
    using ask::Cell, ask::columnOf, ask::Form;
    const auto bound = [](double side) {
        return [side](const ReplayQuantile& one) {
            return one.statistic == "mean" ? Cell(side * boundOf(one.kind)) : Cell();
        };
    };
    const auto name = [](const ReplayQuantile& one) {
        return std::string(nameOf(one.kind)) + " " + one.statistic;
    };
    const auto words = [](const ReplayQuantile& one) {
        return fmt::format("predicted {}, recorded {} ({})", latencyText(one.predictedS),
                           latencyText(one.recordedS), formatError(one.error));
    };
    const auto peerWords = [](const ReplayQuantile& one) {
        return one.peerError ? Cell(fmt::format("{}'s error: {}", peerName, formatError(*one.peerError)))
                             : Cell();
    };
    return {.path = "errors",
            .title = {},
            .rows = quantiles.size(),
            .columns = {columnOf(quantiles, "name", "", name, Form::Text, "{}"),
                        columnOf(quantiles, "none", "", [](const auto&) { return 0.0; }),
                        columnOf(quantiles, "error", "", &ReplayQuantile::error, Form::Share),
                        columnOf(quantiles, "peer_error", "", &ReplayQuantile::peerError, Form::Share),
                        columnOf(quantiles, "low", "", bound(-1)), columnOf(quantiles, "high", "", bound(1)),
                        columnOf(quantiles, "words", "", words, Form::Text, "{}"),
                        columnOf(quantiles, "peer_words", "", peerWords, Form::Text, "{}")}};
}

} // namespace

void addErrorsPlot(ask::Report& report, const ReplayFigure& figure) {
    using ask::columnOf, ask::Form, ask::Kind, ask::Ink;
    const std::vector<ReplayQuantile>& all = figure.quantiles;
    report.tables.push_back(
        {.path = "quantiles",
         .title = "Errors",
         .rows = all.size(),
         .columns = {columnOf(all, "latency", "latency", [](const auto& one) { return keyOf(one.kind); }),
                     columnOf(all, "statistic", "statistic", &ReplayQuantile::statistic),
                     columnOf(all, "predicted_s", "predicted", &ReplayQuantile::predictedS, Form::Seconds),
                     columnOf(all, "recorded_s", "recorded", &ReplayQuantile::recordedS, Form::Seconds),
                     columnOf(all, "error", "error", &ReplayQuantile::error, Form::Share),
                     columnOf(all, "peer_error", "peer's error", &ReplayQuantile::peerError, Form::Share)}});
    report.tables.push_back(errorsTable(all));
    const ask::Mark ours{.kind = Kind::Points,
                         .table = "errors",
                         .x = "error",
                         .y = "name",
                         .legend = "ours (filled)",
                         .ink = Ink::Model};
    ask::Mark peer = ours, bound = ours, way = ours;
    peer.x = "peer_error";
    peer.legend = std::string(peerName) + "'s, published (hollow)";
    peer.ink = Ink::Reference;
    peer.basis = ask::Basis::Published;
    bound.kind = Kind::Bars; // of a mean
    bound.x = "low";
    bound.x2 = "high";
    bound.legend = {};
    bound.ink = Ink::Good;
    bound.background = bound.pale = true;
    way.kind = Kind::Ranges;
    way.x = "none";
    way.x2 = "error";
    way.legend = {};
    report.plots.push_back({.key = "self-check-errors",
                            .title = "Errors",
                            .description = "errors of a recorded run's replay beside LLMServingSim's",
                            .sentence = figure.sentence,
                            .x = {{}, Form::Share},
                            .y = {{}, Form::Text, ask::Scale::Category},
                            .marks = {bound, way, ours, peer},
                            .rules = {{.at = 0.0}},
                            .empty = all.empty() ? "nothing to compare" : "",
                            .table = "quantiles"});
}

void addLatencyPlot(ask::Report& report, const ReplayFigure& figure, LatencyKind kind) {
    using ask::Rule;
    const auto dots = std::make_shared<Dots>();
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const ReplayDot& dot : figure.dots) {
        if (hasLatency(dot, kind)) {
            dots->push_back(&dot);
            for (const Latencies* latencies : {&dot.predicted, &dot.recorded}) {
                least = std::min(least, secondsOf(*latencies, kind));
                most = std::max(most, secondsOf(*latencies, kind));
            }
        }
    }
    report.keeps.push_back(dots);
    report.tables.push_back(requestsTable(figure));
    report.tables.push_back(dotsTable(*dots, kind));
    const ask::Scale scale = ask::scaleOver(least, most);
    const std::string word(keyOf(kind), 0, keyOf(kind).size() - 2); // without its unit
    const ask::Mark plain{.kind = ask::Kind::Points,
                          .table = "dots",
                          .x = "recorded_s",
                          .y = "predicted_s",
                          .legend = "request",
                          .ink = ask::Ink::Model};
    ask::Mark preempted = plain;
    preempted.y = "preempted_s";
    preempted.legend = "preempted (diamond)";
    preempted.ink = ask::Ink::Warning;
    report.plots.push_back({.key = "self-check-" + word,
                            .title = std::string(nameOf(kind)) + " by request",
                            .description = "a latency of a recorded run, predicted over recorded",
                            .sentence = figure.sentence,
                            .x = {"recorded", ask::Form::Seconds, scale},
                            .y = {"predicted", ask::Form::Seconds, scale},
                            .marks = {plain, preempted},
                            .rules = {{.across = Rule::Across::Diagonal, // where a mean's bound would lie
                                       .at = 1 - boundOf(kind),
                                       .to = 1 + boundOf(kind),
                                       .ink = ask::Ink::Good},
                                      {.across = Rule::Across::Diagonal, .at = 1}},
                            .empty = dots->empty() ? "no request has one" : "",
                            .table = "requests"});
}

} // namespace loadline
