// The tables of a figure of kernels, and what its profiles are called in them.
#include "core/cost/figure/kernel_figure_tables.h"

#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_naming.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

namespace loadline {
namespace {

std::string boundBy(const KernelMark& mark) {
    return mark.byArithmetic ? "arithmetic" : "memory";
}

const Profile& profileOf(const KernelFigure& figure, const KernelCurve& curve) {
    return curve.profile == 0 ? *figure.inputs.profile : *figure.inputs.compared;
}

std::vector<Cell> headOf(const KernelFigure& figure, const KernelCurve& curve, const ProfilePoint& point) {
    return {profileLabelIn(figure, curve.profile),
            std::string(keyOf(curve.kernel)),
            codeNameOf(point, profileOf(figure, curve)),
            textOf(point.size),
            std::int64_t{point.experts},
            std::int64_t{point.kBits},
            point.rowsM};
}

template <typename Row>
void eachMark(const KernelFigure& figure, Row row) {
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.marks) {
            row(curve, mark, profileOf(figure, curve).points[mark.point]);
        }
    }
}

} // namespace

std::string profileLabelIn(const KernelFigure& figure, int profile) {
    const std::string label = labelOf(*figure.inputs.profile);
    if (profile == 0) {
        return label;
    }
    const std::string other = labelOf(*figure.inputs.compared);
    return other == label ? other + " (the other)" : other;
}

Table timesTable(const KernelFigure& figure) {
    Table table = tableWith(
        "profile kernel kernel_name shape experts k_bits rows_m time_us p25_us p75_us "
        "min_us low_us high_us repeat_us between_runs isolated_us drifted_us samples clock_mhz flags "
        "origin source parts_us own_name device not_complete");
    eachMark(figure, [&](const KernelCurve& curve, const KernelMark& mark, const ProfilePoint& point) {
        std::vector<Cell> row = headOf(figure, curve, point);
        const std::string& source = point.source.empty() ? profileOf(figure, curve).source : point.source;
        for (Cell cell :
             {Cell(point.timeUs), cellOf(point.p25Us), cellOf(point.p75Us), cellOf(point.minUs),
              Cell(mark.low), Cell(mark.high), cellOf(point.repeatUs), cellOf(point.betweenRuns),
              cellOf(point.isolatedUs), cellOf(point.driftedUs),
              point.samples > 0 ? Cell(std::int64_t{point.samples}) : Cell(),
              point.clockMhz > 0 ? Cell(point.clockMhz) : Cell(),
              Cell(fmt::format("{}", fmt::join(point.flags, " "))), Cell(std::string(keyOf(point.origin))),
              Cell(source), mark.partsUs > 0 ? Cell(mark.partsUs) : Cell(), Cell(point.name),
              Cell(profileOf(figure, curve).device), Cell(cutOf(profileOf(figure, curve)))}) {
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    });
    return table;
}

Table ceilingTable(const KernelFigure& figure) {
    Table table =
        tableWith("profile kernel kernel_name shape experts k_bits rows_m time_us bound_us bound_by "
                  "fraction_of_ceiling not_complete");
    eachMark(figure, [&](const KernelCurve& curve, const KernelMark& mark, const ProfilePoint& point) {
        if (!(mark.boundUs > 0)) {
            return;
        }
        std::vector<Cell> row = headOf(figure, curve, point);
        for (Cell cell : {Cell(point.timeUs), Cell(mark.boundUs), Cell(boundBy(mark)), Cell(mark.fraction),
                          Cell(cutOf(profileOf(figure, curve)))}) {
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    });
    return table;
}

} // namespace loadline
