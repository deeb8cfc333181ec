// Finds the chart before the arguments are parsed: it decides which options there are.
#include "app/cli/export/study_options.h"

#include "app/study/studies.h"

#include <algorithm>

namespace loadline::app {

const ask::Study* studyOfChart(const Arguments& arguments) {
    if (arguments.empty()) {
        return nullptr;
    }
    if (arguments[0] == "page") {
        return arguments.size() > 1 ? studyNamed(arguments[1]) : nullptr;
    }
    const auto found = std::ranges::find_if(studies(), [&](const ask::Study& study) {
        return std::ranges::find(study.plots, arguments[0], &ask::PlotWords::key) != study.plots.end();
    });
    return found == studies().end() ? nullptr : &*found;
}

} // namespace loadline::app
