// Finds the chart among the arguments before they are parsed: it decides which options there are.
#include "app/cli/export/study_options.h"

#include "app/study/studies.h"

#include <algorithm>

namespace loadline::app {

const ask::Study* studyOfChart(const Arguments& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "page" && i + 1 < arguments.size()) {
            return studyNamed(arguments[i + 1]);
        }
        for (const ask::Study& study : studies()) {
            if (std::ranges::find(study.plots, arguments[i], &ask::PlotWords::key) != study.plots.end()) {
                return &study;
            }
        }
    }
    return nullptr;
}

} // namespace loadline::app
