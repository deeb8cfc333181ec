// Describes what changed.
#include "core/cost/compare/comparison_report.h"

#include "core/ask/table_of.h"
#include "core/cost/compare/comparison_plots.h"
#include "core/cost/compare/comparison_words.h"
#include "core/cost/kernel/attention_call.h"
#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace loadline::ask {
namespace {

using Compared = ComparedPoint;
using ComparedCall = ComparedAttention;

template <typename Row>
std::string verdictWords(const Row& row) {
    return row.flagged ? "flagged" : !row.change.isChange() ? "" : row.change.ratio < 1 ? "faster" : "slower";
}

/// Times, ratio and interval, of points and of calls of attention.
template <typename Row>
void addChange(TableOf<Row>& table, const std::vector<Row>& rows) {
    const auto help = [&](const char* words) { table->columns.back().help = words; };
    table.column("before_us", "Before", &Row::beforeUs, Form::Micros);
    help("Median time of one call in the profile before, in microseconds.");
    table.column("after_us", "After", &Row::afterUs, Form::Micros);
    help("Median time of one call in the profile after, in microseconds.");
    table.column(
        "ratio", "After / before", [](const Row& row) { return row.change.ratio; }, Form::Ratio);
    table->columns.back().words = [&rows](std::size_t row) { return changeWords(rows[row].change); };
    help("Time after over time before; below 1 it became faster. In brackets the interval within which "
         "another pair of runs would lie.");
    table.document("low", [](const Row& row) { return row.change.low; })
        .document("high", [](const Row& row) { return row.change.high; })
        .document("flagged", &Row::flagged)
        .textColumn("Change", verdictWords<Row>, Form::Text);
    help("Faster or slower where the interval does not hold 1. Flagged: a profile says that the point is "
         "noisy, bimodal, throttled, interrupted, implausible or drifting; it is left out of the means.");
}

void addPoints(Report& report, const std::vector<Compared>& points) {
    TableOf table("points", points);
    const auto help = [&](const char* words) { table->columns.back().help = words; };
    table.titled("GEMM kernels", points.size())
        .column(
            "kernel", "Kernel", [](const Compared& point) { return keyOf(point.kernel); }, Form::Text);
    table->columns.back().words = [&points](std::size_t row) { return comparedKernelWords(points[row]); };
    help("The kernel, and the bits of a weight that it reads.");
    table.ifThere("name", [](const Compared& p) { return p.name.empty() ? Cell() : Cell(p.name); })
        .column(
            "shape", "Shape", [](const Compared& point) { return textOf(point.size); }, Form::Text);
    table->columns.back().words = [&points](std::size_t row) { return comparedShapeWords(points[row]); };
    help("Inputs x outputs of the weights.");
    table.document("experts", &Compared::experts).column("rows_m", "M", &Compared::rowsM);
    table->columns.back().words = [&points](std::size_t row) {
        return points[row].rowsM == 0 ? std::string("any") : std::to_string(points[row].rowsM);
    };
    help("Rows of the step, tokens that are computed at once; any: the time does not depend on them.");
    table.document("k_bits", &Compared::kBits);
    addChange(table, points);
    report.add(std::move(table));
}

/// The geometric mean of the points of one M.
struct MeanRow {
    std::int64_t rowsM = 0;
    std::optional<RatioBetween> change; ///< none: all points are flagged
    std::size_t points = 0;
};

void addMeans(Report& report, const ProfileComparison& comparison) {
    std::vector<MeanRow> means;
    for (const auto& [rowsM, points] : comparison.pointsByM) {
        const auto mean = comparison.byM.find(rowsM);
        means.push_back(
            {rowsM, mean == comparison.byM.end() ? std::nullopt : std::optional(mean->second), points});
    }
    const auto& rows = report.keep(std::move(means));
    const auto map = [&](const char* path, auto of) {
        report.add(TableOf(path, rows, Shape::Map).document("rows_m", &MeanRow::rowsM).document("value", of));
    };
    map("by_m", [](const MeanRow& row) { return row.change ? Cell(row.change->ratio) : Cell(); });
    map("by_m_interval", [](const MeanRow& row) {
        constexpr double open = std::numeric_limits<double>::infinity();
        const RatioBetween change = row.change.value_or(RatioBetween());
        return Interval{change.low.value_or(-open), change.high.value_or(open)};
    });
    map("by_m_points", &MeanRow::points);
    report.add(TableOf("", rows)
                   .titled("Geometric means", rows.size())
                   .textColumn("M",
                               [](const MeanRow& row) {
                                   return row.rowsM == 0 ? std::string("any") : std::to_string(row.rowsM);
                               })
                   .textColumn("After / before",
                               [](const MeanRow& row) {
                                   return row.change ? changeWords(*row.change) : std::string("all flagged");
                               })
                   .textColumn("Points", &MeanRow::points));
}

void addAttention(Report& report, const std::vector<ComparedCall>& calls) {
    TableOf table("attention", calls);
    table.titled(calls.empty() ? "" : "Attention", calls.size())
        .column(
            "phase", "Phase", [](const ComparedCall& one) { return keyOf(one.call.phase); }, Form::Text)
        .textColumn(
            "Heads",
            [](const ComparedCall& one) {
                const AttentionHeads& heads = one.call.heads;
                return fmt::format("{}/{} of {}", heads.qHeads, heads.kvHeads, heads.headDim);
            },
            Form::Text)
        .document("q_heads", [](const ComparedCall& one) { return one.call.heads.qHeads; })
        .document("kv_heads", [](const ComparedCall& one) { return one.call.heads.kvHeads; })
        .document("head_dim", [](const ComparedCall& one) { return one.call.heads.headDim; })
        .column("batch", "Sequences", [](const ComparedCall& one) { return one.call.batch; })
        .column(
            "tokens", "Tokens", [](const ComparedCall& one) { return one.call.tokens; }, Form::Whole);
    addChange(table, calls);
    report.add(std::move(table));
}

std::string intervalSentence(const ProfileComparison& comparison) {
    const std::vector<std::string>& quartiles = comparison.ofQuartiles;
    return fmt::format("The interval is {}{}; the means are of points that are not flagged.",
                       quartiles.size() == 2 ? "from quartile to quartile" : "between runs (95 %)",
                       quartiles.size() == 1 ? ", of " + quartiles[0] + " from quartile to quartile" : "");
}

/// "12 of 592 points became faster, 3 slower: from A to B.", or that nothing tells a change from noise.
std::string headlineOf(const ProfileComparison& comparison) {
    std::size_t faster = 0;
    std::size_t slower = 0;
    for (const Compared& point : comparison.points) {
        if (!point.flagged && point.change.isChange()) {
            ++(point.change.ratio < 1 ? faster : slower);
        }
    }
    const std::string points = counted(comparison.points.size(), "point");
    const auto hasInterval = [](const ComparedPoint& point) { return point.change.low && point.change.high; };
    return std::ranges::any_of(comparison.points, hasInterval)
               ? fmt::format("{} of {} became faster, {} slower: from {} to {}.", faster, points, slower,
                             comparison.before, comparison.after)
               : fmt::format("{} from {} to {}: none has an interval, so no change is told from noise.",
                             points, comparison.before, comparison.after);
}

void addRemarks(Report& report, const ProfileComparison& comparison) {
    const auto hint = [&](std::string text) { report.notes.push_back({std::move(text), Note::Kind::Hint}); };
    hint(fmt::format("Ratios are the time of {} over the time of {}: below 1 it became faster.",
                     comparison.after, comparison.before));
    hint(intervalSentence(comparison));
    for (const std::string& remark : comparison.remarks) {
        report.addCaveat(remark);
    }
    if (comparison.notInBoth > 0) {
        report.addCaveat(fmt::format("{} in one profile alone.", counted(comparison.notInBoth, "point")));
    }
    if (comparison.attentionNotInBoth > 0) {
        report.addCaveat(fmt::format("{} in one profile alone.",
                                     counted(comparison.attentionNotInBoth, "attention call")));
    }
}

} // namespace

Report comparisonReport(const ProfileComparison& comparison, const ComparisonQuestion& /*question*/) {
    Report report;
    report.schema = "loadline.bench_compare/1";
    report.headline = headlineOf(comparison);
    report.add("before", comparison.before);
    report.add("after", comparison.after);
    addPoints(report, comparison.points);
    addMeans(report, comparison);
    report.add("not_in_both", comparison.notInBoth);
    addAttention(report, comparison.attention);
    report.add("attention_not_in_both", comparison.attentionNotInBoth);
    report.add(listOf("intervals_of_quartiles", comparison.ofQuartiles));
    report.add(listOf("remarks", comparison.remarks));
    addRemarks(report, comparison);
    addComparisonPlots(report, comparison);
    return report;
}

} // namespace loadline::ask
