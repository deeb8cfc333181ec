// bench --compare: the study of two profiles in the command's own forms, JSON and Markdown.
#include "app/cli/bench/bench_options.h"
#include "app/cli/terminal/output.h"
#include "app/study/study_sources.h"
#include "core/ask/described.h"
#include "core/ask/write_text.h"
#include "core/cost/compare/comparison_report.h"
#include "core/cost/compare/comparison_study.h"

namespace loadline::app {

int runCompare(const BenchOptions& options) {
    const ask::Study study = ask::comparisonStudy();
    const ask::Question question =
        ask::Question::of(ComparisonQuestion{options.compare.front(), options.compare.back()});
    const Result<ask::Answer> answer = study.compute(question, sourcesOf(study, nullptr), {});
    if (!answer) {
        return fail(answer.error());
    }
    const ask::Report report = described(study, *answer, question);
    return options.json ? printReport(report, true) : printText(ask::markdownOfReport(report));
}

} // namespace loadline::app
