// "Prefill and decode GPUs".
#include "core/cache/figure/split_plot.h"

#include "core/ask/held_table.h"
#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using ask::Basis, ask::columnAt, ask::columnOf, ask::Form, ask::Ink, ask::Kind;

/// GPUs of one case.
struct FleetRow {
    std::string name;
    double prefill = 0, decode = 0, freed = 0;
    std::string words; ///< beside it

    [[nodiscard]] double all() const { return prefill + decode + freed; }
};

using FleetRows = std::array<FleetRow, 4>;

/// A part of a row: its GPUs by use.
constexpr std::array fleetUses = {&FleetRow::prefill, &FleetRow::decode, &FleetRow::freed};
constexpr std::array fleetUseNames = {"prefill", "decode", "freed"};

std::string timesWords(double speedUp) {
    return std::isfinite(speedUp) ? fmt::format("{:.2f}\u00D7", speedUp) : "\u221E";
}

FleetRows rowsOf(const CacheFigure& figure, const CacheSettings& settings) {
    const SplitFleet& fleet = settings.fleet;
    const double prefill = fleet.gpus * fleet.prefillShare;
    const double decode = fleet.gpus - prefill;
    const SplitHit hit = splitHitOf(figure, settings);
    const PrefillDecodeSplit real = splitWith(fleet, 1 - hit.rate);
    const PrefillDecodeSplit limit = splitWith(fleet, 0);
    const std::string attention = timesWords(splitWithAttention(figure, settings).speedUp);
    const char* least = hit.least ? "\u2265\u202F" : "";
    return {{{"without reuse", prefill, decode, 0, timesWords(1)},
             {"same load", prefill - real.gpusFreed, decode, real.gpusFreed,
              fmt::format("{}{:.1f} freed", least, real.gpusFreed)},
             {"all at work", real.prefillGpus, real.decodeGpus, 0,
              fmt::format("{}{} ({})", least, timesWords(real.speedUp), attention)},
             {"limit: 100\u202F% hit", 0, decode, limit.gpusFreed,
              fmt::format("{} freed, {}", formatReal(limit.gpusFreed), timesWords(limit.speedUp))}}};
}

void addRows(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    const auto rows = std::make_shared<const FleetRows>(rowsOf(figure, settings));
    report.keeps.push_back(rows);
    const auto rowOf = [rows](std::size_t row) -> const FleetRow& { return (*rows)[row / fleetUses.size()]; };
    const auto words = [&](const char* key, auto read) {
        ask::Column column = columnAt(key, [rowOf, read](std::size_t row) { return read(rowOf(row)); });
        column.readOut = "{}";
        return column;
    };
    report.tables.push_back(
        {.path = "fleet_parts",
         .title = {},
         .rows = rows->size() * fleetUses.size(),
         .columns = {
             words("fleet", [](const FleetRow& row) { return row.name; }),
             columnAt("use", [](std::size_t row) { return fleetUseNames[row % fleetUses.size()]; }),
             columnAt("gpus",
                      [rowOf](std::size_t row) { return rowOf(row).*fleetUses[row % fleetUses.size()]; }),
             columnAt("basis",
                      [](std::size_t row) { // what is freed is hatched
                          const bool isFreed = row % fleetUses.size() == fleetUses.size() - 1;
                          return static_cast<int>(isFreed ? Basis::Published : Basis::Measured);
                      }),
             words("counted",
                   [](const FleetRow& row) {
                       return fmt::format("{:.1f} GPUs for prompts, {:.1f} for answers", row.prefill,
                                          row.decode);
                   }),
             words("words", [](const FleetRow& row) { return row.words; })}});
    report.tables.push_back({.path = "fleets",
                             .title = {},
                             .rows = rows->size(),
                             .columns = {columnOf(*rows, "fleet", "", &FleetRow::name),
                                         columnOf(*rows, "gpus", "", &FleetRow::all),
                                         columnOf(*rows, "words", "", &FleetRow::words)}});
    const double gpus = std::max(settings.fleet.gpus, 1.0);
    constexpr double wordsShare = 1.4; // room beside the bars
    double most = gpus;
    for (const FleetRow& row : *rows) {
        most = std::max(most, row.all());
    }
    const SplitHit hit = splitHitOf(figure, settings);
    report.plots.push_back(
        {.key = "cache-split",
         .title = "Prefill and decode GPUs",
         .description = "GPUs of prefill and decode before and after reuse",
         .sentence = splitSentence(figure, settings),
         .x = {"GPUs", Form::Plain, ask::Scale::Linear, 0, wordsShare * most},
         .y = {{}, Form::Text, ask::Scale::Category},
         .marks = {{.kind = Kind::Bars,
                    .table = "fleet_parts",
                    .x = "gpus",
                    .y = "fleet",
                    .series = "use",
                    .basisColumn = "basis",
                    .legend = "{}",
                    .inks = {Ink::NewInput, Ink::Output, Ink::Muted}},
                   {.kind = Kind::Labels, .table = "fleets", .x = "gpus", .y = "fleet", .label = "words"}},
         .rules = {{.at = gpus * settings.fleet.prefillShare,
                    .field = "prefill-share",
                    .ink = Ink::Accent,
                    .fieldAt = [gpus](double at) { return at / gpus; }}},
         .empty = figure.tellsReuse() ? "" : "the trace tells no reuse",
         .facet = "cache-split",
         .height = 4,
         .table = "split",
         .corner = fmt::format("{} hit, {}", cellOfEnds(hit.ends()), hit.of)});
}

/// The speed-up over the hit rate, with Amdahl's bound.
void addCurve(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    constexpr std::size_t points = 101;
    const auto hitAt = [](std::size_t row) { return static_cast<double>(row) / (points - 1); };
    const auto linear = [&settings](double hit) { return splitWith(settings.fleet, 1 - hit).speedUp; };
    const auto attending = [&figure, &settings](double hit) {
        const double mean = figure.input().mean;
        const double left = mean > 0 ? prefillWorkLeft(modelOf(settings), mean, hit * mean) : 1 - hit;
        return splitWith(settings.fleet, left).speedUp;
    };
    const auto column = [hitAt](const char* key, auto value, const char* readOut = "") {
        ask::Column made = columnAt(key, [hitAt, value](std::size_t row) { return value(hitAt(row)); });
        made.readOut = readOut;
        return made;
    };
    report.tables.push_back(
        {.path = "split_curve",
         .title = {},
         .rows = points,
         .columns = {
             column("hit_rate", std::identity()),
             column(
                 "hit", [](double hit) { return formatShare(hit); }, "hit rate {}"),
             column("linear", linear), column("attention", attending),
             column(
                 "linear_words", [linear](double hit) { return timesWords(linear(hit)); }, "{} the work"),
             column(
                 "attention_words", [attending](double hit) { return timesWords(attending(hit)); },
                 "{} with attention")}});
    const double rate = splitHitOf(figure, settings).rate;
    report.tables.push_back(
        {.path = "split_now",
         .title = {},
         .rows = 1,
         .columns = {columnAt("hit_rate", [rate](std::size_t) { return rate; }),
                     columnAt("speed_up", [linear, rate](std::size_t) { return linear(rate); })}});
    const double bound = splitWith(settings.fleet, 0).speedUp;
    constexpr double little = 1.02, unbounded = 10;
    std::vector<ask::Rule> rules;
    if (std::isfinite(bound)) {
        rules.push_back({.across = ask::Rule::Across::Y, .at = bound, .label = "bound"});
    }
    report.plots.push_back({.key = "cache-split-curve",
                            .title = "Prefill and decode GPUs",
                            .description = {},
                            .sentence = {},
                            .x = {"hit rate", Form::Share, ask::Scale::Linear, 0, 1},
                            .y = {"times as much", Form::Plain, ask::Scale::Linear, 1,
                                  std::isfinite(bound) ? std::max(bound * little, 1.1) : unbounded},
                            .marks = {{.table = "split_curve",
                                       .x = "hit_rate",
                                       .y = "linear",
                                       .legend = "linear",
                                       .ink = Ink::CacheWrite},
                                      {.table = "split_curve",
                                       .x = "hit_rate",
                                       .y = "attention",
                                       .legend = "with attention",
                                       .ink = Ink::Kernel,
                                       .basis = Basis::Modelled},
                                      {.kind = Kind::Points,
                                       .table = "split_now",
                                       .x = "hit_rate",
                                       .y = "speed_up",
                                       .ink = Ink::Accent}},
                            .rules = std::move(rules),
                            .empty = figure.tellsReuse() ? "" : "the trace tells no reuse",
                            .facet = "cache-split",
                            .height = 5});
}

} // namespace

void addSplitPlot(ask::Report& report, const CacheFigure& figure, const CacheSettings& settings) {
    report.tables.push_back(ask::heldTable("split", splitTable(figure, settings)));
    addRows(report, figure, settings);
    addCurve(report, figure, settings);
}

} // namespace loadline
