// One description of a summary.
#include "core/ask/summary.h"

namespace loadline::ask {

std::vector<Column> summaryColumns(const std::function<const RealSummary&(std::size_t row)>& of, Form form) {
    const auto column = [&](const char* key, double RealSummary::*value, const char* title = "") {
        return columnAt(
            key, [of, value](std::size_t row) { return of(row).*value; }, title, form);
    };
    return {columnAt(
                "n", [of](std::size_t row) { return of(row).n; }, "Number", Form::Whole),
            column("mean", &RealSummary::mean, "Mean"),
            column("min", &RealSummary::min),
            column("max", &RealSummary::max, "Largest"),
            column("p10", &RealSummary::p10),
            column("p25", &RealSummary::p25),
            column("p50", &RealSummary::p50, "Median"),
            column("p75", &RealSummary::p75),
            column("p90", &RealSummary::p90, "90 % up to"),
            column("p95", &RealSummary::p95),
            column("p99", &RealSummary::p99, "99 % up to"),
            column("sum", &RealSummary::sum)};
}

void addSummary(Report& report, std::string_view path, const RealSummary& summary) {
    report.addRow(
        path, summaryColumns([&summary](std::size_t) -> const RealSummary& { return summary; }, Form::Plain));
}

} // namespace loadline::ask
