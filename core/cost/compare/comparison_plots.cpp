// Ratios by M, and times of both profiles, in the ink of each kernel.
#include "core/cost/compare/comparison_plots.h"

#include "core/ask/table_of.h"
#include "core/cost/compare/comparison_words.h"
#include "core/cost/kernel/kernel_ink.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using ask::Form, ask::Kind, ask::Scale, ask::columnOf;

using Points = std::vector<ComparedPoint>;

std::string seriesWords(const ComparedPoint& point) {
    return comparedKernelWords(point) + ", " + comparedShapeWords(point);
}

/// "0.97 (0.93 to 1.01): 5.26 us before, 5.12 us after"
std::string changeInTimes(const ComparedPoint& point) {
    return fmt::format("{}: {} before, {} after", changeWords(point.change),
                       formatSeconds(point.beforeUs * 1e-6), formatSeconds(point.afterUs * 1e-6));
}

/// The table of both charts' CSV.
ask::Table comparedTable(const Points& points) {
    ask::TableOf table("compared", points);
    table.column("rows_m", "M", &ComparedPoint::rowsM)
        .column(
            "ratio", "After / before", [](const ComparedPoint& point) { return point.change.ratio; },
            Form::Ratio)
        .column(
            "low", "Low", [](const ComparedPoint& point) { return point.change.low; }, Form::Ratio)
        .column(
            "high", "High", [](const ComparedPoint& point) { return point.change.high; }, Form::Ratio)
        .column("before_us", "Before", &ComparedPoint::beforeUs, Form::Micros)
        .column("after_us", "After", &ComparedPoint::afterUs, Form::Micros)
        .column("kernel", "Kernel", comparedKernelWords, Form::Text)
        .column("series", "Kernel and shape", seriesWords, Form::Text);
    return table;
}

/// The points of each kernel, by its name.
std::vector<std::pair<std::string, Points>> byKernel(const Points& points) {
    std::vector<std::pair<std::string, Points>> all;
    for (const ComparedPoint& point : points) {
        const std::string name = comparedKernelName(point);
        const auto found = std::ranges::find(all, name, &std::pair<std::string, Points>::first);
        (found == all.end() ? all.emplace_back(name, Points()) : *found).second.push_back(point);
    }
    return all;
}

/// The points of one kernel as they are drawn; `words`: read out below their M.
ask::Table drawnTable(std::string path, const Points& rows, auto words) {
    return {.path = std::move(path),
            .title = {},
            .rows = rows.size(),
            .columns = {
                columnOf(rows, "rows_m", "M", &ComparedPoint::rowsM, Form::Plain, "M = {}"),
                columnOf(rows, "ratio", "", [](const ComparedPoint& point) { return point.change.ratio; }),
                columnOf(rows, "before_us", "", &ComparedPoint::beforeUs),
                columnOf(rows, "after_us", "", &ComparedPoint::afterUs),
                columnOf(rows, "series", "", seriesWords, Form::Text),
                columnOf(rows, "words", "", words, Form::Text, "{}")}};
}

/// An axis around 1 that reaches as far as the ratios, to the next tenth.
ask::Axis ratioAxis(const Points& points) {
    constexpr double tenth = 0.1, leastReach = 0.1;
    double low = 1 - leastReach, high = 1 + leastReach;
    for (const ComparedPoint& point : points) {
        low = std::min(low, point.change.ratio);
        high = std::max(high, point.change.ratio);
    }
    ask::Axis axis{"after / before", Form::Ratio, Scale::Log};
    if (low > tenth) {
        axis.low = std::floor(low / tenth) * tenth;
        axis.high = std::ceil(high / tenth) * tenth;
    }
    return axis;
}

} // namespace

void addComparisonPlots(ask::Report& report, const ProfileComparison& comparison) {
    Points drawn = comparison.points;
    std::erase_if(drawn, [](const ComparedPoint& point) { return point.rowsM == 0 || point.flagged; });
    const std::string empty = drawn.empty() ? "no point of both profiles is steady" : "";
    const Points& points = report.keep(std::move(drawn));
    report.tables.push_back(comparedTable(points));
    std::vector<ask::Mark> ratios, times;
    for (auto& [name, some] : byKernel(points)) {
        const Points& rows = report.keep(std::move(some));
        report.tables.push_back(drawnTable("ratio " + name, rows, changeInTimes));
        report.tables.push_back(drawnTable("times " + name, rows, [](const ComparedPoint& point) {
            return seriesWords(point) + ": " + changeInTimes(point);
        }));
        const ask::Mark mark{.series = "series", .legend = name, .ink = inkOf(rows.front().kernel)};
        ask::Mark& ratio = ratios.emplace_back(mark);
        ratio.table = "ratio " + name;
        ratio.x = "rows_m";
        ratio.y = "ratio";
        ratio.dashed = isPair(rows.front().kernel);
        ask::Mark& time = times.emplace_back(mark);
        time.kind = Kind::Points;
        time.table = "times " + name;
        time.x = "before_us";
        time.y = "after_us";
    }
    report.plots.push_back({.key = "profile-ratio",
                            .x = {"M, rows of a step", Form::Plain, Scale::Log},
                            .y = ratioAxis(points),
                            .marks = std::move(ratios),
                            .rules = {{.across = ask::Rule::Across::Y, .at = 1, .label = "as before"}},
                            .empty = empty,
                            .table = "compared"});
    report.plots.push_back({.key = "profile-times",
                            .x = {"before", Form::Micros, Scale::Log},
                            .y = {"after", Form::Micros, Scale::Log},
                            .marks = std::move(times),
                            .rules = {{.across = ask::Rule::Across::Diagonal, .at = 1}},
                            .empty = empty,
                            .table = "compared"});
}

} // namespace loadline
