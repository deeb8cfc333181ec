// From how many users on quantised kernels lose: curves of every k, and the interval of each crossing.
#include "core/simulate/answer/comparison.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/study/crossing_words.h"
#include "core/text/number_format.h"
#include "core/text/plain_words.h"
#include "core/text/table_columns.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace loadline {
namespace {

using ask::Ink, ask::columnOf;

constexpr const char* crossoverTitle = "Crossover";

Cell servedRatio(const Crossover& crossover, const Banded& pace) {
    return crossover.byTurns && pace.value > 0 ? Cell(1 / pace.value) : Cell();
}

/// True if k-bit is ahead below a crossing.
Cell belowCell(const Crossover& crossover, std::size_t i) {
    return i < crossover.crossings.size()
               ? Cell(std::string(crossover.crossings[i].quantisedFasterBelow ? "true" : "false"))
               : Cell();
}

/// A row for each k and scope.
Table crossoverTable(const CrossoverCurves& curves) {
    Table table =
        tableWith("k step crossing_users low high replicas_low replicas_high sessions_low "
                  "sessions_high kernels_low kernels_high share_with_crossing share_otherwise "
                  "otherwise_users fits fp16_fits by best_users best_turns_per_s_vs_against worst_users "
                  "worst_turns_per_s_vs_against crossing quantised_faster_below");
    std::vector<Crossover> all = curves.crossovers;
    all.insert(all.end(), curves.otherCrossovers.begin(), curves.otherCrossovers.end());
    for (const Crossover& c : all) {
        const std::string by = c.byTurns ? "turns_per_s" : "time";
        if (c.isMisfit()) {
            std::vector<Cell> row(table.columns.size());
            row[0] = std::int64_t{c.kBits};
            row[1] = std::string(keyOf(c.scope));
            row[14] = fitCell(c.memory.fits());
            row[15] = fitCell(c.memory.fp16Fits());
            row[16] = by;
            table.rows.push_back(std::move(row));
            continue;
        }
        const bool isAlone = c.crossings.size() < 2 || c.byCrossing.empty();
        const CrossoverInterval& first = isAlone ? c.all : c.byCrossing.front();
        const Cell users = c.crossings.empty() ? Cell() : Cell(c.crossings.front().users);
        table.rows.push_back({std::int64_t{c.kBits},
                              std::string(keyOf(c.scope)),
                              users,
                              cellOf(first.low),
                              cellOf(first.high),
                              cellOf(c.replicas.low),
                              cellOf(c.replicas.high),
                              cellOf(c.sessions.low),
                              cellOf(c.sessions.high),
                              cellOf(c.kernels.low),
                              cellOf(c.kernels.high),
                              first.shareWithCrossing,
                              c.all.shareOtherwise,
                              cellOf(c.all.otherwiseUsers),
                              fitCell(c.memory.fits()),
                              fitCell(c.memory.fp16Fits()),
                              by,
                              c.bestUsers,
                              servedRatio(c, c.best),
                              c.worstUsers,
                              servedRatio(c, c.worst),
                              c.crossings.empty() ? Cell() : Cell(std::int64_t{1}),
                              belowCell(c, 0)});
        for (std::size_t i = 1; i < c.crossings.size(); ++i) { // the others, each with its own interval
            std::vector<Cell> row = table.rows.back();
            std::fill(row.begin() + 2, row.begin() + 14, Cell());
            row[2] = c.crossings[i].users;
            if (i < c.byCrossing.size()) {
                row[3] = cellOf(c.byCrossing[i].low);
                row[4] = cellOf(c.byCrossing[i].high);
                row[11] = c.byCrossing[i].shareWithCrossing;
            }
            row[21] = static_cast<std::int64_t>(i + 1);
            row[22] = belowCell(c, i);
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

std::string scopeWords(StepScope scope) {
    return scope == StepScope::WholeStep ? "Whole steps" : "GEMMs alone";
}

bool isTooLarge(const SweepResult& sweep, int kBits) {
    return std::ranges::any_of(
        sweep.memory, [kBits](const MemoryFit& fit) { return fit.kBits == kBits && fit.isTooLarge(); });
}

std::span<const SweepPoint> chosenCurve(const std::shared_ptr<const SweepResult>& sweep, int kBits) {
    for (std::size_t k = 0; sweep && !sweep->points.empty() && k < sweep->kBits.size(); ++k) {
        if (sweep->kBits[k] == kBits && !isTooLarge(*sweep, kBits)) {
            return sweep->curve(k, 0);
        }
    }
    return {};
}

std::string crossoverPlotSentence(const CrossoverCurves& now) {
    std::string text;
    for (const Crossover& crossover : now.crossovers) {
        text = crossover.kBits == now.kBits ? crossover.sentence : text;
    }
    for (const Crossover& crossover : now.otherCrossovers) {
        if (crossover.kBits == now.kBits && !crossover.isMisfit()) {
            Crossover other = crossover;
            other.memory = {}; // of which the first one speaks
            const bool alone = fp16ShortfallOf(crossover.memory).empty();
            text += fmt::format(" {}: {}", scopeWords(crossover.scope),
                                alone ? crossover.sentence : crossoverSentence(other));
        }
    }
    return now.remarks.empty() ? text : text + " " + now.remarks;
}

/// All k at one number of users; of those that are not chosen only the first line.
std::string pointWords(const CrossoverCurves& now, std::size_t user) {
    const SweepResult& sweep = *now.sweep;
    const SweepPoint& point = sweep.curve(0, 0)[user];
    std::string words = loadWords(point);
    for (std::size_t k = 0; k < sweep.kBits.size(); ++k) {
        if (!isTooLarge(sweep, sweep.kBits[k])) {
            const auto lines = measureWords(sweep.at(k, 0, user), point.isPreview);
            words += fmt::format("\nk = {}: {}", sweep.kBits[k],
                                 sweep.kBits[k] == now.kBits ? linesOf(lines) : lines.front());
        }
    }
    return point.isPreview ? words + "\n" + previewWords : words;
}

/// The k whose curve carries the read-out of all: the chosen one, or the first that fits.
int readBits(const CrossoverCurves& now) {
    const auto fits = [&](int bits) { return !isTooLarge(*now.sweep, bits); };
    const auto first = std::ranges::find_if(now.sweep->kBits, fits);
    const bool hasChosen = std::ranges::find(now.sweep->kBits, now.kBits) != now.sweep->kBits.end();
    return (hasChosen && fits(now.kBits)) || first == now.sweep->kBits.end() ? now.kBits : *first;
}

void addCurves(ask::Report& report, ask::Plot& plot, const CrossoverCurves& now,
               const CrossoverCurves& pinned) {
    const auto measure = [](const SweepPoint& point) { return point.measure(); };
    const SweepResult& sweep = *now.sweep;
    if (const auto before = chosenCurve(pinned.sweep, pinned.kBits); !before.empty()) {
        addCurve(report, plot,
                 {.path = "pinned", .ink = Ink::CacheWrite, .legend = pinned.name, .dashed = true}, before,
                 measure);
    }
    if (const auto other = chosenCurve(now.otherSweep, now.kBits);
        !other.empty() && measureTitle(other) == plot.y.title) {
        addCurve(report, plot,
                 {.path = "other",
                  .ink = Ink::Model,
                  .legend = fmt::format("k = {}, {}", now.kBits,
                                        lowered(scopeWords(now.otherCrossovers.front().scope))),
                  .modelled = true},
                 other, measure);
    }
    for (std::size_t k = 0; k < sweep.kBits.size(); ++k) {
        const int bits = sweep.kBits[k];
        if (isTooLarge(sweep, bits)) {
            continue;
        }
        const bool isChosen = bits == now.kBits;
        const std::vector<SweepPoint> curve = sweep.ownCurve(k, 0);
        CurveStyle style{.path = fmt::format("k{}", bits),
                         .ink = Ink::Graded,
                         .band = isChosen,
                         .dots = isChosen,
                         .modelled = true,
                         .name = fmt::format("k = {}", bits),
                         .grade = static_cast<double>(std::clamp(bits, minKBits, maxKBits) - minKBits) /
                                  (maxKBits - minKBits)};
        const PointWords words = [&](const SweepPoint& point) {
            const auto all = sweep.curve(k, 0);
            const auto user = std::ranges::find(all, point.users, &SweepPoint::users) - all.begin();
            return pointWords(now, static_cast<std::size_t>(user));
        };
        addCurve(report, plot, style, curve, measure, bits == readBits(now) ? words : PointWords());
        if (isChosen && curve.front().against) { // 1 / time, on the axis of turns
            style = {.path = "batches",
                     .ink = Ink::Muted,
                     .legend = fmt::format("k = {} on the same batches", bits),
                     .dashed = true};
            addCurve(report, plot, style, curve, [](const SweepPoint& point) {
                const double time = point.timeVsFp16.value;
                return Banded{time > 0 ? 1 / time : 0, 0, 0};
            });
        }
    }
    if (std::ranges::any_of(sweep.points, [](const SweepPoint& point) { return point.modelled.isMost(); })) {
        addLegend(report, plot, "mostly modelled", Ink::Text, ask::Basis::Modelled);
    }
}

/// A lane of one k and one scope of steps.
struct Lane {
    std::string name, verdict, words;
    bool isOther = false; ///< of the scope that is not chosen
    double from = 0;      ///< of the axis
    std::optional<double> low, high;
};

std::string wordsOfLane(const Crossover& c) {
    if (c.isMisfit()) {
        return c.sentence;
    }
    return fmt::format(
        "{}: {}\nall together: {}\nchance in the turns: {}\nwhich sessions: {}\nkernel times: {}",
        scopeWords(c.scope), c.sentence, wordsOf(c, c.all), wordsOf(c, c.replicas), wordsOf(c, c.sessions),
        wordsOf(c, c.kernels));
}

/// Verdict where nothing is crossed; "" else.
std::string verdictOf(const Crossover& c) {
    if (c.isMisfit()) {
        return c.misfit.empty() ? "does not fit into " + formatGib(c.memory.roomBytes())
                                : visibleText(c.misfit);
    }
    if (!c.crossings.empty()) {
        return "";
    }
    const bool isSlower = c.kind == CrossoverKind::QuantisedSlower;
    const std::string verdict =
        c.byTurns ? (isSlower ? "fewer turns" : "more turns") : (isSlower ? "slower" : "faster");
    return c.all.shareOtherwise > 0 ? fmt::format("{} in the mean; {}", verdict, wordsOf(c, c.all))
                                    : verdict + " throughout";
}

/// Lanes below the curves, of each k the chosen scope above the other: its interval and its crossings.
ask::Plot lanesPlot(ask::Report& report, const CrossoverCurves& now, const CrossoverCurves& pinned,
                    const ask::Axis& users) {
    constexpr int frame = 2; // lanes' worth of room for the axis
    ask::Plot plot{.key = "crossover",
                   .title = crossoverTitle,
                   .description = {},
                   .sentence = {},
                   .x = users,
                   .y = {"", ask::Form::Text, ask::Scale::Category},
                   .marks = {},
                   .facet = "crossover",
                   .table = twinTable,
                   .corner = now.otherWhyNot};
    std::vector<Lane> lanes;
    std::vector<std::pair<const Crossover*, std::size_t>> all; ///< with its lane
    const bool isBoth = !now.otherCrossovers.empty();
    const auto add = [&](const Crossover& c, bool isOther) {
        Lane lane{.name = fmt::format("k = {}{}", c.kBits,
                                      !isBoth                           ? ""
                                      : c.scope == StepScope::WholeStep ? ", whole step"
                                                                        : ", GEMMs"),
                  .verdict = verdictOf(c),
                  .words = wordsOfLane(c),
                  .isOther = isOther,
                  .from = *users.low,
                  .low = {},
                  .high = {}};
        if (!c.isMisfit() && (c.all.low || c.all.high || c.all.otherwiseUsers)) {
            lane.low = c.all.low.value_or(*users.low);
            lane.high = c.all.high.value_or(*users.high);
        }
        all.emplace_back(&c, lanes.size());
        lanes.push_back(std::move(lane));
    };
    for (const Crossover& crossover : now.crossovers) {
        add(crossover, false);
        for (const Crossover& other : now.otherCrossovers) {
            if (other.kBits == crossover.kBits) {
                add(other, true);
            }
        }
    }
    plot.x.title.clear();
    plot.height = static_cast<int>(lanes.size()) + frame;
    const std::vector<Lane>& rows = report.keep(std::move(lanes));
    const auto endOf = [](bool isOther) {
        return [isOther](const Lane& lane) { return lane.isOther == isOther ? lane.high : std::nullopt; };
    };
    report.tables.push_back(
        {.path = "lanes",
         .title = {},
         .rows = rows.size(),
         .columns = {columnOf(rows, "name", "name", &Lane::name, ask::Form::Text),
                     columnOf(rows, "from", "from", &Lane::from), columnOf(rows, "low", "low", &Lane::low),
                     columnOf(rows, "high", "high", endOf(false)),
                     columnOf(rows, "other", "other", endOf(true)),
                     columnOf(rows, "verdict", "verdict", &Lane::verdict, ask::Form::Text),
                     columnOf(rows, "words", "words", &Lane::words, ask::Form::Text, "{}")}});
    for (const bool isOther : {false, true}) {
        plot.marks.push_back({.kind = ask::Kind::Spans,
                              .table = "lanes",
                              .x = "low",
                              .y = "name",
                              .x2 = isOther ? "other" : "high",
                              .ink = isOther ? Ink::Model : Ink::Warning,
                              .basis = ask::Basis::Estimated});
    }
    plot.marks.push_back(
        {.kind = ask::Kind::Labels, .table = "lanes", .x = "from", .y = "name", .label = "verdict"});

    struct Place {
        std::string name;
        double users = 0;
        int ink = 0; ///< 0: now, 1: of the other scope, 2: pinned
    };

    std::vector<Place> places;
    for (const auto& [c, lane] : all) {
        for (const Crossing& crossing : c->crossings) {
            places.push_back({rows[lane].name, crossing.users, rows[lane].isOther ? 1 : 0});
        }
        for (const Crossover& other : pinned.crossovers) {
            const bool isSame = other.kBits == c->kBits && other.scope == c->scope && !other.isMisfit() &&
                                !c->isMisfit() && other.byTurns == c->byTurns;
            for (const Crossing& crossing : isSame ? other.crossings : std::vector<Crossing>()) {
                places.push_back({rows[lane].name, crossing.users, 2});
            }
        }
    }
    const std::vector<Place>& crossings = report.keep(std::move(places));
    report.tables.push_back(
        {.path = "crossings",
         .title = {},
         .rows = crossings.size(),
         .columns = {columnOf(crossings, "name", "name", &Place::name, ask::Form::Text)}});
    for (const auto& [key, number, ink] :
         {std::tuple("now", 0, Ink::Warning), std::tuple("other", 1, Ink::Model),
          std::tuple("pinned", 2, Ink::CacheWrite)}) {
        report.tables.back().columns.push_back(
            columnOf(crossings, key, key, [number = number](const Place& place) {
                return place.ink == number ? std::optional(place.users) : std::nullopt;
            }));
        plot.marks.push_back({.kind = ask::Kind::Points,
                              .table = "crossings",
                              .x = key,
                              .y = "name",
                              .ink = ink,
                              .basis = ask::Basis::Estimated});
    }
    return plot;
}

} // namespace

ask::Report crossoverReport(const CrossoverCurves& now, const CrossoverCurves& pinned) {
    const SweepResult& sweep = *now.sweep;
    if (!sweep.memory.empty() && std::ranges::all_of(sweep.memory, &MemoryFit::isTooLarge)) {
        const auto chosen = std::ranges::find(sweep.memory, now.kBits, &MemoryFit::kBits);
        const MemoryFit& fit = chosen == sweep.memory.end() ? sweep.memory.front() : *chosen;
        return memoryReport("crossover", crossoverTitle, misfitSentence(fit), fit);
    }
    const bool isEmpty = sweep.users.size() < 2;
    constexpr int curvesHeight = 13;
    const MemoryFit memory = sweep.memory.empty() ? MemoryFit{} : sweep.memory.front();
    std::vector<std::span<const SweepPoint>> curves = {chosenCurve(now.otherSweep, now.kBits),
                                                       chosenCurve(pinned.sweep, pinned.kBits)};
    for (std::size_t k = 0; k < sweep.kBits.size() && !isEmpty; ++k) {
        curves.push_back(isTooLarge(sweep, sweep.kBits[k]) ? std::span<const SweepPoint>()
                                                           : sweep.curve(k, 0));
    }
    ask::Report report = reportOf(
        {.key = "crossover",
         .title = crossoverTitle,
         .description = {},
         .sentence = crossoverPlotSentence(now),
         .x = usersAxis(isEmpty ? std::span<const SweepPoint>() : sweep.curve(0, 0)),
         .y = {measureTitle(sweep.points), ask::Form::Plain, ratioScale(curves)},
         .marks = {},
         .rules = {{.across = ask::Rule::Across::Y, .at = 1, .label = fp16Words(memory), .ink = Ink::Fp16},
                   {.at = static_cast<double>(now.users), .field = "users", .ink = Ink::Accent}},
         .empty = isEmpty ? "over users in closed loop only" : "",
         .facet = "crossover",
         .height = curvesHeight},
        pinned.sweep ? joined(crossoverTable(now), crossoverTable(pinned)) : crossoverTable(now));
    if (!isEmpty) {
        addCurves(report, report.plots.front(), now, pinned);
        report.plots.push_back(lanesPlot(report, now, pinned, report.plots.front().x));
    }
    return report;
}

} // namespace loadline
