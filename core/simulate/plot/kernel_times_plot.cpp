// Time of each timed kernel over the rows M of a step: curves that are dragged.
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/run/cost_tables.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace loadline {
namespace {

using ask::columnOf;

struct KernelPoint {
    std::int64_t rows = 0;
    double us = 0;
    ask::Basis basis = ask::Basis::Measured;
    std::string gemms; ///< in which it runs, by name
};

/// Time of a step's GEMMs at a given number of rows, by timed kernel.
struct StepGemms {
    std::array<double, kernelCount> us{};
    std::array<PointOrigin, kernelCount> from{}; ///< the least that is known of any part
    std::array<std::string, kernelCount> gemms;  ///< names
};

/// The head meets a row of each sequence, of which a step has `mostHeadRows` at most.
StepGemms gemmsAt(const CostTable& table, std::int64_t rows, std::int64_t mostHeadRows) {
    StepGemms step;
    const auto services = table.services({rows, std::min(rows, mostHeadRows)});
    for (std::size_t g = 0; g < services.size(); ++g) {
        const GemmService& service = services[g];
        for (int i = 0; i < service.partCount; ++i) {
            const GemmPart& part = service.parts[static_cast<std::size_t>(i)];
            const auto place = static_cast<std::size_t>(part.kernel);
            step.us[place] += part.estimate.us;
            step.from[place] = std::max(step.from[place], part.estimate.kind == EstimateKind::Modelled
                                                              ? PointOrigin::Modelled
                                                              : part.estimate.origin);
            step.gemms[place] += (step.gemms[place].empty() ? "" : ", ") + table.setup().model.gemms[g].name;
        }
    }
    return step;
}

ask::Basis basisOf(PointOrigin origin) {
    return origin == PointOrigin::Measured    ? ask::Basis::Measured
           : origin == PointOrigin::Published ? ask::Basis::Published
                                              : ask::Basis::Modelled;
}

/// Time of the step's GEMMs by timed kernel over M; a kernel is drawn where it serves, to the row.
std::map<Kernel, std::vector<KernelPoint>> curvesOf(const CostTable& table, std::int64_t mostHeadRows) {
    std::map<std::int64_t, StepGemms> steps;
    const auto most = static_cast<double>(table.maxRows());
    for (double m = 1; m <= most; m = std::max(m + 1, m * 1.09)) {
        const auto rows = static_cast<std::int64_t>(std::llround(m));
        if (steps.contains(rows)) {
            continue;
        }
        std::int64_t to = rows;
        StepGemms after = gemmsAt(table, rows, mostHeadRows);
        if (steps.empty()) {
            steps.emplace(rows, std::move(after));
            continue;
        }
        std::int64_t from = steps.rbegin()->first;
        StepGemms before = steps.rbegin()->second;
        steps.emplace(rows, after);
        while (from + 1 < to && before.gemms != after.gemms) { // both sides of where kernels change
            const std::int64_t middle = std::midpoint(from, to);
            StepGemms there = gemmsAt(table, middle, mostHeadRows);
            const bool isBefore = there.gemms == before.gemms;
            (isBefore ? from : to) = middle;
            (isBefore ? before : after) = std::move(there);
        }
        if (before.gemms != after.gemms) {
            steps.emplace(from, std::move(before));
            steps.emplace(to, std::move(after));
        }
    }
    std::map<Kernel, std::vector<KernelPoint>> curves;
    for (auto& [rows, step] : steps) {
        for (const Kernel kernel : allKernels) {
            const auto place = static_cast<std::size_t>(kernel);
            if (step.us[place] > 0) {
                curves[kernel].push_back(
                    {rows, step.us[place], basisOf(step.from[place]), std::move(step.gemms[place])});
            }
        }
    }
    return curves;
}

/// " (lm_head alone to M = 16)": as long as it serves only what stays fp16; "" where that is nowhere.
std::string aloneWords(Kernel kernel, const std::vector<KernelPoint>& points, const ModelShapes& model) {
    const std::string fp16 = gemmsOf(model, kernel);
    if (readsKBits(kernel) || points.front().gemms != fp16) {
        return {};
    }
    const auto others =
        std::ranges::find_if(points, [&](const KernelPoint& point) { return point.gemms != fp16; });
    return others == points.end()
               ? fmt::format(" ({})", visibleText(fp16))
               : fmt::format(" ({} alone to M = {})", visibleText(fp16), std::prev(others)->rows);
}

} // namespace

ask::Report kernelTimesReport(const SettingShown& shown) {
    const SimulationInputs& inputs = shown.figure->inputs;
    std::map<Kernel, std::vector<KernelPoint>> curves;
    double most = 16;
    if (inputs.tables && inputs.tables->has(inputs.cost.format)) {
        const CostTable& table = inputs.tables->at(inputs.cost.format).table();
        curves = curvesOf(table, seqsOf(inputs.policy));
        most = static_cast<double>(table.maxRows());
    }
    const KernelNaming naming = namingOf(inputs);
    Table twin{{"kernel", "rows_m", "time_us", "kernel_name", "gemms"}, {}};
    const std::array<double, kernelCount>& now = shown.hand ? shown.hand->timeScale : inputs.cost.timeScale;
    for (auto& [kernel, points] : curves) {
        const auto place = static_cast<std::size_t>(kernel);
        for (KernelPoint& point : points) {
            point.us *= now[place] / inputs.cost.timeScale[place];
            twin.rows.push_back(
                {std::string(keyOf(kernel)), point.rows, point.us, nameOf(kernel, naming), point.gemms});
        }
    }
    ask::Report report =
        reportOf({.key = "kernel-times",
                  .title = "Kernel times",
                  .description = {},
                  .sentence = shown.figure->sentence,
                  .x = {"rows M of a step", ask::Form::Plain, ask::Scale::Log, 1, std::max(2.0, most)},
                  .y = {"in a step's GEMMs", ask::Form::Micros, ask::Scale::Log},
                  .marks = {},
                  .empty = curves.empty() ? "no kernel times" : ""},
                 std::move(twin));
    ask::Plot& plot = report.plots.front();
    std::array<bool, 6> has{}; // by Basis
    for (auto& [kernel, points] : curves) {
        const auto place = static_cast<std::size_t>(kernel);
        std::string label = nameOf(kernel, naming) + aloneWords(kernel, points, inputs.cost.model);
        label += now[place] == 1 ? "" : fmt::format(" (\u00d7{})", formatReal(now[place], 2));
        const std::string path(keyOf(kernel)), time = "us_" + path;
        const std::vector<KernelPoint>& rows = report.keep(std::move(points));
        for (const KernelPoint& point : rows) {
            has[static_cast<std::size_t>(point.basis)] = true;
        }
        const auto words = [name = nameOf(kernel, naming)](const KernelPoint& point) {
            return fmt::format("{}, M = {} rows: {} in {}", name, point.rows, formatSeconds(1e-6 * point.us),
                               visibleText(point.gemms));
        };
        report.tables.push_back(
            {.path = path,
             .title = {},
             .rows = rows.size(),
             .columns = {
                 columnOf(rows, "rows", "rows", &KernelPoint::rows),
                 columnOf(rows, time, time, &KernelPoint::us),
                 columnOf(rows, "basis", "basis",
                          [](const KernelPoint& point) { return static_cast<std::int64_t>(point.basis); }),
                 columnOf(rows, "name", "name", [label](const KernelPoint&) { return label; }),
                 columnOf(rows, "words", "words", words, ask::Form::Text, "{}")}});
        plot.marks.push_back({.table = path,
                              .x = "rows",
                              .y = time,
                              .label = "name",
                              .basisColumn = "basis",
                              .ink = inkOf(kernel)});
        plot.rules.push_back({.across = ask::Rule::Across::Y,
                              .at = now[place],
                              .field = "time-scale",
                              .onMark = time,
                              .part = static_cast<int>(place),
                              .factor = true});
    }
    for (const auto& [basis, words] :
         {std::pair(ask::Basis::Measured, "measured"), std::pair(ask::Basis::Published, "published"),
          std::pair(ask::Basis::Modelled, "modelled")}) {
        if (has[static_cast<std::size_t>(basis)]) {
            addLegend(report, plot, words, ask::Ink::Text, basis);
        }
    }
    return report;
}

} // namespace loadline
