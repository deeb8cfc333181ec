// From how many users on quantised kernels lose: curves of every k, and the interval of each crossing.
#include "core/simulate/answer/comparison.h"
#include "core/simulate/plot/crossover_table.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/study/crossing_words.h"
#include "core/text/number_format.h"
#include "core/text/plain_words.h"
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

std::string scopeWords(StepScope scope) {
    return scope == StepScope::WholeStep ? "Whole steps" : "GEMMs alone";
}

bool isTooLarge(const SweepResult& sweep, Storage weights) {
    return std::ranges::any_of(
        sweep.memory, [weights](const MemoryFit& fit) { return fit.weights == weights && fit.isTooLarge(); });
}

std::span<const SweepPoint> chosenCurve(const std::shared_ptr<const SweepResult>& sweep, Storage weights) {
    for (std::size_t k = 0; sweep && !sweep->points.empty() && k < sweep->weights.size(); ++k) {
        if (sweep->weights[k] == weights && !isTooLarge(*sweep, weights)) {
            return sweep->curve(k, 0);
        }
    }
    return {};
}

std::string crossoverPlotSentence(const CrossoverCurves& now) {
    std::string text;
    for (const Crossover& crossover : now.crossovers) {
        text = crossover.weights == now.weights ? crossover.sentence : text;
    }
    for (const Crossover& crossover : now.otherCrossovers) {
        if (crossover.weights == now.weights && !crossover.isMisfit()) {
            Crossover other = crossover;
            other.memory = {}; // of which the first one speaks
            const bool alone = fp16ShortfallOf(crossover.memory).empty();
            text += fmt::format(" {}: {}", scopeWords(crossover.scope),
                                alone ? crossover.sentence : crossoverSentence(other));
        }
    }
    return now.remarks.empty() ? text : text + " " + now.remarks;
}

/// The format that curves are drawn against.
Format againstOf(const SweepResult& sweep) {
    return sweep.pairs.empty() ? fp16Format : sweep.pairs.front().againstFormat;
}

/// All k at one number of users; of those that are not chosen only the first line.
std::string pointWords(const CrossoverCurves& now, std::size_t user) {
    const SweepResult& sweep = *now.sweep;
    const SweepPoint& point = sweep.curve(0, 0)[user];
    std::string words = loadWords(point);
    for (std::size_t k = 0; k < sweep.weights.size(); ++k) {
        if (!isTooLarge(sweep, sweep.weights[k])) {
            const auto lines = measureWords(sweep.at(k, 0, user), point.isPreview, againstOf(sweep));
            words += fmt::format("\n{}: {}", specOf(sweep.weights[k]).name,
                                 sweep.weights[k] == now.weights ? linesOf(lines) : lines.front());
        }
    }
    return point.isPreview ? words + "\n" + previewWords : words;
}

/// The weights whose curve carries the read-out of all: the chosen one, or the first that fits.
Storage readWeights(const CrossoverCurves& now) {
    const auto fits = [&](Storage weights) { return !isTooLarge(*now.sweep, weights); };
    const auto first = std::ranges::find_if(now.sweep->weights, fits);
    const bool hasChosen = std::ranges::find(now.sweep->weights, now.weights) != now.sweep->weights.end();
    return (hasChosen && fits(now.weights)) || first == now.sweep->weights.end() ? now.weights : *first;
}

/// 0 of the fewest bits to 1 of the most; weights beyond k-bit ones by their bits.
double gradeOf(Storage weights) {
    const double bits = kOf(weights).value_or(static_cast<int>(specOf(weights).bitsEach));
    return (std::clamp<double>(bits, minKBits, maxKBits) - minKBits) / (maxKBits - minKBits);
}

void addCurves(ask::Report& report, ask::Plot& plot, const CrossoverCurves& now,
               const CrossoverCurves& pinned) {
    const auto measure = [](const SweepPoint& point) { return point.measure(); };
    const SweepResult& sweep = *now.sweep;
    if (const auto before = chosenCurve(pinned.sweep, pinned.weights); !before.empty()) {
        addCurve(report, plot,
                 {.path = "pinned", .ink = Ink::CacheWrite, .legend = pinned.name, .dashed = true}, before,
                 measure);
    }
    if (const auto other = chosenCurve(now.otherSweep, now.weights);
        !other.empty() && measureTitle(other, againstOf(sweep)) == plot.y.title) {
        addCurve(report, plot,
                 {.path = "other",
                  .ink = Ink::Model,
                  .legend = fmt::format("{}, {}", specOf(now.weights).name,
                                        lowered(scopeWords(now.otherCrossovers.front().scope))),
                  .modelled = true},
                 other, measure);
    }
    for (std::size_t k = 0; k < sweep.weights.size(); ++k) {
        const Storage weights = sweep.weights[k];
        const StorageSpec& spec = specOf(weights);
        if (isTooLarge(sweep, weights)) {
            continue;
        }
        const bool isChosen = weights == now.weights;
        const std::vector<SweepPoint> curve = sweep.ownCurve(k, 0);
        CurveStyle style{.path = std::string(spec.key),
                         .ink = Ink::Graded,
                         .band = isChosen,
                         .dots = isChosen,
                         .modelled = true,
                         .name = std::string(spec.name),
                         .grade = gradeOf(weights)};
        const PointWords words = [&](const SweepPoint& point) {
            const auto all = sweep.curve(k, 0);
            const auto user = std::ranges::find(all, point.users, &SweepPoint::users) - all.begin();
            return pointWords(now, static_cast<std::size_t>(user));
        };
        addCurve(report, plot, style, curve, measure, weights == readWeights(now) ? words : PointWords());
        if (isChosen && curve.front().against) { // 1 / time, on the axis of turns
            style = {.path = "batches",
                     .ink = Ink::Muted,
                     .legend = fmt::format("{} on the same batches", spec.name),
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
        Lane lane{.name = fmt::format("{}{}", specOf(c.weights).name,
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
            if (other.weights == crossover.weights) {
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
            const bool isSame = other.weights == c->weights && other.scope == c->scope && !other.isMisfit() &&
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
        const auto chosen = std::ranges::find(sweep.memory, now.weights, &MemoryFit::weights);
        const MemoryFit& fit = chosen == sweep.memory.end() ? sweep.memory.front() : *chosen;
        return memoryReport("crossover", crossoverTitle, misfitSentence(fit), fit);
    }
    const bool isEmpty = sweep.users.size() < 2;
    constexpr int curvesHeight = 13;
    const MemoryFit memory = sweep.memory.empty() ? MemoryFit{} : sweep.memory.front();
    std::vector<std::span<const SweepPoint>> curves = {chosenCurve(now.otherSweep, now.weights),
                                                       chosenCurve(pinned.sweep, pinned.weights)};
    for (std::size_t k = 0; k < sweep.weights.size() && !isEmpty; ++k) {
        curves.push_back(isTooLarge(sweep, sweep.weights[k]) ? std::span<const SweepPoint>()
                                                             : sweep.curve(k, 0));
    }
    const auto hasNoK = [](const Crossover& c) { return !kOf(c.weights); };
    const bool namesWeights =
        std::ranges::any_of(now.crossovers, hasNoK) || std::ranges::any_of(pinned.crossovers, hasNoK);
    ask::Report report = reportOf(
        {.key = "crossover",
         .title = crossoverTitle,
         .description = {},
         .sentence = crossoverPlotSentence(now),
         .x = usersAxis(isEmpty ? std::span<const SweepPoint>() : sweep.curve(0, 0)),
         .y = {measureTitle(sweep.points, againstOf(sweep)), ask::Form::Plain, ratioScale(curves)},
         .marks = {},
         .rules = {{.across = ask::Rule::Across::Y,
                    .at = 1,
                    .label = fp16Words(memory, againstOf(sweep)),
                    .ink = Ink::Fp16},
                   {.at = static_cast<double>(now.users), .field = "users", .ink = Ink::Accent}},
         .empty = isEmpty ? "over users in closed loop only" : "",
         .facet = "crossover",
         .height = curvesHeight},
        pinned.sweep ? joined(crossoverTable(now, namesWeights), crossoverTable(pinned, namesWeights))
                     : crossoverTable(now, namesWeights));
    if (!isEmpty) {
        addCurves(report, report.plots.front(), now, pinned);
        report.plots.push_back(lanesPlot(report, now, pinned, report.plots.front().x));
    }
    return report;
}

} // namespace loadline
