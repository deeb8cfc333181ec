// Parts that the plots of simulations share.
#include "core/simulate/plot/plot_parts.h"

#include "core/ask/held_table.h"
#include "core/simulate/answer/comparison.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/simulate/study/preview_words.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline {
namespace {

struct CurveRow {
    double load = 0;
    Banded value;
    ask::Basis line = ask::Basis::Measured, dot = ask::Basis::Measured;
    std::string words;
};

} // namespace

ask::Report reportOf(ask::Plot plot, Table twin) {
    ask::Report report;
    plot.table = twinTable;
    report.tables.push_back(ask::heldTable(twinTable, std::move(twin)));
    report.plots.push_back(std::move(plot));
    return report;
}

std::string servingWords(Kernel kernel, const SimulationInputs& inputs) {
    constexpr std::size_t mostNamed = 24; // characters: the table names all
    const std::string name = nameOf(kernel, namingOf(inputs));
    const std::string gemms = gemmsOf(inputs.cost.model, kernel);
    const bool isFp16 = kernel == fp16Kernel(isGrouped(kernel));
    return !isFp16 || gemms.empty()
               ? name
               : fmt::format("{} ({})", name,
                             gemms.size() <= mostNamed ? visibleText(gemms) : "what stays fp16");
}

std::string loadWords(const SweepPoint& point) {
    return point.ratePerS > 0 ? formatReal(point.ratePerS) + " turns a second"
           : point.users == 1 ? "1 user"
                              : formatExact(point.users) + " users";
}

std::string shareOfFp16Words(double ratio, bool preview) {
    return preview ? fmt::format("about {:.1f}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string measureTitle(std::span<const SweepPoint> points, const Format& against) {
    const auto served =
        std::ranges::find_if(points, [](const SweepPoint& point) { return point.against.has_value(); });
    return served == points.end()
               ? "time / fp16 time"
               : fmt::format("{} / {}'s", served->ratePerS > 0 ? "mean latency" : "turns per second",
                             nameOf(against));
}

std::vector<std::string> measureWords(const SweepPoint& point, bool preview, const Format& against) {
    std::string batches = shareOfFp16Words(point.timeVsFp16.value, preview) + " of fp16's time";
    if (!point.against) {
        if (!preview && point.timeVsFp16.high > point.timeVsFp16.low) {
            batches += fmt::format(" ({} to {})", shareOfFp16Words(point.timeVsFp16.low),
                                   shareOfFp16Words(point.timeVsFp16.high));
        }
        return {batches};
    }
    const PairedRatio& ratio = point.against->turnsPerS;
    const ServedFigures& other = point.against->figures;
    const std::string more = moreTurnsText(ratio, preview);
    const std::string name = nameOf(against);
    std::string turns =
        fmt::format("{} turns per second {} {}", more, more.ends_with("as many") ? "as" : "than", name);
    if (!preview && ratio.low) {
        turns += fmt::format(" ({} times)", formatTimes(*ratio.low, *ratio.high, 3));
    }
    const auto time = [](const Banded& s) { return s.value > 0 ? formatSeconds(s.value) : "not known"; };
    return {turns, fmt::format("TTFT p50 {}, {} {}", time(point.ttftP50S), name, time(other.ttftP50S)),
            fmt::format("TPOT p99 {}, {} {}", time(point.tpotP99S), name, time(other.tpotP99S)),
            "on the same batches " + batches};
}

std::string fp16Words(const MemoryFit& fit, const Format& against) {
    if (against != fp16Format) {
        return nameOf(against);
    }
    return fit.fp16Fits().value_or(true) ? "fp16" : "fp16: does not fit";
}

std::string linesOf(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

ask::Axis usersAxis(std::span<const SweepPoint> points, double most) {
    ask::Axis axis{"users", ask::Form::Plain, ask::Scale::Log, 1, 256};
    if (!points.empty()) {
        const bool atRate = points.front().ratePerS > 0;
        axis.title = atRate ? "turns a second" : axis.title;
        axis.low = atRate ? points.front().load() : std::max(points.front().load(), 1.0);
        axis.high = std::max({points.back().load(), *axis.low * 2, most});
    }
    return axis;
}

std::string whyNothingVaries(const SimulatorFigure& figure) {
    if (figure.inputs.arrivals.kind == ArrivalKind::Trace) {
        return "a trace has one course: neither users nor a rate to vary";
    }
    if (figure.pair && !figure.pair->own.fits) { // nothing is simulated
        const std::string need = needWordsOf(figure.memory);
        return need.empty() ? "does not fit" : need;
    }
    return figure.stage == FigureStage::Preview ? "follows when refined" : "too few points for a curve";
}

ask::Scale ratioScale(const std::vector<std::span<const SweepPoint>>& curves) {
    double least = 1, most = 1.2;
    for (const std::span<const SweepPoint> points : curves) {
        for (const SweepPoint& point : points) {
            const Banded measure = point.measure();
            least = measure.value > 0 ? std::min(least, measure.value) : least;
            most = std::max({most, measure.value, std::isfinite(measure.high) ? measure.high : 0});
        }
    }
    return ask::scaleOver(least, most);
}

void addCurve(ask::Report& report, ask::Plot& plot, const CurveStyle& style,
              std::span<const SweepPoint> points, const PointValue& value, const PointWords& words) {
    using ask::Basis, ask::columnOf, ask::Form;
    std::vector<CurveRow> all;
    for (const SweepPoint& point : points) {
        const Banded v = value(point);
        if (std::isfinite(v.value)) {
            const Basis dot = style.preview || point.isPreview ? Basis::Estimated : Basis::Measured;
            all.push_back({point.load(), v,
                           style.modelled && point.modelled.isMost() ? Basis::Modelled : Basis::Measured, dot,
                           words ? words(point) : std::string()});
        }
    }
    const bool isSoft =
        std::ranges::any_of(all, [](const CurveRow& row) { return row.dot == Basis::Estimated; });
    const std::vector<CurveRow>& rows = report.keep(std::move(all));
    const auto band = [](double Banded::*end) {
        return [end](const CurveRow& row) { return row.value.*end; };
    };
    const auto basis = [](Basis CurveRow::*of) {
        return [of](const CurveRow& row) { return static_cast<std::int64_t>(row.*of); };
    };
    report.tables.push_back(
        {.path = style.path,
         .title = {},
         .rows = rows.size(),
         .columns = {columnOf(rows, "load", "load", &CurveRow::load),
                     columnOf(rows, style.path, "value", band(&Banded::value)),
                     columnOf(rows, "low", "low", band(&Banded::low)),
                     columnOf(rows, "high", "high", band(&Banded::high)),
                     columnOf(rows, "line", "line", basis(&CurveRow::line)),
                     columnOf(rows, "dot", "dot", basis(&CurveRow::dot)),
                     columnOf(rows, "name", "name", [name = style.name](const CurveRow&) { return name; }),
                     columnOf(rows, "words", "words", &CurveRow::words, Form::Text, words ? "{}" : "")}});
    const ask::Mark line{.table = style.path,
                         .x = "load",
                         .y = style.path,
                         .label = style.name.empty() ? "" : "name",
                         .basisColumn = "line",
                         .legend = style.legend,
                         .ink = style.ink,
                         .dashed = style.dashed,
                         .grade = style.grade};
    if (style.band) {
        ask::Mark area = line;
        area.kind = ask::Kind::Area;
        area.y = "low";
        area.y2 = "high";
        area.label = area.basisColumn = area.legend = "";
        plot.marks.push_back(std::move(area));
    }
    plot.marks.push_back(line);
    if (style.dots) {
        ask::Mark dots = line;
        dots.kind = ask::Kind::Points;
        dots.label = "";
        dots.basisColumn = "dot";
        dots.legend = isSoft ? "preview" : "";
        dots.basis = Basis::Estimated; // in the legend
        plot.marks.push_back(std::move(dots));
    }
}

void addLegend(ask::Report& report, ask::Plot& plot, std::string words, ask::Ink ink, ask::Basis basis) {
    const std::string path = "legend_" + words;
    const auto none = [](std::size_t) { return ask::Cell(); };
    report.tables.push_back(
        {.path = path,
         .title = {},
         .rows = 1,
         .columns = {{"x", {}, ask::Form::Plain, none}, {"y", {}, ask::Form::Plain, none}}});
    plot.marks.push_back(
        {.table = path, .x = "x", .y = "y", .legend = std::move(words), .ink = ink, .basis = basis});
}

void addDots(ask::Report& report, ask::Plot& plot, std::string path, ask::Ink ink, ask::Basis basis,
             std::vector<DotAt> dots, std::string legend) {
    using ask::columnOf;
    const std::vector<DotAt>& rows = report.keep(std::move(dots));
    report.tables.push_back(
        {.path = path,
         .title = {},
         .rows = rows.size(),
         .columns = {columnOf(rows, "x", "x", &DotAt::x), columnOf(rows, "y", "y", &DotAt::y),
                     columnOf(rows, "words", "words", &DotAt::words, ask::Form::Text, "{}")}});
    plot.marks.push_back({.kind = ask::Kind::Points,
                          .table = std::move(path),
                          .x = "x",
                          .y = "y",
                          .legend = std::move(legend),
                          .ink = ink,
                          .basis = basis});
}

double loadOf(const SettingShown& shown) {
    const ArrivalSetup& then = shown.figure->inputs.arrivals;
    const ArrivalSetup& now =
        shown.hand && shown.hand->arrivals.kind == then.kind ? shown.hand->arrivals : then;
    return now.kind == ArrivalKind::Poisson ? now.ratePerS : static_cast<double>(now.users);
}

ask::Rule loadRule(const SettingShown& shown) {
    const bool isClosed = shown.figure->inputs.arrivals.kind == ArrivalKind::Closed;
    return {.at = loadOf(shown),
            .field = isClosed ? "users" : "",
            .onMark = "now", // of curves with this path
            .ink = ask::Ink::Accent};
}

bool isPreview(const SettingShown& shown) {
    return shown.figure->stage == FigureStage::Preview;
}

std::string percentWords(const SettingShown& shown, double share) {
    return formatShare(share, isPreview(shown) ? previewError : 0);
}

Table joinedWith(const SettingShown& shown, Table (*tableOf)(const SimulatorFigure&)) {
    return shown.pinned ? joined(tableOf(*shown.figure), tableOf(*shown.pinned)) : tableOf(*shown.figure);
}

ask::Report memoryReport(std::string key, std::string title, std::string sentence, const MemoryFit& fit,
                         bool inShort) {
    using ask::columnOf;

    struct Weights {
        std::string name, key;
        double bytes = 0;
    };

    std::vector<Weights> all;
    for (int k = minKBits; k <= maxKBits; ++k) {
        all.push_back({fmt::format("k = {}{}", k, k == kOf(fit.weights) ? " (chosen)" : ""),
                       fmt::format("k={}", k), fit.weightsAt.at(static_cast<std::size_t>(k - minKBits))});
    }
    if (!kOf(fit.weights)) {
        const StorageSpec& spec = specOf(fit.weights);
        all.push_back({fmt::format("{} (chosen)", spec.name), std::string(spec.key), fit.weightBytes});
    }
    all.push_back({"fp16", "fp16", fit.weightFp16Bytes});
    const double room = fit.roomBytes();
    Table twin{{"weights", "needed_bytes", "available_bytes", "fits"}, {}};
    double most = fit.memoryBytes;
    for (const Weights& one : all) {
        twin.rows.push_back({one.key, one.bytes, room, fitCell(one.bytes < room)});
        most = std::max(most, one.bytes);
    }
    constexpr double forWords = 1.35; // behind the longest bar
    constexpr double gib = 1ULL << 30U;
    ask::Plot plot{
        .key = std::move(key),
        .title = std::move(title),
        .description = {},
        .sentence = std::move(sentence),
        .x = {"weights, GiB", ask::Form::Plain, ask::Scale::Linear, 0, forWords * most / gib},
        .y = {"", ask::Form::Text, ask::Scale::Category},
        .marks = {},
        .rules = {{.at = room / gib,
                   .label = fmt::format("{}{}, {}", fit.share > 0 ? formatShare(fit.share) + " of " : "",
                                        fit.device, formatGib(room)),
                   .ink = ask::Ink::Text}},
        .empty = inShort ? "does not fit into " + formatGib(room) : ""};
    ask::Report report = reportOf(std::move(plot), std::move(twin));
    const std::vector<Weights>& rows = report.keep(std::move(all));
    const auto when = [room](bool fits) {
        return [=](const Weights& one) {
            return (one.bytes < room) == fits ? ask::Cell(one.bytes / gib) : ask::Cell();
        };
    };
    const auto words = [room](const Weights& one) {
        return formatGib(one.bytes) + (one.bytes < room ? "" : ", does not fit");
    };
    report.tables.push_back(
        {.path = "weights",
         .title = {},
         .rows = rows.size(),
         .columns = {columnOf(rows, "name", "weights", &Weights::name, ask::Form::Text, "{}"),
                     columnOf(rows, "end", "end", [](const Weights& one) { return one.bytes / gib; }),
                     columnOf(rows, "fits", "fits", when(true)),
                     columnOf(rows, "not", "does not fit", when(false)),
                     columnOf(rows, "words", "words", words, ask::Form::Text, "{}")}});
    const ask::Mark bars{
        .kind = ask::Kind::Bars, .table = "weights", .x = "fits", .y = "name", .ink = ask::Ink::Kernel};
    ask::Mark over = bars, named = bars;
    over.x = "not";
    over.ink = ask::Ink::Warning;
    over.dashed = true;
    named.kind = ask::Kind::Labels;
    named.x = "end";
    named.label = "words";
    report.plots.front().marks = {bars, over, named};
    return report;
}

} // namespace loadline
