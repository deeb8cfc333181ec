// "Decoding rate by context".
#include "core/serverlog/verdict/rate_plot.h"

#include "core/serverlog/light/rate_known.h"
#include "core/serverlog/verdict/rate_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using ask::Basis, ask::Cell, ask::columnAt, ask::columnOf, ask::Form;

constexpr double leastContext = 1024;

/// Positions of the observed rates on the x axis.
struct RatePlaces {
    double context = leastContext;   ///< as far as the curves reach
    std::vector<std::size_t> untold; ///< of each rate, how many before it tell no context
    std::size_t allUntold = 0;
    bool inOrder = false; ///< none tells its context and there is no ceiling: x is the order in the log

    /// By its context; where it is not told beyond the curves, in the order of the log.
    [[nodiscard]] double of(const ObservedRate& rate, std::size_t i) const {
        const double share = (static_cast<double>(untold[i]) + 0.5) / static_cast<double>(allUntold);
        return inOrder              ? share
               : tellsContext(rate) ? middleOf(rate)
                                    : context * (bandFrom + share * (bandTo - bandFrom));
    }

    static constexpr double bandFrom = 1.03, bandTo = 1.25; ///< in shares of `context`
};

RatePlaces placesOf(const LogFigure& figure) {
    RatePlaces places;
    places.context = std::max(figure.mostContext, leastContext);
    for (const ObservedRate& rate : figure.verdict.rates) {
        places.untold.push_back(places.allUntold);
        places.allUntold += tellsContext(rate) ? 0 : 1;
        places.context =
            tellsContext(rate) ? std::max(places.context, rate.contextHigh * 1.1) : places.context;
    }
    places.inOrder =
        places.allUntold > 0 && places.allUntold == figure.verdict.rates.size() && !figure.verdict.light;
    return places;
}

double ceilingOf(const LogFigure& figure, const ObservedRate& rate) {
    return figure.verdict.light && tellsContext(rate)
               ? figure.verdict.light->ceiling(middleOf(rate), rate.streams, rate.tokensPerStep)
               : notTold;
}

/// The table of the chart: a last row counts those that it leaves out.
ask::Table ratesTable(const LogFigure& figure) {
    const std::vector<ObservedRate>& rates = figure.verdict.rates;
    const std::size_t listed = std::min(rates.size(), mostRatesListed);
    const auto column = [&](const char* key, auto read) {
        return columnAt(key, [&rates, listed, read](std::size_t row) {
            return row < listed ? Cell(std::invoke(read, rates[row])) : Cell();
        });
    };
    const auto ifKnown = [&figure](const ObservedRate& rate) {
        return knownOf(rate) == RateKnown::Untold ? notTold : shownRate(rate) / ceilingOf(figure, rate);
    };
    const auto file = [&figure, listed](std::size_t row) {
        const std::vector<ObservedRate>& all = figure.verdict.rates;
        const auto& files = figure.log->files;
        return row == listed ? fmt::format("more: the first {} of {} are listed", listed, all.size())
               : all[row].where.file < files.size() ? files[all[row].where.file]
                                                    : std::string();
    };
    return {
        .path = "rates",
        .title = "Rates",
        .rows = listed + (listed < rates.size() ? 1 : 0),
        .columns = {
            columnAt("file", file), column("line", [](const auto& rate) { return rate.where.line; }),
            column("time_s", &ObservedRate::timeS), column("context_low_tokens", &ObservedRate::contextLow),
            column("context_high_tokens", &ObservedRate::contextHigh),
            column("streams", &ObservedRate::streams), column("tokens_per_s", shownRate),
            column("at_least", [](const auto& rate) { return knownOf(rate) == RateKnown::AtLeast ? 1 : 0; }),
            column("ceiling_tokens_per_s", [&figure](const auto& rate) { return ceilingOf(figure, rate); }),
            column("share_of_ceiling", ifKnown),
            column("known", [](const auto& rate) { return wordOf(knownOf(rate)); }),
            column("tokens_per_s_low", &ObservedRate::lowest),
            column("tokens_per_s_high", &ObservedRate::highest)}};
}

/// The rates as they are drawn; those of which nothing tells how many streams ran have a column of their own.
ask::Table drawnRates(const LogFigure& figure, std::shared_ptr<const RatePlaces> places) {
    const std::vector<ObservedRate>& rates = figure.verdict.rates;
    const auto shown = [](bool untold) {
        return [untold](const ObservedRate& rate) {
            return (knownOf(rate) == RateKnown::Untold) == untold ? shownRate(rate) : notTold;
        };
    };
    const auto basis = [](const ObservedRate& rate) {
        const RateKnown known = knownOf(rate);
        return static_cast<int>(known == RateKnown::AtLeast                       ? Basis::AtLeast
                                : !rate.streamsTold || known == RateKnown::Untold ? Basis::Estimated
                                                                                  : Basis::Measured);
    };
    const auto between = [](double ObservedRate::*end) {
        return [end](const ObservedRate& rate) {
            return knownOf(rate) != RateKnown::Between ? notTold
                   : isTold(rate.*end)                 ? rate.*end
                                                       : 10 * shownRate(rate);
        };
    };
    ask::Table table{
        .path = "rates_drawn",
        .title = {},
        .rows = rates.size(),
        .columns = {columnAt("x", [&rates, places](std::size_t i) { return places->of(rates[i], i); }),
                    columnOf(rates, "rate", "", shown(false)), columnOf(rates, "untold", "", shown(true)),
                    columnOf(rates, "low", "", between(&ObservedRate::lowest)),
                    columnOf(rates, "high", "", between(&ObservedRate::highest)),
                    columnOf(rates, "from", "", &ObservedRate::contextLow),
                    columnOf(rates, "to", "", &ObservedRate::contextHigh),
                    columnOf(rates, "basis", "", basis), columnOf(rates, "all", "", shownRate),
                    columnOf(rates, "line", "", [](const auto& rate) { return textOfLine(rate.where); })}};
    constexpr std::size_t mostWords = 6;
    for (std::size_t i = 0; i < mostWords; ++i) {
        table.columns.push_back(columnOf(
            rates, "words" + std::to_string(i), "",
            [&figure, i](const ObservedRate& rate) {
                const std::vector<std::string> words = wordsOfRate(figure, rate);
                return i < words.size() ? Cell(words[i]) : Cell();
            },
            Form::Text, "{}"));
    }
    return table;
}

/// The ceiling of one stream, of as many as were seen together, and what to expect below it.
ask::Table lightTable(const SpeedOfLight& light, double context, double streams) {
    constexpr int points = 96;
    const auto at = [context](std::size_t row) { return context * static_cast<double>(row) / points; };
    const auto column = [&](const char* key, const char* readOut, auto value) {
        ask::Column made = columnAt(key, [at, value](std::size_t row) { return value(at(row)); });
        made.readOut = readOut;
        return made;
    };
    const EfficiencyBand& band = light.band();
    const auto share = [&light](double part) {
        return [&light, part](double x) { return part > 0 ? Cell(light.ceiling(x) * part) : Cell(); };
    };
    const auto expected = [&light, &band](double x) {
        return band.high > 0 ? Cell(rangeWords(light.ceiling(x) * band.low, light.ceiling(x) * band.high,
                                               [](double rate) { return formatReal(rate); }))
                             : Cell();
    };
    return {.path = "light",
            .title = {},
            .rows = points + 1,
            .columns = {
                column("x", "", [](double x) { return x; }),
                column("context", "{}", [](double x) { return contextWords(x, x); }),
                column("ceiling", "ceiling: {} tokens/s", [&light](double x) { return light.ceiling(x); }),
                column("streams", "", [&light, streams](double x) { return light.ceiling(x, streams); }),
                column("low", "", share(band.low)), column("high", "", share(band.high)),
                column("expected", "expected: {} tokens/s", expected)}};
}

void addLightMarks(std::vector<ask::Mark>& marks, const EfficiencyBand& band, double streams) {
    if (band.high > 0) { // one published rate alone is a line
        marks.push_back({.kind = band.high > band.low ? ask::Kind::Area : ask::Kind::Line,
                         .table = "light",
                         .x = "x",
                         .y = "high",
                         .y2 = "low",
                         .legend = "expected",
                         .ink = ask::Ink::Good});
    }
    marks.push_back({.table = "light", .x = "x", .y = "ceiling", .legend = "ceiling", .ink = ask::Ink::Text});
    if (streams > 1) {
        marks.push_back({.table = "light",
                         .x = "x",
                         .y = "streams",
                         .legend = fmt::format("of {} streams", formatReal(streams)),
                         .ink = ask::Ink::Text,
                         .basis = Basis::Published});
    }
}

void addRateMarks(std::vector<ask::Mark>& marks, bool anyUntold) {
    const ask::Mark observed{.kind = ask::Kind::Points,
                             .table = "rates_drawn",
                             .x = "x",
                             .y = "rate",
                             .basisColumn = "basis",
                             .legend = "observed",
                             .ink = ask::Ink::Output,
                             .pickField = "picked",
                             .pickColumn = "line"};
    ask::Mark untold = observed, between = observed, contexts = observed;
    untold.y = "untold";
    untold.legend = "over the streams at both ends";
    untold.pale = true;
    between.kind = contexts.kind = ask::Kind::Ranges;
    between.y = "low";
    between.y2 = "high";
    contexts.x = "from";
    contexts.x2 = "to";
    contexts.y = "all";
    for (ask::Mark* range : {&between, &contexts}) {
        range->legend = range->pickField = {};
        range->pale = true;
        marks.push_back(*range);
    }
    marks.push_back(observed);
    if (anyUntold) {
        marks.push_back(untold);
    }
}

} // namespace

std::string textOfLine(const LogLine& line) {
    return fmt::format("{}:{}", line.file, line.line);
}

LogLine lineOfText(const std::string& text) {
    LogLine line{};
    const std::size_t colon = text.find(':');
    if (colon != std::string::npos) {
        line.file = static_cast<decltype(line.file)>(std::strtoull(text.c_str(), nullptr, 10));
        line.line = static_cast<decltype(line.line)>(std::strtoull(text.c_str() + colon + 1, nullptr, 10));
    }
    return line;
}

void addRatePlot(ask::Report& report, const LogFigure& figure) {
    const std::vector<ObservedRate>& rates = figure.verdict.rates;
    const auto& light = figure.verdict.light;
    const auto places = std::make_shared<const RatePlaces>(placesOf(figure));
    double streams = 1;
    for (const ObservedRate& rate : rates) {
        streams = std::max(streams, rate.streams);
    }
    std::vector<ask::Mark> marks;
    if (light) {
        addLightMarks(marks, light->band(), streams);
        report.tables.push_back(lightTable(*light, places->context, streams));
    }
    addRateMarks(marks, std::ranges::find(rates, RateKnown::Untold, knownOf) != rates.end());
    report.tables.push_back(drawnRates(figure, places));
    report.tables.push_back(ratesTable(figure));
    const bool hasBand = places->allUntold > 0 && !places->inOrder;
    const double end = places->context * (hasBand ? RatePlaces::bandTo : 1);
    ask::Axis context{"context, tokens", Form::Tokens, ask::Scale::Linear, 0, end};
    if (hasBand) {
        context.lastTick = places->context;
    }
    report.plots.push_back(
        {.key = "log-rate",
         .title = "Decoding rate by context",
         .description = "rates of decoding that a server's log tells, by context, with the ceiling",
         .sentence = rateSentence(figure),
         .x = places->inOrder ? ask::Axis{"of the rates in the log; their context is not told", Form::Share,
                                          ask::Scale::Linear, 0, 1}
                              : context,
         .y = {"tokens/s of a stream"},
         .marks = std::move(marks),
         .rules = hasBand ? std::vector<ask::Rule>{{.at = places->context * RatePlaces::bandFrom,
                                                    .to = end,
                                                    .label = "context not told"}}
                          : std::vector<ask::Rule>(),
         .empty = rates.empty() && !light ? "no rate is told: choose a model and a device" : "",
         .table = "rates",
         .corner = light ? "" : "for the ceiling choose a model and a device"});
}

} // namespace loadline
