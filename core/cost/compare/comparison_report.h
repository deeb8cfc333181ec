// Differences between two kernel profiles, as a document, tables and plots.
#pragma once

#include "core/ask/report.h"
#include "core/cost/compare/profile_comparison.h"

#include <string>

namespace loadline {

/// The two profiles, by names or paths as `--profile` takes them.
struct ComparisonQuestion {
    std::string before = "h100-study", after = "h200-study";
    bool operator==(const ComparisonQuestion&) const = default;
};

namespace ask {

/// The document "loadline.bench_compare/1", and two plots.
Report comparisonReport(const ProfileComparison& comparison, const ComparisonQuestion& question);

} // namespace ask
} // namespace loadline
