// Plots of one setting: how often a step has M rows, where the time goes, the map around it.
#include "core/simulate/answer/comparison.h"
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/study/even_lines.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

namespace loadline {
namespace {

using ask::Ink, ask::columnOf;

constexpr const char* rowsTitle = "Rows M of a step";
constexpr const char* sharesTitle = "Where the time goes";
constexpr const char* mapTitle = "Users or rate, and chunk size";

/// A box from one value to another, of a bin, a bar or a step of a line.
struct Part {
    double x = 0, x2 = 0, from = 0, to = 0;
    std::string words, name = {};
};

ask::Table partsTable(std::string path, const std::vector<Part>& rows) {
    return {.path = std::move(path),
            .title = {},
            .rows = rows.size(),
            .columns = {columnOf(rows, "x", "x", &Part::x), columnOf(rows, "x2", "x2", &Part::x2),
                        columnOf(rows, "from", "from", &Part::from), columnOf(rows, "to", "to", &Part::to),
                        columnOf(rows, "name", "name", &Part::name),
                        columnOf(rows, "words", "words", &Part::words, ask::Form::Text, "{}")}};
}

void addSteps(ask::Report& report, ask::Plot& plot, std::string path, std::vector<Part> parts, Ink ink,
              std::string legend, bool dashed = false) {
    if (parts.empty()) {
        return;
    }
    parts.push_back(parts.back()); // up to its end
    parts.back().x = parts.back().x2;
    report.tables.push_back(partsTable(path, report.keep(std::move(parts))));
    plot.marks.push_back({.kind = ask::Kind::Step,
                          .table = std::move(path),
                          .x = "x",
                          .y = "to",
                          .legend = std::move(legend),
                          .ink = ink,
                          .dashed = dashed});
}

std::string wordsOf(const RowsBin& bin, const SettingShown& shown) {
    const std::string range =
        bin.low == bin.high ? formatExact(bin.low) : formatExact(bin.low) + " to " + formatExact(bin.high);
    return fmt::format("M = {} rows\n{} of the steps\n{} only decode\n{} of the time{}", range,
                       percentWords(shown, bin.stepShare), percentWords(shown, bin.decodeOnlyShare),
                       percentWords(shown, bin.timeShare),
                       isPreview(shown) ? std::string("\n") + previewWords : "");
}

/// A bar is made of the GEMMs by kernel and the rest of a whole step, in shares of the fp16 time.
struct BarParts {
    std::array<double, kernelCount + 1> shares{}; ///< by Kernel; last: the rest
    double fp16Gemms = 0, fp16Rest = 0;

    [[nodiscard]] double all() const { return std::accumulate(shares.begin(), shares.end(), 0.0); }
};

BarParts barOf(const SimulatorFigure& figure) {
    const SimulationResult& present = figure.present;
    const double whole = std::max(present.wholeFp16Us, present.gemm.fp16Us);
    BarParts parts;
    if (!(whole > 0)) {
        return parts;
    }
    for (std::size_t i = 0; i < kernelCount; ++i) {
        parts.shares[i] = present.gemm.kernelUs[i] / whole;
    }
    parts.shares[kernelCount] = std::max(0.0, present.wholeUs - present.gemm.us) / whole;
    parts.fp16Gemms = present.gemm.fp16Us / whole;
    parts.fp16Rest = std::max(0.0, whole - present.gemm.fp16Us) / whole;
    return parts;
}

std::string gemmWords(const SimulatorFigure& figure) {
    std::string words;
    for (const Kernel kernel : figure.kernels) {
        const std::string gemms = gemmsOf(figure.inputs.cost.model, kernel);
        if (figure.present.gemm.kernelUs[static_cast<std::size_t>(kernel)] > 0 && !gemms.empty()) {
            words +=
                fmt::format("{} serves {}\n", nameOf(kernel, namingOf(figure.inputs)), visibleText(gemms));
        }
    }
    return words + "What pays counts dequantise and the fp16 GEMM behind it apart";
}

/// "scalar GEMV  40.0 %, pinned 30.0 %": the share of each bar.
std::string shareWords(const SettingShown& shown, std::size_t part, const BarParts& now,
                       const BarParts& before) {
    const SimulatorFigure& named = now.shares[part] > 0 || !shown.pinned ? *shown.figure : *shown.pinned;
    std::string words =
        part == kernelCount ? "attention and host" : servingWords(static_cast<Kernel>(part), named.inputs);
    words += "  " + percentWords(shown, now.shares[part] / now.all());
    return before.all() > 0 ? words + ", pinned " + percentWords(shown, before.shares[part] / before.all())
                            : words;
}

struct MapCell {
    double load = 0, chunk = 0, ratio = 0;
    std::optional<double> either; ///< 1: either may be ahead
    std::string words;
};

std::string wordsOf(const SweepPoint& point, const SettingShown& shown, bool atRate) {
    std::string words =
        fmt::format("{}, chunk {}\n{}", loadWords(point), formatExact(point.chunkTokens),
                    linesOf(measureWords(point, isPreview(shown), shown.figure->inputs.against)));
    if (!atRate) {
        words += point.against ? "\non the thick line both serve as many turns per second"
                               : "\non the thick line k-bit takes as long as fp16";
    }
    return isPreview(shown) ? words + "\n" + previewWords : words;
}

/// Adds the lines along which the ratio is 1.
void addEvenLines(ask::Report& report, ask::Plot& plot, std::string path, const SweepResult& map,
                  ask::Mark mark) {
    struct Place {
        std::int64_t line = 0;
        EvenPoint at;
    };

    std::vector<Place> places;
    std::int64_t number = 0;
    for (const std::vector<EvenPoint>& line : evenLinesOf(map)) {
        for (const EvenPoint& point : line) {
            places.push_back({number, point});
        }
        ++number;
    }
    if (places.empty()) {
        return;
    }
    const std::vector<Place>& rows = report.keep(std::move(places));
    report.tables.push_back(
        {.path = path,
         .title = {},
         .rows = rows.size(),
         .columns = {
             columnOf(rows, "line", "line", &Place::line),
             columnOf(rows, "users", "users", [](const Place& place) { return place.at.users; }),
             columnOf(rows, "chunk", "chunk", [](const Place& place) { return place.at.chunkTokens; })}});
    mark.table = std::move(path);
    mark.x = "users";
    mark.y = "chunk";
    mark.series = "line";
    plot.marks.push_back(std::move(mark));
}

} // namespace

ask::Report rowsReport(const SettingShown& shown) {
    const SimulatorFigure& figure = *shown.figure;
    if (figure.memory.isTooLarge()) {
        return memoryReport("simulator-rows", rowsTitle, figure.sentence, figure.memory, true);
    }
    const auto stepsOf = [&](const SimulatorFigure& of, double RowsBin::*share) {
        std::vector<Part> parts;
        for (const RowsBin& bin : of.rows) {
            parts.push_back({static_cast<double>(bin.low), static_cast<double>(bin.high) + 1, 0, bin.*share,
                             &of == &figure ? wordsOf(bin, shown) : ""});
        }
        return parts;
    };
    const std::vector<Part> times = stepsOf(figure, &RowsBin::timeShare);
    const std::vector<Part> before =
        shown.pinned ? stepsOf(*shown.pinned, &RowsBin::stepShare) : std::vector<Part>();
    double last = 16;
    for (const std::vector<Part>* parts : {&times, &before}) {
        last = parts->empty() ? last : std::max(last, parts->back().x2);
    }
    ask::Report report = reportOf({.key = "simulator-rows",
                                   .title = rowsTitle,
                                   .description = {},
                                   .sentence = figure.sentence,
                                   .x = {"rows M of a step", ask::Form::Plain, ask::Scale::Log, 1, last},
                                   .y = {"share of steps", ask::Form::Share},
                                   .marks = {}},
                                  joinedWith(shown, rowsTable));
    ask::Plot& plot = report.plots.front();
    std::vector<double> foot(figure.rows.size(), 0);
    for (const Kernel kernel : allKernels) {
        std::vector<Part> parts;
        for (std::size_t i = 0; i < figure.rows.size(); ++i) {
            const double share = figure.rows[i].stepShareBy[static_cast<std::size_t>(kernel)];
            if (share > 0) {
                parts.push_back({times[i].x, times[i].x2, foot[i], foot[i] + share, times[i].words});
                foot[i] += share;
            }
        }
        if (!parts.empty()) {
            report.tables.push_back(partsTable(std::string(keyOf(kernel)), report.keep(std::move(parts))));
            plot.marks.push_back({.kind = ask::Kind::Bars,
                                  .table = std::string(keyOf(kernel)),
                                  .x = "x",
                                  .y = "to",
                                  .x2 = "x2",
                                  .y2 = "from",
                                  .legend = servingWords(kernel, figure.inputs),
                                  .ink = inkOf(kernel),
                                  .dashed = isPair(kernel)});
        }
    }
    addSteps(report, plot, "time", times, Ink::Text, "share of time");
    if (isPreview(shown)) {
        std::vector<DotAt> dots;
        for (const Part& part : times) {
            dots.push_back({std::sqrt(part.x * part.x2), part.to, part.words});
        }
        addDots(report, plot, "preview", Ink::Text, ask::Basis::Estimated, std::move(dots), "preview");
    }
    addSteps(report, plot, "pinned", before, Ink::CacheWrite, "steps, pinned", true);
    return report;
}

ask::Report kernelShareReport(const SettingShown& shown) {
    const SimulatorFigure& figure = *shown.figure;
    if (figure.memory.isTooLarge()) {
        return memoryReport("kernel-share", sharesTitle, figure.sentence, figure.memory, true);
    }
    const BarParts now = barOf(figure), before = shown.pinned ? barOf(*shown.pinned) : BarParts();
    const std::string words = gemmWords(figure), own = nameOf(figure.inputs.cost.format);
    ask::Report report = reportOf({.key = "kernel-share",
                                   .title = sharesTitle,
                                   .description = {},
                                   .sentence = figure.sentence,
                                   .x = {"time / fp16 time"},
                                   .y = {"", ask::Form::Text, ask::Scale::Category},
                                   .marks = {},
                                   .empty = figure.present.gemm.us > 0 ? "" : "no step"},
                                  joinedWith(shown, kernelTable));
    ask::Plot& plot = report.plots.front();
    const auto add = [&](std::string path, std::vector<Part> parts, ask::Mark mark) {
        report.tables.push_back(partsTable(path, report.keep(std::move(parts))));
        mark.kind = ask::Kind::Bars;
        mark.table = std::move(path);
        mark.x = "to";
        mark.y = "name";
        mark.x2 = "from";
        plot.marks.push_back(std::move(mark));
    };
    struct Share {
        std::size_t part = 0;
        double fromNow = 0, fromBefore = 0;
    };
    std::vector<Share> shares;
    double fromNow = 0, fromBefore = 0;
    for (std::size_t part = 0; part <= kernelCount; ++part) {
        if (now.shares[part] > 0 || before.shares[part] > 0) {
            shares.push_back({part, fromNow, fromBefore});
        }
        fromNow += now.shares[part];
        fromBefore += before.shares[part];
    }
    std::ranges::stable_sort(shares, std::greater(),
                             [&](const Share& share) { return now.shares[share.part]; });
    for (const Share& share : shares) { // the most first in the legend
        const std::size_t part = share.part;
        const bool isRest = part == kernelCount;
        std::vector<Part> parts = {{0, 0, share.fromNow, share.fromNow + now.shares[part], words, own}};
        if (shown.pinned) {
            parts.push_back(
                {0, 0, share.fromBefore, share.fromBefore + before.shares[part], words, "pinned"});
        }
        add(isRest ? "rest" : std::string(keyOf(static_cast<Kernel>(part))), std::move(parts),
            {.legend = shareWords(shown, part, now, before),
             .ink = isRest ? Ink::Rest : inkOf(static_cast<Kernel>(part)),
             .dashed = !isRest && isPair(static_cast<Kernel>(part))});
    }
    const bool fits = figure.memory.fp16Fits().value_or(true);
    const std::string fp16 = fp16Words(figure.memory);
    add("fp16 GEMMs", {{0, 0, 0, now.fp16Gemms, words, fp16}},
        {.ink = Ink::Fp16, .basis = fits ? ask::Basis::Measured : ask::Basis::Modelled});
    if (now.fp16Rest > 0) {
        add("fp16 rest", {{0, 0, now.fp16Gemms, now.fp16Gemms + now.fp16Rest, words, fp16}},
            {.ink = Ink::Rest, .basis = fits ? ask::Basis::Measured : ask::Basis::Modelled});
    }
    return report;
}

ask::Report mapReport(const SettingShown& shown) {
    const SimulatorFigure& figure = *shown.figure;
    if (figure.memory.isTooLarge()) {
        return memoryReport("simulator-map", mapTitle, figure.sentence, figure.memory, true);
    }
    const SweepResult& map = figure.map;
    const bool isEmpty = map.points.empty() || map.users.size() < 2 || map.chunks.size() < 2;
    const bool atRate = figure.inputs.arrivals.kind == ArrivalKind::Poisson;
    const double low = isEmpty ? 1 : static_cast<double>(std::max<Tokens>(map.chunks.front(), 1));
    const double high = isEmpty ? 2 : std::max(static_cast<double>(map.chunks.back()), low * 2);
    const Tokens chunk = chunkOf(shown.hand ? shown.hand->policy : figure.inputs.policy);
    ask::Report report = reportOf({.key = "simulator-map",
                                   .title = mapTitle,
                                   .description = {},
                                   .sentence = figure.sentence,
                                   .x = usersAxis(isEmpty ? std::span<const SweepPoint>() : map.curve(0, 0)),
                                   .y = {"chunk, tokens", ask::Form::Tokens, ask::Scale::Log,
                                         low / std::sqrt(2.0), high * std::sqrt(2.0)},
                                   .marks = {},
                                   .rules = {loadRule(shown)},
                                   .empty = isEmpty ? whyNothingVaries(figure) : ""},
                                  joinedWith(shown, mapTable));
    ask::Plot& plot = report.plots.front();
    if (isEmpty) {
        return report;
    }
    plot.rules.push_back({.across = ask::Rule::Across::Y,
                          .at = chunk > 0 ? static_cast<double>(chunk) : *plot.y.high,
                          .field = "chunk",
                          .ink = Ink::Accent});
    std::vector<MapCell> cells;
    const bool isServed =
        std::ranges::any_of(map.points, [](const SweepPoint& point) { return point.against.has_value(); });
    const std::string other = nameOf(isServed ? shown.figure->inputs.against : fp16Format);
    for (const SweepPoint& point : map.points) {
        cells.push_back(
            {point.load(), static_cast<double>(point.chunkTokens), point.isEven() ? 1 : point.pace().value,
             point.isEvenAtMost() ? std::optional(1.0) : std::nullopt, wordsOf(point, shown, atRate)});
    }
    cells.resize(std::min(cells.size(), map.chunks.size() * map.users.size())); // of the first k
    const bool isOpen =
        std::ranges::any_of(cells, [](const MapCell& cell) { return cell.either.has_value(); });
    const std::vector<MapCell>& rows = report.keep(std::move(cells));
    report.tables.push_back(
        {.path = "map",
         .title = {},
         .rows = rows.size(),
         .columns = {columnOf(rows, "load", "load", &MapCell::load),
                     columnOf(rows, "chunk", "chunk", &MapCell::chunk),
                     columnOf(rows, "ratio", "ratio", &MapCell::ratio),
                     columnOf(rows, "either", "either", &MapCell::either),
                     columnOf(rows, "words", "words", &MapCell::words, ask::Form::Text, "{}")}});
    plot.marks.push_back({.kind = ask::Kind::Cells,
                          .table = "map",
                          .x = "load",
                          .y = "chunk",
                          .value = "ratio",
                          .legend = fmt::format("time over {}'s", other),
                          .middle = 1});
    if (isOpen) {
        plot.marks.push_back({.kind = ask::Kind::Cells,
                              .table = "map",
                              .x = "load",
                              .y = "chunk",
                              .value = "either",
                              .legend = "either may be ahead",
                              .ink = Ink::Muted,
                              .dashed = true});
    }
    if (!atRate && shown.pinned) {
        addEvenLines(report, plot, "even pinned", shown.pinned->map,
                     {.legend = "the same, pinned", .ink = Ink::CacheWrite, .dashed = true});
    }
    if (!atRate) {
        addEvenLines(report, plot, "even", map, {.legend = "as long as " + other, .ink = Ink::Text});
    }
    return report;
}

} // namespace loadline
