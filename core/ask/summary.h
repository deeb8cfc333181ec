// Summaries of samples in reports.
#pragma once

#include "core/ask/report.h"
#include "core/base/statistics.h"

#include <functional>
#include <string_view>
#include <vector>

namespace loadline::ask {

/// The summary of each row: in documents all of n, mean, min, max, p10 .. p99 and sum; for people n, median,
/// mean, 90 and 99 % and the largest.
std::vector<Column> summaryColumns(const std::function<const RealSummary&(std::size_t row)>& of, Form form);

/// Adds {n, mean, min, max, p10 .. p99, sum} below a path, in documents alone.
void addSummary(Report& report, std::string_view path, const RealSummary& summary);

} // namespace loadline::ask
