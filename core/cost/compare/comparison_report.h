// The study of two kernel profiles: what changed from one to the other.
#pragma once

#include "core/ask/study.h"
#include "core/cost/compare/profile_comparison.h"

#include <memory>
#include <string>

namespace loadline {

/// Names of the two profiles, as `--profile` takes them.
struct ComparisonQuestion {
    std::string before, after;
    bool operator==(const ComparisonQuestion&) const = default;
};

/// What the names stand for, among a question's sources.
struct ComparedProfiles {
    std::shared_ptr<const Profile> before, after;
};

namespace ask {

/// Their questions are ComparisonQuestions.
Fields comparisonFields();

/// For studyOf. The Error: no profiles among the sources, or nothing that both have.
Result<ProfileComparison> comparisonOf(const ComparisonQuestion& question, const Sources& sources,
                                       const Run& run);

/// The document "loadline.bench_compare/1", and two plots.
Report comparisonReport(const ProfileComparison& comparison, const ComparisonQuestion& question);

} // namespace ask
} // namespace loadline
