// bench --compare: what changed from one profile to another.
#include "app/cli/bench/bench_options.h"
#include "app/cli/terminal/output.h"
#include "app/options/cost_option.h"
#include "core/ask/write_text.h"
#include "core/cost/compare/comparison_report.h"

namespace loadline::app {
namespace {

Result<std::shared_ptr<const Profile>> profileToCompare(const std::string& path) {
    const Result<TimesChoice> times = resolveTimes(path);
    if (!times) {
        return times.error();
    }
    if (times->profile == nullptr) {
        return Error{"a roofline has no points to compare", path, "a profile file, or rtx4090-published"};
    }
    return times->profile;
}

} // namespace

int runCompare(const BenchOptions& options) {
    const auto before = profileToCompare(options.compare.front());
    if (!before) {
        return fail(before.error());
    }
    const auto after = profileToCompare(options.compare.back());
    if (!after) {
        return fail(after.error());
    }
    const Result<ProfileComparison> comparison = compareProfiles(**before, **after);
    if (!comparison) {
        return fail(comparison.error());
    }
    const ask::Report report =
        ask::comparisonReport(*comparison, {options.compare.front(), options.compare.back()});
    return options.json ? printReport(report, true) : printText(ask::markdownOfReport(report));
}

} // namespace loadline::app
