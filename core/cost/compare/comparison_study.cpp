// The row of the comparison of two profiles.
#include "core/cost/compare/comparison_study.h"

#include "core/cost/compare/comparison_report.h"
#include "core/cost/profile/profile_shelf.h"

namespace loadline::ask {
namespace {

std::vector<std::string> namesOf(const Sources& sources) {
    const auto* const shelf = sources.get<ProfileShelf>();
    return shelf != nullptr ? shelf->names : std::vector<std::string>();
}

Field profileField(std::string_view key, Access access, std::string_view help, std::string_view label) {
    return {.key = key,
            .access = access,
            .words = {.name = key, .help = help},
            .form = {.part = FormPart::Sources, .label = label, .editor = "file"},
            .traits = {.text = {"P"}, .choicesOf = namesOf}};
}

Fields comparisonFields() {
    static const Field rows[] = {
        profileField("before", bound<&ComparisonQuestion::before>(),
                     "The profile to compare with: a bundled one, a file or a folder (h100-study)", "Before"),
        profileField("after", bound<&ComparisonQuestion::after>(),
                     "The profile to compare: a bundled one, a file or a folder (h200-study)", "After")};
    return rows;
}

Result<ProfileComparison> comparisonOf(const ComparisonQuestion& question, const Sources& sources,
                                       const Run& /*run*/) {
    const auto* const shelf = sources.get<ProfileShelf>();
    if (shelf == nullptr) {
        return Error{"there are no profiles to compare", "", "two profiles"};
    }
    const auto before = shelf->open(question.before);
    if (!before) {
        return before.error();
    }
    const auto after = shelf->open(question.after);
    return after ? compareProfiles(**before, **after) : Result<ProfileComparison>(after.error());
}

constexpr PlotWords comparisonPlots[] = {
    {"profile-ratio", "Ratio of times by M", "time of one profile over another's, by rows of a step"},
    {"profile-times", "Times, after over before", "times of one profile over another's"}};

} // namespace

Study comparisonStudy() {
    return studyOf<ComparisonQuestion, ProfileComparison, comparisonFields, comparisonOf, comparisonReport>(
        {.key = "profiles",
         .title = "Compare profiles",
         .tip = "What changed from one profile of kernel times to another",
         .needs = Needs::Profile,
         .plots = comparisonPlots,
         .examples = "  loadline profiles --before h100-study --after h200-study\n"
                     "  loadline profiles --before old.json --after new.json --json\n",
         .room = "kernels",
         .icon = "measure",
         .keys = "Alt+7"});
}

} // namespace loadline::ask
