// Plots over users: against fp16, steps that only decode, throughput and latencies.
#include "core/ask/held_table.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/study/rate_crossings.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace loadline {
namespace {

using ask::Ink;

std::span<const SweepPoint> pointsOf(const std::shared_ptr<const SimulatorFigure>& figure) {
    return figure ? std::span<const SweepPoint>(figure->overUsers.points) : std::span<const SweepPoint>();
}

std::string whyNoCurve(const SettingShown& shown) {
    return shown.figure->overUsers.points.size() >= 2 ? "" : whyNothingVaries(*shown.figure);
}

/// Returns the frame of a chart with one curve, including the marker of the present setting.
ask::Plot plotOver(const SettingShown& shown, std::string key, std::string title, ask::Axis y) {
    const SimulatorFigure& figure = *shown.figure;
    return {.key = std::move(key),
            .title = std::move(title),
            .description = {},
            .sentence = figure.sentence,
            .x = usersAxis(figure.overUsers.points, figure.overUsers.mostLeftOut),
            .y = std::move(y),
            .marks = {},
            .rules = {loadRule(shown)},
            .empty = whyNoCurve(shown)};
}

/// A point in words, the pinned one of the same load below.
PointWords wordsWithPinned(const SettingShown& shown, const PointWords& words) {
    return [&shown, words](const SweepPoint& point) {
        std::string text = loadWords(point) + (isPreview(shown) ? std::string("\n") + previewWords : "") +
                           "\n" + words(point);
        for (const SweepPoint& other : pointsOf(shown.pinned)) {
            text += other.load() == point.load() ? "\npinned:\n" + words(other) : "";
        }
        return text;
    };
}

/// Solid now, dashed pinned.
void addBoth(ask::Report& report, ask::Plot& plot, const SettingShown& shown, CurveStyle now,
             const PointValue& value, const PointWords& words) {
    if (shown.pinned) {
        addCurve(report, plot,
                 {.path = "pinned", .ink = Ink::CacheWrite, .legend = shown.pinnedName, .dashed = true},
                 pointsOf(shown.pinned), value);
    }
    now.path = "now";
    now.legend = shown.pinned ? shown.nowName : "";
    now.band = now.dots = true;
    now.preview = isPreview(shown);
    addCurve(report, plot, now, pointsOf(shown.figure), value, wordsWithPinned(shown, words));
}

Banded measureOf(const SweepPoint& point) {
    return point.measure();
}

/// True if the hand is at other users than those that were simulated.
bool isMoved(const SettingShown& shown) {
    const ArrivalSetup& arrivals = shown.figure->inputs.arrivals;
    return arrivals.kind != ArrivalKind::Poisson && loadOf(shown) != static_cast<double>(arrivals.users);
}

/// On the curve between its points, as the logarithmic axis of users draws it.
Banded measureBetween(std::span<const SweepPoint> points, double load, ask::Scale scale) {
    const auto after = std::ranges::lower_bound(points, load, {}, &SweepPoint::load);
    if (after == points.end() || after == points.begin() || after->load() == load) {
        return (after == points.end() ? points.back() : *after).measure();
    }
    const SweepPoint& before = *std::prev(after);
    const double part = std::log(load / before.load()) / std::log(after->load() / before.load());
    const auto mix = [&](double from, double to) {
        return scale == ask::Scale::Log && from > 0 && to > 0 ? from * std::pow(to / from, part)
                                                              : from + part * (to - from);
    };
    const Banded a = before.measure(), b = after->measure();
    return {mix(a.value, b.value), mix(a.low, b.low), mix(a.high, b.high)};
}

/// At the present setting, by its own runs.
Banded presentMeasure(const SettingShown& shown, ask::Scale scale) {
    const SimulatorFigure& figure = *shown.figure;
    const std::vector<SweepPoint>& points = figure.overUsers.points;
    const ArrivalSetup& arrivals = figure.inputs.arrivals;
    if (isMoved(shown) || !figure.pair || !figure.pair->turnsPerS || arrivals.kind == ArrivalKind::Poisson) {
        return isMoved(shown) || figure.pair ? measureBetween(points, loadOf(shown), scale)
                                             : figure.timeVsFp16;
    }
    const PairedRatio& ratio = *figure.pair->turnsPerS;
    return {ratio.value, ratio.low.value_or(ratio.value), ratio.high.value_or(ratio.value)};
}

void addPresent(ask::Report& report, ask::Plot& plot, const SettingShown& shown) {
    const double load = loadOf(shown);
    if (load > shown.figure->overUsers.points.back().load()) {
        return; // left out: a format does not fit, or does not keep up
    }
    const Banded here = presentMeasure(shown, plot.y.scale);
    const bool isEstimated = isPreview(shown) || isMoved(shown);
    addDots(report, plot, "present", Ink::Accent, isEstimated ? ask::Basis::Estimated : ask::Basis::Measured,
            {{load, here.value}});
    ask::Table& table = report.tables.back();
    for (const auto& [key, end] : {std::pair("low", here.low), std::pair("high", here.high)}) {
        table.columns.push_back(
            {key, {}, ask::Form::Plain, [end = end](std::size_t) { return ask::Cell(end); }});
    }
    plot.marks.back().y2 = "low";
    plot.marks.push_back(plot.marks.back());
    plot.marks.back().y2 = "high";
}

void addCrossings(ask::Report& report, ask::Plot& plot, const SimulatorFigure& figure) {
    std::vector<DotAt> crossings;
    for (const Crossover& crossover : figure.crossovers) {
        if (crossover.weights != figure.inputs.cost.format.weights) {
            continue;
        }
        if (crossover.all.low || crossover.all.high) {
            plot.rules.push_back({.at = crossover.all.low.value_or(*plot.x.low),
                                  .to = crossover.all.high.value_or(*plot.x.high),
                                  .ink = Ink::Warning});
        }
        for (const Crossing& crossing : crossover.crossings) {
            crossings.push_back({crossing.users, 1});
        }
    }
    for (const RateCrossing& crossing : rateCrossingsOf(figure.overUsers.points)) {
        crossings.push_back({crossing.nearPerS, 1});
    }
    addDots(report, plot, "crossings", Ink::Warning, ask::Basis::Estimated, std::move(crossings));
}

std::vector<std::string> modelledWords(const SweepPoint& point) {
    if (point.modelled.kBit == 0 && point.modelled.fp16 == 0) {
        return {};
    }
    return {fmt::format("{} of the {} time and {} of fp16's are modelled", formatShare(point.modelled.kBit),
                        sideNameOf(point.weights), formatShare(point.modelled.fp16))};
}

// Throughput and latencies.

struct PanelFigure {
    Banded ServedFigures::*figure;
    bool isTail = false; ///< p99: dashed, without band and dots
};

struct Panel {
    const char* title;
    bool isTime;
    std::vector<PanelFigure> figures;
};

const std::array<Panel, 4>& panels() {
    static const std::array<Panel, 4> all = {
        {{"tokens/s", false, {{&ServedFigures::throughputTokensPerS}}},
         {"TTFT", true, {{&ServedFigures::ttftP50S}, {&ServedFigures::ttftP99S, true}}},
         {"TPOT", true, {{&ServedFigures::tpotP50S}, {&ServedFigures::tpotP99S, true}}},
         {"end to end, mean", true, {{&ServedFigures::e2eMeanS}}}}};
    return all;
}

/// No turn was answered, or none had a second token: there is no latency.
Banded knownOrNone(const Banded& value) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return value.value > 0 ? value : Banded{none, none, none};
}

/// "k = 4: 26.3 tokens/s; ...", and the line that follows.
std::string latencyWords(const std::string& format, const ServedFigures& figures) {
    const auto time = [](const Banded& s) { return s.value > 0 ? formatSeconds(s.value) : "none"; };
    return fmt::format("{}: {} tokens/s; end to end {} on average\nTTFT p50 {}, p99 {}; TPOT p50 {}, p99 {}",
                       format, formatCount(figures.throughputTokensPerS.value), time(figures.e2eMeanS),
                       time(figures.ttftP50S), time(figures.ttftP99S), time(figures.tpotP50S),
                       time(figures.tpotP99S));
}

ask::Scale latencyScale(const Panel& panel, const SettingShown& shown) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    const auto take = [&](double value) {
        if (value > 0 && std::isfinite(value)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    };
    for (const SweepPoint& point : pointsOf(shown.figure)) {
        for (const PanelFigure& one : panel.figures) {
            take((point.*one.figure).value);
            take(point.against ? (point.against->figures.*one.figure).value : 0);
        }
    }
    for (const SweepPoint& point : pointsOf(shown.pinned)) {
        take((point.*panel.figures.front().figure).value);
    }
    return panel.isTime ? ask::scaleOver(least, most) : ask::Scale::Linear;
}

void addPanel(ask::Report& report, ask::Plot& plot, const Panel& panel, const SettingShown& shown) {
    const SimulationInputs& inputs = shown.figure->inputs;
    const std::string own = nameOf(inputs.cost.format), other = nameOf(inputs.against);
    const std::span<const SweepPoint> points = pointsOf(shown.figure);
    const bool compares =
        std::ranges::any_of(points, [](const SweepPoint& point) { return point.against.has_value(); });
    const auto valueOf = [](Banded ServedFigures::*figure) {
        return [figure](const SweepPoint& point) { return knownOrNone(point.*figure); };
    };
    const auto otherOf = [](Banded ServedFigures::*figure) {
        return [figure](const SweepPoint& point) {
            return knownOrNone(point.against ? point.against->figures.*figure : Banded());
        };
    };
    const auto path = [&](const char* name) { return fmt::format("{} {}", panel.title, name); };
    if (shown.pinned) {
        addCurve(report, plot,
                 {.path = path("pinned"), .ink = Ink::CacheWrite, .legend = "pinned, p50", .dashed = true},
                 pointsOf(shown.pinned), valueOf(panel.figures.front().figure));
    }
    for (const PanelFigure& one : panel.figures) { // own ones on top
        if (compares) {
            addCurve(report, plot,
                     {.path = path(one.isTail ? "other tail" : "other"),
                      .ink = Ink::Fp16,
                      .legend = one.isTail ? "" : other,
                      .dashed = one.isTail},
                     points, otherOf(one.figure));
        }
    }
    const PointWords words = wordsWithPinned(shown, [=](const SweepPoint& point) {
        return latencyWords(own, point) +
               (point.against ? "\n" + latencyWords(other, point.against->figures) : "");
    });
    for (const PanelFigure& one : panel.figures) {
        addCurve(report, plot,
                 {.path = path(one.isTail ? "tail" : "own"),
                  .legend = one.isTail ? "p99" : own,
                  .band = !one.isTail,
                  .dots = !one.isTail,
                  .dashed = one.isTail,
                  .preview = isPreview(shown)},
                 points, valueOf(one.figure), one.isTail ? PointWords() : words);
    }
}

} // namespace

ask::Report usersReport(const SettingShown& shown) {
    const SimulatorFigure& figure = *shown.figure;
    const std::string title = "Against " + nameOf(figure.inputs.against);
    if (figure.memory.isTooLarge()) {
        return memoryReport("simulator-users", title, figure.sentence, figure.memory);
    }
    const std::span<const SweepPoint> points = pointsOf(shown.figure);
    ask::Plot plot = plotOver(shown, "simulator-users", title,
                              {measureTitle(points, figure.inputs.against), ask::Form::Plain,
                               ratioScale({points, pointsOf(shown.pinned)})});
    plot.rules.front().onMark.clear(); // the present setting has a dot of its own
    plot.rules.push_back({.across = ask::Rule::Across::Y,
                          .at = 1,
                          .label = fp16Words(figure.memory, figure.inputs.against),
                          .ink = Ink::Fp16});
    ask::Report report = reportOf(std::move(plot), joinedWith(shown, usersTable));
    ask::Plot& made = report.plots.front();
    if (!made.empty.empty()) {
        return report;
    }
    addBoth(report, made, shown, {.modelled = true}, measureOf, [&shown](const SweepPoint& point) {
        std::vector<std::string> lines = measureWords(point, isPreview(shown), shown.figure->inputs.against);
        lines.push_back(fmt::format("M = {} rows on average", formatReal(point.averageM.value, 3)));
        const std::vector<std::string> modelled = modelledWords(point);
        lines.insert(lines.end(), modelled.begin(), modelled.end());
        return linesOf(lines);
    });
    if (std::ranges::any_of(points, [](const SweepPoint& point) { return point.modelled.isMost(); })) {
        addLegend(report, made, "mostly modelled", Ink::Text, ask::Basis::Modelled);
    }
    addCrossings(report, made, figure);
    addPresent(report, made, shown);
    return report;
}

ask::Report decodeReport(const SettingShown& shown) {
    constexpr const char* title = "Steps that only decode";
    if (shown.figure->memory.isTooLarge()) {
        return memoryReport("simulator-decode", title, shown.figure->sentence, shown.figure->memory, true);
    }
    ask::Report report = reportOf(plotOver(shown, "simulator-decode", title,
                                           {"share of steps", ask::Form::Share, ask::Scale::Linear, 0, 1}),
                                  joinedWith(shown, usersTable));
    addBoth(
        report, report.plots.front(), shown, {.ink = Ink::Output},
        [](const SweepPoint& point) { return point.decodeOnlyFraction; },
        [&shown](const SweepPoint& point) {
            return percentWords(shown, point.decodeOnlyFraction.value) + " of the steps only decode";
        });
    return report;
}

ask::Report latencyReport(const SettingShown& shown) {
    const SimulatorFigure& figure = *shown.figure;
    if (figure.memory.isTooLarge()) {
        return memoryReport("simulator-latency", latencyTitle, figure.sentence, figure.memory, true);
    }
    if (figure.inputs.arrivals.kind == ArrivalKind::Trace) {
        return replayReport(shown);
    }
    ask::Report report;
    report.tables.push_back(ask::heldTable(twinTable, joinedWith(shown, usersTable)));
    for (const Panel& panel : panels()) {
        ask::Plot plot = plotOver(
            shown, "simulator-latency", latencyTitle,
            {panel.title, panel.isTime ? ask::Form::Seconds : ask::Form::Plain, latencyScale(panel, shown)});
        plot.empty =
            plot.empty.empty() && !tellsLatencies(figure.inputs) ? whyNoLatencies(figure.inputs) : plot.empty;
        plot.facet = "latency";
        plot.table = twinTable;
        addPanel(report, plot, panel, shown);
        report.plots.push_back(std::move(plot));
    }
    return report;
}

} // namespace loadline
